"""Looking for seeds that hold wanted items."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jimbo.engine.seed_tools import MADE_SEED_COUNT, SeedSearch, made_seed
from jimbo.seeds.conditions import Condition, DeckHas, Has, Lacks, PlayingCard, Thing, check_condition
from jimbo.seeds.exploration import Exploration
from jimbo.seeds.parse import parse_has
from jimbo.seeds.starts import FIRST_MADE_SEED, deck_and_challenge, made_seed_number

_Texts = tuple[str, str, str, str, str, str, str]
_Flags = list[bool]
_PlaceFields = tuple[str, int, str, int, str | None, str | None, str | None, str | None]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a wanted thing turns up first."""

    key: str
    """The key of the item, or the front of a playing card."""
    ante: int
    where: str
    """``boss``, ``voucher``, ``tag``, ``shop``, ``pack`` or ``soul``."""
    position: int
    """Counted from 1: the small blind's tag and the big blind's, places in the shop queue, packs."""
    pack: str | None = None
    """The key of the pack that holds it, or holds the Soul that gives it."""
    edition: str | None = None
    """The edition of a playing card, and of a joker if the condition asks for one."""
    enhancement: str | None = None
    """The enhancement of a playing card, as the seal."""
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
    """Places of the things that turn up, in the order of the conditions."""
    deck: tuple[InDeck, ...] = ()
    """Counts for the conditions about the starting deck."""


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of the search."""

    hits: tuple[Hit, ...]
    searched: int
    """How many seeds so far."""
    next_seed: str | None
    """Where to continue; None after the last seed."""


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """In which runs is searched, and with how many threads."""

    by_ante: int = 1
    deck: str | None = None
    stake: str = "white"
    challenge: str | None = None
    queue: int = 20
    threads: int | None = None

    def search(self, conditions: Sequence[Condition | str], start: str = FIRST_MADE_SEED) -> Search:
        return Search(
            conditions,
            by_ante=self.by_ante,
            deck=self.deck,
            stake=self.stake,
            challenge=self.challenge,
            queue=self.queue,
            start=start,
            threads=self.threads,
        )


class Search:
    """Looks through the seeds that the game itself makes, in order, for those that meet all conditions.

    A condition is an object or a text, which is read as what the seed must have: ``"negative perkeo @ 1-3"``. Iterating
    gives one Block after another, each some tenths of a second long; stop whenever you like and continue later from
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
        deck_holds = [[(_texts(n.card), n.min, n.max) for n in c.any_of] for c in self._deck_conditions]
        self._core = SeedSearch(deck, run.stake, run.challenge, queue, turns_up, deck_holds)
        self.threads = threads or os.cpu_count() or 1
        self._first = made_seed_number(start)
        self._next = self._first

    @property
    def searched(self) -> int:
        return self._next - self._first

    @property
    def next_seed(self) -> str | None:
        return made_seed(self._next) if self._next < MADE_SEED_COUNT else None

    @property
    def left(self) -> int:
        """Seeds that come after those that were tried."""
        return MADE_SEED_COUNT - self._next

    def exact_chances(self) -> tuple[float | None, ...]:
        """The chance of each condition where it can be computed."""
        computed = iter(self._core.exact_chances())
        return tuple(None if isinstance(one, DeckHas) else next(computed) for one in self.conditions)

    def count(self, first: int, seeds: int) -> int:
        """How many of so many seeds, from a number on, meet the conditions."""
        return len(self._core.search(first, seeds, self.threads))

    def meets(self, seed: str) -> bool:
        """Whether a seed meets them; ValueError for one that the game does not make itself."""
        return self.count(made_seed_number(seed), 1) > 0

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


def _turns_up(
    condition: Has | Lacks, by_ante: int
) -> tuple[list[_Texts], int, int, bool, _Flags, _Flags, _Flags, _Flags]:
    first, last = condition.antes or (1, by_ante)
    within = condition.within
    antes = None if within.antes is None else tuple(ante - first + 1 for ante in within.antes if first <= ante <= last)
    return (
        [_texts(thing) for thing in condition.any_of],
        first,
        last,
        isinstance(condition, Has),
        [] if antes is None else [place in antes for place in range(1, last - first + 2)],
        _flags(within.shop),
        _flags(within.packs),
        _flags(within.tags),
    )


def _flags(places: tuple[int, ...] | None) -> _Flags:
    """Whether each place counts, as far as one does; nothing where all do."""
    return [] if places is None else [place in places for place in range(1, max(places, default=1) + 1)]


def _texts(thing: Thing | PlayingCard) -> _Texts:
    """As the core reads it: key, rank, suit, enhancement, seal, edition and first letters of stickers."""
    if isinstance(thing, Thing):
        return thing.key, "", "", "", "", thing.edition or "", "".join(sticker[0] for sticker in thing.stickers)
    return "", thing.rank or "", thing.suit or "", thing.enhancement or "", thing.seal or "", thing.edition or "", ""
