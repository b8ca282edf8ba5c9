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
from dataclasses import dataclass, field

from jimbo.engine import _core
from jimbo.engine._core import (
    MADE_SEED_COUNT,
    SeedReports,
    SeedSearch,
    check_seed,
    made_seed,
    seed_number,
)
from jimbo.engine.seed_check import LAST_ANTE, check_condition
from jimbo.engine.seed_conditions import CardCount, Condition, DeckHas, Has, Lacks, PlayingCard, Thing
from jimbo.engine.seed_never import SOUL, why_never
from jimbo.engine.seed_parse import parse_deck, parse_has, parse_lacks
from jimbo.engine.seed_report import Ante, Card, Item, Pack, SeedReport, read_report

__all__ = [
    "ASSUMED",
    "CHALLENGE_DECK",
    "FIRST_MADE_SEED",
    "LAST_ANTE",
    "SOUL",
    "Ante",
    "Block",
    "Card",
    "CardCount",
    "Condition",
    "DeckHas",
    "Exploration",
    "Has",
    "Hit",
    "InDeck",
    "Item",
    "Lacks",
    "Pack",
    "Place",
    "PlayingCard",
    "Search",
    "SeedReport",
    "Thing",
    "after",
    "challenge_key",
    "checked_seed",
    "deck_and_challenge",
    "deck_key",
    "explore",
    "json_lines",
    "parse_deck",
    "parse_has",
    "parse_lacks",
    "random_start",
    "stake_key",
    "why_never",
]

ASSUMED = (
    "Nothing is bought, and the profile has everything unlocked. "
    "Cards on display exclude each other as in the game; packs hold what they would with the shop's cards gone. "
    "Every Soul is used as it comes. The planet that Telescope forces is left out."
)
"""What a report takes for granted, in words for the user."""

FIRST_MADE_SEED = "11111111"
CHALLENGE_DECK = "b_challenge"
_Texts = tuple[str, str, str, str, str, str]
_PlaceFields = tuple[str, int, str, int, str | None, str | None, str | None, str | None]


@dataclass(frozen=True, slots=True)
class Exploration:
    """Which part of a seed to look at. Texts are checked when it is made; ValueError says what is allowed."""

    deck: str | None = None
    """The Red Deck, where nothing else is said."""
    stake: str = "white"
    first_ante: int = 1
    last_ante: int = 8
    queue: int = 20
    challenge: str | None = None
    """It brings its own deck, so another one cannot be chosen."""
    _reports: SeedReports = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        deck, challenge = deck_and_challenge(self.deck, self.challenge)
        stake = stake_key(self.stake)
        for name, value in (("deck", deck), ("stake", stake), ("challenge", challenge)):
            object.__setattr__(self, name, value)
        if not 1 <= self.first_ante <= self.last_ante <= LAST_ANTE:
            raise ValueError(f"Antes {self.first_ante}-{self.last_ante} do not exist: allowed are 1 to {LAST_ANTE}.")
        antes = self.first_ante, self.last_ante
        object.__setattr__(self, "_reports", SeedReports(deck, stake, *antes, self.queue, challenge))

    def json(self, seed: str) -> str:
        """The report of a seed as one line of JSON."""
        return self._reports.json(seed)

    def report(self, seed: str) -> SeedReport:
        return read_report(json.loads(self.json(seed)))


def explore(seed: str, deck: str = "b_red", stake: str = "white", *, last_ante: int = 8, queue: int = 20) -> SeedReport:
    """Antes 1 to ``last_ante`` of a seed. Raises ValueError for a bad seed, deck or stake."""
    return Exploration(deck, stake, 1, last_ante, queue).report(seed)


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


def deck_and_challenge(deck: str | None, challenge: str | None) -> tuple[str, str | None]:
    """Their keys; ValueError for what does not exist, and for a deck beside a challenge."""
    if challenge is None:
        return deck_key("b_red" if deck is None else deck), None
    if deck not in (None, CHALLENGE_DECK):
        raise ValueError("A challenge brings its own deck; choose either a challenge or a deck.")
    return CHALLENGE_DECK, challenge_key(challenge)


def checked_seed(text: str, *, as_typed: bool = False) -> str:
    """A valid seed, else ValueError. ``as_typed`` reads it as the game's input field does: upper case, O for 0."""
    seed = text.upper().replace("0", "O") if as_typed else text
    seed = seed.encode(errors="replace").decode()  # a command line may hold bytes that are no text
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
    """Where a wanted thing turns up first."""

    key: str
    """Of the item, or the front of a playing card."""
    ante: int
    where: str
    """``boss``, ``voucher``, ``tag``, ``shop``, ``pack`` or ``soul``."""
    position: int
    """Counted from 1: the small blind's tag and the big blind's, places in the shop queue, packs."""
    pack: str | None = None
    """The key of the pack that holds it, or holds the Soul that gives it."""
    edition: str | None = None
    """Of a playing card, and of a joker where the condition asks for one; the next two are of playing cards alone."""
    enhancement: str | None = None
    seal: str | None = None


@dataclass(frozen=True, slots=True)
class InDeck:
    """How many cards of a kind the starting deck holds."""

    card: PlayingCard
    count: int


@dataclass(frozen=True, slots=True)
class Hit:
    seed: str
    places: tuple[Place, ...]
    """Of the conditions for things that turn up, in their order."""
    deck: tuple[InDeck, ...] = ()
    """Of the conditions for the starting deck."""


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of the search."""

    hits: tuple[Hit, ...]
    searched: int
    """How many seeds so far."""
    next_seed: str | None
    """Where to go on; None at the end of all seeds."""


class Search:
    """Looks through the seeds that the game makes by itself, in order, for those that meet all conditions.

    A condition is an object or a text, which is read as what the seed must have: ``"negative perkeo @ 1-3"``. Iterating
    gives one Block after another, each some tenths of a second long; stop whenever you like and go on later from
    ``next_seed``.
    """

    block_seconds = 0.25

    def __init__(
        self,
        conditions: Sequence[Condition | str],
        *,
        by_ante: int = 1,
        deck: str | None = None,
        stake: str = "white",
        challenge: str | None = None,
        queue: int = 20,
        start: str = FIRST_MADE_SEED,
        threads: int | None = None,
    ) -> None:
        run = Exploration(deck, stake, 1, by_ante, queue, challenge)
        deck, _ = deck_and_challenge(deck, challenge)
        read = (parse_has(condition) if isinstance(condition, str) else condition for condition in conditions)
        self.conditions = tuple(dict.fromkeys(read))
        if not self.conditions:
            raise ValueError("Name at least one thing to look for.")
        for condition in self.conditions:
            check_condition(condition, by_ante, deck, run.challenge)
        self._deck_conditions = [c for c in self.conditions if isinstance(c, DeckHas)]
        turns_up = [_turns_up(c, by_ante) for c in self.conditions if not isinstance(c, DeckHas)]
        deck_holds = [[(_texts(n.card), n.least, n.most) for n in c.any_of] for c in self._deck_conditions]
        self._core = SeedSearch(deck, run.stake, run.challenge, queue, turns_up, deck_holds)
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
            found = self._core.search(self._next, size, self.threads)
            self._next += size
            yield Block(tuple(self._hit(*hit) for hit in found), self.searched, self.next_seed)
            rate = size / max(time.perf_counter() - began, 1e-6)
            size = max(self.threads, int(rate * self.block_seconds))

    def _hit(self, seed: str, places: Sequence[_PlaceFields], counts: Sequence[tuple[int, int]]) -> Hit:
        in_deck = zip(self._deck_conditions, counts, strict=True)
        return Hit(
            seed,
            tuple(Place(*place) for place in places),
            tuple(InDeck(condition.any_of[i].card, count) for condition, (i, count) in in_deck),
        )


def _turns_up(condition: Has | Lacks, by_ante: int) -> tuple[list[_Texts], int, int, bool]:
    first, last = condition.antes or (1, by_ante)
    return [_texts(thing) for thing in condition.any_of], first, last, isinstance(condition, Has)


def _texts(thing: Thing | PlayingCard) -> _Texts:
    """As the core reads it: key, rank, suit, enhancement, seal and edition."""
    if isinstance(thing, Thing):
        return thing.key, "", "", "", "", thing.edition or ""
    return "", thing.rank or "", thing.suit or "", thing.enhancement or "", thing.seal or "", thing.edition or ""


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
