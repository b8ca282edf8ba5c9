"""What a seed holds, ante by ante, as typed facts read from the core's JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from jimbo.declared import from_dict
from jimbo.engine import LAST_ANTE
from jimbo.engine.seed_tools import SeedReports
from jimbo.seeds.conditions import MAX_ANTE
from jimbo.seeds.starts import deck_and_challenge, stake_key

ASSUMED = (
    "Nothing is bought, and the profile has everything unlocked. "
    "Cards on display exclude each other as in the game; packs hold what they would with the shop's cards gone. "
    "Every Soul is used as it comes. The planet that Telescope forces is left out."
)
"""What a report takes for granted, in words for the user."""


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
    challenge: str | None = None
    starting_deck: tuple[str, ...] = ()
    """The fronts of the Erratic Deck; empty for decks that are the same in every seed."""


# --- Exploring --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Exploration:
    """Which part of a seed to look at. Texts are checked when it is made; ValueError says what is allowed."""

    deck: str | None = None
    """None is the Red Deck."""
    stake: str = "white"
    first_ante: int = 1
    last_ante: int = LAST_ANTE
    queue: int = 20
    challenge: str | None = None
    """It brings its own deck, so another one cannot be chosen."""
    _reports: SeedReports = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        deck, challenge = deck_and_challenge(self.deck, self.challenge)
        stake = stake_key(self.stake)
        for name, value in (("deck", deck), ("stake", stake), ("challenge", challenge)):
            object.__setattr__(self, name, value)
        if not 1 <= self.first_ante <= self.last_ante <= MAX_ANTE:
            raise ValueError(f"Antes {self.first_ante}-{self.last_ante} do not exist: allowed are 1 to {MAX_ANTE}.")
        antes = self.first_ante, self.last_ante
        object.__setattr__(self, "_reports", SeedReports(deck, stake, *antes, self.queue, challenge))

    def json(self, seed: str) -> str:
        """The report of a seed as one line of JSON."""
        return self._reports.json(seed)

    def report(self, seed: str) -> SeedReport:
        return from_dict(SeedReport, json.loads(self.json(seed)))


def explore(
    seed: str, deck: str = "b_red", stake: str = "white", *, last_ante: int = LAST_ANTE, queue: int = 20
) -> SeedReport:
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
