"""What works with a joker, from the small file of the package: for reasons, pages and tools, without a database.

The file is made by ``jimbo graph export GRAPH --out graph.json``; it has the surest pairs of each stake.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jimbo.declared import declared, from_dict
from jimbo.engine.catalog import JOKERS, STAKES
from jimbo.files import loads, read_text, reading, write_text

OWN_FILE = Path(__file__).with_name("graph.json")
SCHEMA = "jimbo_neighbours_v1"
WHITE = "stake_white"
_SPLIT = "+"


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphSource:
    """Where the numbers of a stake come from."""

    stake: str = declared(keys=STAKES)
    games: int = declared(min=1)
    trials: int = declared(min=0)
    agent: str = declared()
    rules: str = declared()
    """The signature of the rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A joker next to another."""

    key: str
    name: str
    with_key: str
    with_name: str
    strength: float
    """By how much the odds of winning rise beyond what both do alone: 1 doubles them. Below 0 they fall."""
    low: float
    high: float
    """95 % interval of the strength."""
    deck: str
    """The cards of which the deck has many for that to be so; empty: any deck."""
    trials: int
    games: int
    source: GraphSource


@dataclass(frozen=True, slots=True, kw_only=True)
class Addition:
    """A joker that works with some of those that are owned."""

    key: str
    name: str
    cost: int
    value: float
    """The sum of the strengths."""
    partners: tuple[Neighbour, ...]
    """Strongest first."""


@dataclass(frozen=True, slots=True)
class _File:
    schema: str
    stakes: tuple[GraphSource, ...]
    pairs: Mapping[str, Mapping[str, tuple[Any, ...]]]
    """By stake and ``j_a+j_b``: strength, low, high, deck, trials, games."""


@cache
def _known(path: Path) -> Mapping[str, Mapping[str, tuple[Neighbour, ...]]]:
    """Neighbours by stake and joker, strongest first; ValueError for another file."""
    with reading(path):
        data = from_dict(_File, loads(read_text(path), finite=True))
    if data.schema != SCHEMA:
        raise ValueError(f"{path} is not of the schema {SCHEMA}.")
    found: dict[str, dict[str, list[Neighbour]]] = {}
    for source in data.stakes:
        of_stake = found.setdefault(source.stake, {})
        for pair, numbers in data.pairs.get(source.stake, {}).items():
            ends = pair.split(_SPLIT)
            if len(ends) != 2 or len(numbers) != 6 or not all(end in JOKERS for end in ends):
                raise ValueError(f"{path} names a pair that cannot be: {pair!r}.")
            strength, low, high, deck, trials, games = numbers
            for here, there in (ends, ends[::-1]):
                one = Neighbour(
                    key=there, name=JOKERS[there].name, with_key=here, with_name=JOKERS[here].name,
                    strength=float(strength), low=float(low), high=float(high), deck=str(deck), trials=int(trials),
                    games=int(games), source=source,
                )  # fmt: skip
                of_stake.setdefault(here, []).append(one)
    return {
        stake: {key: tuple(sorted(ones, key=lambda one: (-one.strength, one.key))) for key, ones in of_stake.items()}
        for stake, of_stake in found.items()
    }


def known_stakes(path: Path = OWN_FILE) -> tuple[str, ...]:
    """The stakes whose games were looked at; empty where there is no file."""
    return tuple(_known(path)) if path.exists() else ()


def nearest_stake(stake: str, path: Path = OWN_FILE) -> str | None:
    """The stake itself, or the nearest whose games were looked at."""
    order = list(STAKES)
    place = order.index(stake) if stake in order else 0
    return min(known_stakes(path), key=lambda known: abs(order.index(known) - place), default=None)


def neighbours(
    key: str, stake: str = WHITE, *, limit: int = 5, harmful: bool = False, path: Path = OWN_FILE
) -> tuple[Neighbour, ...]:
    """The jokers that work best with one, or that get most in its way; the file has no doubtful ones.

    Where there are no games of a stake, those of the nearest count; ``source`` says so.
    """
    of_stake = _known(path)[nearest] if (nearest := nearest_stake(stake, path)) else {}
    found = [one for one in of_stake.get(key, ()) if (one.strength < 0) == harmful]
    return tuple(found[::-1] if harmful else found)[:limit]


def additions(
    owned: Collection[str], budget: int, stake: str = WHITE, *, limit: int = 5, path: Path = OWN_FILE
) -> tuple[Addition, ...]:
    """The jokers within a budget that work best with those that are owned."""
    partners: dict[str, list[Neighbour]] = {}
    for key in dict.fromkeys(owned):
        for one in neighbours(key, stake, limit=len(JOKERS), path=path):
            if one.key not in owned and JOKERS[one.key].cost <= budget:
                partners.setdefault(one.key, []).append(one)
    found = [
        Addition(
            key=key, name=JOKERS[key].name, cost=JOKERS[key].cost, value=sum(one.strength for one in ones),
            partners=tuple(sorted(ones, key=lambda one: -one.strength)),
        )
        for key, ones in partners.items()
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda one: (-one.value, one.key))[:limit])


def write_neighbours(
    path: Path, sources: Sequence[GraphSource], pairs: Mapping[str, Mapping[str, Sequence[Any]]]
) -> None:
    """``pairs`` by stake and ``j_a+j_b``: strength, low, high, deck, trials, games."""
    stakes = [{name: getattr(source, name) for name in GraphSource.__dataclass_fields__} for source in sources]
    lines = [
        f"  {json.dumps(stake)}: {{\n"
        + ",\n".join(f"   {json.dumps(pair)}: {json.dumps(list(row))}" for pair, row in rows.items())
        + "\n  }"
        for stake, rows in pairs.items()
    ]
    head = f'{{"schema": {json.dumps(SCHEMA)},\n "stakes": {json.dumps(stakes)},\n "pairs": {{\n'
    write_text(path, head + ",\n".join(lines) + "\n }}\n")
