"""What the package's value sees in a step, split by the meaning of what changes in its inputs.

The value reads a list of numbers about a run. Those that differ after a step are changed one part after another, in
every order, and what each part changes in the chance to win is averaged over the orders (Shapley's shares): the parts
make up the whole, and a part whose numbers do not change has none. The value is several networks side by side; how
far they differ tells how sure a part is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from jimbo.engine.value import ValueNet, input_groups

POWER, INCOME, ROOM, RISK, LATER = "power", "income", "room", "risk", "later"
PARTS = (POWER, INCOME, ROOM, RISK, LATER)
_GROUPS = {
    POWER: "power best_power log_power next_margin boss_margin plain_power "
    "levels cards suits ranks enhancements editions seals",
    INCOME: "dollars interest debt boss_dollars",
    ROOM: "joker_room",
    RISK: "spreads eternal perishable rounds_left stickers",
}
"""Everything else is what a run holds, and so what can become of it."""
_LIMITS = (POWER, POWER, POWER, ROOM, ROOM, ROOM, LATER, LATER, LATER)
"""Hands, discards and hand size; slots; the shop."""

_LEAST = 1e-12
"""A chance that has log odds."""

Inputs = list[tuple[int, float]]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SplitPart:
    """Points of the chance to win."""

    points: float
    error: float
    """Standard error, by the networks."""

    def __add__(self, other: SplitPart) -> SplitPart:
        return SplitPart(self.points + other.points, math.hypot(self.error, other.error))


def split(net: ValueNet, before: Inputs, after: Inputs) -> dict[str, SplitPart]:
    """Split the difference of two runs in the chance to win."""
    sides = [_by_part(inputs) for inputs in (before, after)]
    changed = [part for part in PARTS if sides[0][part] != sides[1][part]]
    subsets = [frozenset(some) for count in range(len(changed) + 1) for some in combinations(changed, count)]
    mixed = ([pair for part in PARTS for pair in sides[part in subset][part]] for subset in subsets)
    wins = np.clip([net.wins(sorted(inputs)) for inputs in mixed], _LEAST, 1 - _LEAST)  # [subset, network]
    odds = np.log(wins) - np.log1p(-wins)
    shares = _shares(changed, subsets)
    whole = 100 * shares @ _chance(odds.mean(1))
    errors = (100 * shares @ wins).std(1, ddof=1) / math.sqrt(wins.shape[1])
    found = {part: SplitPart(float(whole[i]), float(errors[i])) for i, part in enumerate(changed)}
    return {part: found.get(part, SplitPart(0.0, 0.0)) for part in PARTS}


def _chance(odds: Floats) -> Floats:
    return 1 / (1 + np.exp(-odds))


@cache
def _part_of() -> list[str]:
    """The part of every input."""
    by_group = {name: part for part, names in _GROUPS.items() for name in names.split()}
    parts: list[str] = []
    for group in input_groups():
        parts += _LIMITS if group.name == "limits" else [by_group.get(group.name, LATER)] * group.size
    return parts


def _by_part(inputs: Inputs) -> dict[str, Inputs]:
    found: dict[str, Inputs] = {part: [] for part in PARTS}
    for pair in inputs:
        found[_part_of()[pair[0]]].append(pair)
    return found


def _shares(parts: Sequence[str], subsets: Sequence[frozenset[str]]) -> Floats:
    """How much the chance of each subset counts for each part: Shapley's weights."""
    table = np.zeros((len(parts), len(subsets)))
    for row, part in enumerate(parts):
        for column, subset in enumerate(subsets):
            weight = 1 / (len(parts) * math.comb(len(parts) - 1, len(subset - {part})))
            table[row, column] = weight if part in subset else -weight
    return table
