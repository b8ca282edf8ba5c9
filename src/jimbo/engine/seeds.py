"""What a seed holds, ante by ante, and looking for seeds that hold wanted items.

>>> from jimbo.engine.seeds import explore
>>> ante = explore("TESTSEED").antes[0]
>>> ante.boss.name, [card.name for card in ante.shop[:2]]
('The Head', ['Raised Fist', 'Pareidolia'])
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from jimbo.engine import _core
from jimbo.engine._core import (
    MADE_SEED_COUNT,
    Conventions,
    SeedQuery,
    check_seed,
    made_seed,
    search_seeds,
    seed_number,
    seed_report,
)
from jimbo.engine.catalog import (
    BLINDS,
    BOOSTERS,
    CONSUMABLES,
    DECKS,
    JOKERS,
    TAGS,
    VOUCHERS,
    fact,
)

ASSUMED = (
    "Nothing is bought, and the profile has everything unlocked. "
    "Cards on display exclude each other as in the game; packs hold what they would with the shop's cards gone. "
    "Every Soul is used as it comes. The planet that Telescope forces is left out."
)
"""What a report takes for granted, in words for the user."""

LAST_ANTE = 39
FIRST_MADE_SEED = "11111111"
SOUL = "c_soul"
_GAME = Conventions()


@dataclass(frozen=True, slots=True)
class Item:
    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Card:
    """A joker, a consumable or a playing card; a playing card's key is its front, such as ``S_T``."""

    key: str
    name: str
    edition: str | None = None
    enhancement: str | None = None
    seal: str | None = None
    stickers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pack:
    key: str
    name: str
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Ante:
    ante: int
    boss: Item
    voucher: Item
    tags: tuple[Item, Item]
    """For skipping the small and the big blind."""
    shop: tuple[Card, ...]
    """The queue of shop cards, which rerolls continue."""
    packs: tuple[Pack, ...]
    """Two for each shop."""
    legendaries: tuple[Card, ...]
    """What the Souls of these packs give, in order."""


@dataclass(frozen=True, slots=True)
class SeedReport:
    seed: str
    deck: str
    stake: str
    antes: tuple[Ante, ...]


@dataclass(frozen=True, slots=True)
class Exploration:
    """Which part of a seed to look at. Texts are checked when it is made; ValueError says what is allowed."""

    deck: str = "b_red"
    stake: str = "white"
    first_ante: int = 1
    last_ante: int = 8
    queue: int = 20

    def __post_init__(self) -> None:
        object.__setattr__(self, "deck", deck_key(self.deck))
        object.__setattr__(self, "stake", stake_key(self.stake))
        if not 1 <= self.first_ante <= self.last_ante <= LAST_ANTE:
            raise ValueError(f"Antes {self.first_ante}-{self.last_ante} do not exist: allowed are 1 to {LAST_ANTE}.")

    def json(self, seed: str) -> str:
        """The report of a seed as one line of JSON."""
        return seed_report(seed, self.deck, self.stake, self.first_ante, self.last_ante, self.queue, _GAME)

    def report(self, seed: str) -> SeedReport:
        return _report(json.loads(self.json(seed)))


def explore(seed: str, deck: str = "b_red", stake: str = "white", *, last_ante: int = 8, queue: int = 20) -> SeedReport:
    """Antes 1 to ``last_ante`` of a seed. Raises ValueError for a bad seed, deck or stake."""
    return Exploration(deck, stake, 1, last_ante, queue).report(seed)


def _report(data: Any) -> SeedReport:
    return SeedReport(data["seed"], data["deck"], data["stake"], tuple(_ante(ante) for ante in data["antes"]))


def _ante(data: Any) -> Ante:
    small, big = data["tags"]
    return Ante(
        ante=data["ante"],
        boss=Item(**data["boss"]),
        voucher=Item(**data["voucher"]),
        tags=(Item(**small), Item(**big)),
        shop=_cards(data["shop"]),
        packs=tuple(Pack(pack["key"], pack["name"], _cards(pack["cards"])) for pack in data["packs"]),
        legendaries=_cards(data["legendaries"]),
    )


def _cards(data: Any) -> tuple[Card, ...]:
    return tuple(Card(**{**card, "stickers": tuple(card.get("stickers", ()))}) for card in data)


def json_lines(exploration: Exploration, seeds: Sequence[str], threads: int | None = None) -> Iterator[str]:
    """The reports of many seeds in order, in blocks of whole lines; the core runs outside Python's lock."""
    threads = threads or os.cpu_count() or 1
    chunk = 64
    block = chunk * threads * 4

    def lines(start: int) -> str:
        return "".join(f"{exploration.json(seed)}\n" for seed in seeds[start : start + chunk])

    with ThreadPoolExecutor(threads) as pool:
        # Block by block, so that a slow reader does not let finished reports pile up.
        for first in range(0, len(seeds), block):
            yield from pool.map(lines, range(first, min(first + block, len(seeds)), chunk))


def deck_key(text: str) -> str:
    """The key of a deck given as ``b_red``, ``red`` or ``Red Deck``; ValueError says what is allowed."""
    return _core.deck_key(text)


def stake_key(text: str) -> str:
    """The key of a stake given as ``stake_white``, ``white`` or ``White Stake``."""
    return _core.stake_key(text)


def challenge_key(text: str) -> str:
    """The key of a challenge given as ``c_omelette_1``, ``omelette`` or ``The Omelette``."""
    return _core.challenge_key(text)


def checked_seed(text: str, *, as_typed: bool = False) -> str:
    """A valid seed, else ValueError. ``as_typed`` reads it as the game's input field does: upper case, O for 0."""
    seed = text.upper().replace("0", "O") if as_typed else text
    try:
        check_seed(seed)
    except ValueError as error:
        try:
            check_seed(seed.upper())
        except ValueError:
            raise ValueError(f"{error}.") from None
        raise ValueError(f'{error}. Did you mean "{seed.upper()}"?') from None
    return seed


@dataclass(frozen=True, slots=True)
class Place:
    """Where a wanted item turns up first."""

    key: str
    ante: int
    where: str
    """``boss``, ``voucher``, ``tag``, ``shop``, ``pack`` or ``soul``."""
    position: int
    """Counted from 1: the small blind's tag and the big blind's, places in the shop queue, packs."""
    pack: str | None = None
    """The key of the pack that holds it, or holds the Soul that gives it."""


@dataclass(frozen=True, slots=True)
class Hit:
    seed: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of the search."""

    hits: tuple[Hit, ...]
    searched: int
    """How many seeds so far."""
    next_seed: str | None
    """Where to go on; None at the end of all seeds."""


class Search:
    """Looks through the seeds that the game makes by itself, in order, for those that hold all wanted items.

    Iterating gives one Block after another, each some tenths of a second long; stop whenever you like and go on later
    from ``next_seed``.
    """

    block_seconds = 0.25

    def __init__(
        self,
        items: Sequence[str],
        *,
        by_ante: int = 1,
        deck: str = "b_red",
        stake: str = "white",
        queue: int = 20,
        start: str = FIRST_MADE_SEED,
        threads: int | None = None,
    ) -> None:
        self._exploration = Exploration(deck, stake, 1, by_ante, queue)
        self.items = tuple(dict.fromkeys(items))
        if not self.items:
            raise ValueError("Name at least one item to look for.")
        for key in self.items:
            if why := why_never(key, self._exploration.deck, by_ante):
                raise ValueError(why)
        self._query = SeedQuery(self.items, by_ante, self._exploration.deck, self._exploration.stake, queue)
        self.threads = threads or os.cpu_count() or 1
        self._first = _number(start)
        self._next = self._first

    @property
    def searched(self) -> int:
        return self._next - self._first

    @property
    def next_seed(self) -> str | None:
        return made_seed(self._next) if self._next < MADE_SEED_COUNT else None

    def blocks(self, tries: int | None = None) -> Iterator[Block]:
        end = MADE_SEED_COUNT if tries is None else min(self._first + tries, MADE_SEED_COUNT)
        size = 256 * self.threads
        while self._next < end:
            size = min(size, end - self._next)
            began = time.perf_counter()
            found = search_seeds(self._query, self._next, size, self.threads)
            self._next += size
            yield Block(tuple(self._hit(seed) for seed in found), self.searched, self.next_seed)
            rate = size / max(time.perf_counter() - began, 1e-6)
            size = max(self.threads, int(rate * self.block_seconds))

    def _hit(self, seed: str) -> Hit:
        report = self._exploration.report(seed)
        return Hit(seed, tuple(_first_place(key, report) for key in self.items))


def after(seed: str) -> str | None:
    """The next of the seeds that the game makes by itself; None after the last."""
    number = _number(seed) + 1
    return made_seed(number) if number < MADE_SEED_COUNT else None


def random_start() -> str:
    return made_seed(random.randrange(MADE_SEED_COUNT))


def _number(seed: str) -> int:
    number = seed_number(checked_seed(seed))
    if number is None:
        raise ValueError(f'A search cannot start at "{seed}": it needs 8 characters out of 1-9 and A-Z without O.')
    return number


def _first_place(key: str, report: SeedReport) -> Place:
    return next(place for ante in report.antes for place in _places(key, ante))


def _places(key: str, ante: Ante) -> Iterator[Place]:
    places: tuple[tuple[str, Sequence[Item | Card | Pack]], ...] = (
        ("boss", (ante.boss,)),
        ("voucher", (ante.voucher,)),
        ("tag", ante.tags),
        ("shop", ante.shop),
        ("pack", ante.packs),
    )
    for where, items in places:
        for i, item in enumerate(items, 1):
            if item.key == key:
                yield Place(key, ante.ante, where, i)
    for i, pack in enumerate(ante.packs, 1):
        if any(card.key == key for card in pack.cards):
            yield Place(key, ante.ante, "pack", i, pack.key)
    souls = [(i, pack) for i, pack in enumerate(ante.packs, 1) for card in pack.cards if card.key == SOUL]
    for (i, pack), joker in zip(souls, ante.legendaries, strict=True):
        if joker.key == key:
            yield Place(key, ante.ante, "soul", i, pack.key)


def why_never(key: str, deck: str, by_ante: int) -> str | None:
    """Why an item cannot turn up by this ante, as a sentence; None if it can. Unknown keys raise ValueError."""
    try:
        name = fact(key).name
    except KeyError as error:
        raise ValueError(str(error.args[0])) from None
    reason = _reason(key, deck, by_ante)
    return f"{name} ({key}) cannot turn up: {reason}." if reason else None


def _reason(key: str, deck: str, by_ante: int) -> str | None:
    for facts, reason in (
        (JOKERS, _joker_reason),
        (CONSUMABLES, _consumable_reason),
        (VOUCHERS, _voucher_reason),
        (TAGS, _tag_reason),
        (BLINDS, _blind_reason),
    ):
        if key in facts:
            return reason(key, deck, by_ante)
    if key in BOOSTERS:
        return None
    return "a search is for jokers, consumables, vouchers, packs, tags and bosses"


def _joker_reason(key: str, _deck: str, _by_ante: int) -> str | None:
    joker = JOKERS[key]
    if joker.gate:
        return f"the deck must hold a {fact(joker.gate).name} first"
    if joker.pool_gate == "needs_gros_michel_extinct":
        return "Gros Michel must go extinct first"
    return None


def _consumable_reason(key: str, deck: str, _by_ante: int) -> str | None:
    if CONSUMABLES[key].softlocked:
        return f"{CONSUMABLES[key].hand} must be played first"
    if key in DECKS[deck].consumables:
        return f"the {DECKS[deck].name} starts with it, and it stays out of the pools while it is held"
    return None


def _voucher_reason(key: str, deck: str, _by_ante: int) -> str | None:
    owned = DECKS[deck].vouchers
    if key in owned:
        return f"the {DECKS[deck].name} starts with it"
    needed = VOUCHERS[key].prerequisite
    return f"{VOUCHERS[needed].name} must be redeemed first" if needed and needed not in owned else None


def _tag_reason(key: str, _deck: str, by_ante: int) -> str | None:
    return _too_early(TAGS[key].min_ante, by_ante)


def _blind_reason(key: str, _deck: str, by_ante: int) -> str | None:
    blind = BLINDS[key]
    if not blind.boss:
        return "it is there in every ante; only bosses differ from seed to seed"
    return _too_early(8 if blind.showdown else blind.min_ante, by_ante)


def _too_early(first: int, by_ante: int) -> str | None:
    return f"it comes in ante {first} at the earliest" if first > by_ante else None
