"""How likely a seed is to meet what is looked for, and how long a search takes, before it begins.

The chances of tags, vouchers and packs are computed. Everything else is counted among seeds drawn at random, with a
95 % interval; an edition is left out there and its chance, which is known, multiplied in, so rare ones need no luck.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from jimbo.engine.seed_tools import MADE_SEED_COUNT, edition_chance
from jimbo.seeds.conditions import Condition, Has, Thing
from jimbo.seeds.search import Search, SearchPlan

SECONDS = 1.5
"""For which seeds are drawn."""
_ENOUGH = 2000
"""Hits after which a share is known well enough."""
_FEW = 20
"""Hits below which conditions are counted one by one, as if they had nothing to do with one another."""
_BLOCK = 1 << 10
_Z = 1.96


@dataclass(frozen=True, slots=True)
class Chance:
    """A chance with its 95 % interval; the ends are equal where it was computed."""

    value: float
    low: float
    high: float
    exact: bool = False
    seeds: int = 0
    """Drawn at random; 0 where none was."""


@dataclass(frozen=True, slots=True)
class Odds:
    """What is to be expected of a search."""

    each: tuple[Chance, ...]
    """The chance of each condition."""
    all: Chance
    independent: bool
    """The conditions were counted one by one: a seed that meets them all was hardly ever drawn."""
    rate: float
    """Seeds a second here, all conditions together."""

    @property
    def bottleneck(self) -> int:
        """The number of the condition that is met least often."""
        return min(range(len(self.each)), key=lambda one: self.each[one].value)

    @property
    def seeds_for_one(self) -> float:
        """Seeds to be tried for a hit, in the mean."""
        return 1 / self.all.value if self.all.value else math.inf

    @property
    def seconds_for_one(self) -> float:
        return self.seeds_for_one / self.rate

    def seconds_until(self, share: float) -> float:
        """Seconds after which a hit has come with this probability."""
        if self.all.value >= 1:
            return 0.0
        return math.log(1 - share) / math.log1p(-self.all.value) / self.rate if self.all.value else math.inf


def estimate_odds(plan: SearchPlan, conditions: Sequence[Condition], seconds: float = SECONDS) -> Odds:
    """Estimate how likely a seed is to meet all conditions; ValueError for those that make no sense."""
    whole = plan.search(conditions)
    exact = whole.exact_chances()
    share = seconds / (2 + sum(one is None for one in exact))
    each = tuple(
        Chance(known, known, known, exact=True) if known is not None else _sampled(plan, condition, share)
        for condition, known in zip(whole.conditions, exact, strict=True)
    )
    rest = [condition for condition, known in zip(whole.conditions, exact, strict=True) if known is None]
    sure = _product([chance for chance, known in zip(each, exact, strict=True) if known is not None])
    together, counted = _joint(plan, rest, share) if len(rest) > 1 else (None, 0)
    independent = len(rest) > 1 and counted < _FEW
    if together is None or independent:
        together = _product([chance for chance, known in zip(each, exact, strict=True) if known is None])
    return Odds(each, _product([sure, together]), independent, _rate(plan, whole.conditions, share))


def _product(chances: Sequence[Chance]) -> Chance:
    """The product; the interval's ends are as far away as the errors together, not all at once."""
    if not chances:
        return Chance(1, 1, 1, exact=True)
    value = math.prod(chance.value for chance in chances)
    if any(not chance.low for chance in chances):
        return Chance(value, 0.0, math.prod(chance.high for chance in chances), False, max(c.seeds for c in chances))
    above = math.sqrt(sum(math.log(chance.high / chance.value) ** 2 for chance in chances))
    below = math.sqrt(sum(math.log(chance.value / chance.low) ** 2 for chance in chances))
    exact, seeds = all(chance.exact for chance in chances), max(chance.seeds for chance in chances)
    return Chance(value, value * math.exp(-below), min(1.0, value * math.exp(above)), exact, seeds)


def _sampled(plan: SearchPlan, condition: Condition, seconds: float) -> Chance:
    plain, factor = _without_edition(condition)
    met, seeds = _count(plan.search([plain]), seconds)
    found = wilson(met, seeds)
    return Chance(found.value * factor, found.low * factor, found.high * factor, False, seeds)


def _joint(plan: SearchPlan, conditions: Sequence[Condition], seconds: float) -> tuple[Chance, int]:
    parts = [_without_edition(condition) for condition in conditions]
    factor = math.prod(factor for _, factor in parts)
    met, seeds = _count(plan.search([plain for plain, _ in parts]), seconds)
    found = wilson(met, seeds)
    return Chance(found.value * factor, found.low * factor, found.high * factor, False, seeds), met


def _without_edition(condition: Condition) -> tuple[Condition, float]:
    """A condition on jokers of one edition without it, and the chance of the edition."""
    if not isinstance(condition, Has) or not all(isinstance(one, Thing) for one in condition.any_of):
        return condition, 1.0
    editions = {one.edition for one in condition.any_of if isinstance(one, Thing)}
    if len(editions) != 1 or None in editions:
        return condition, 1.0
    plain = tuple(replace(one, edition=None) for one in condition.any_of)
    return replace(condition, any_of=plain), edition_chance(editions.pop() or "")


def _count(search: Search, seconds: float) -> tuple[int, int]:
    """How many of so many seeds meet the conditions. Blocks begin at random places."""
    chance = random.Random(0)
    end, met, seeds, block = time.perf_counter() + seconds, 0, 0, _BLOCK
    while True:
        began = time.perf_counter()
        met += search.count(chance.randrange(MADE_SEED_COUNT - (1 << 24)), block)
        seeds += block
        now = time.perf_counter()
        if now >= end or (met >= _ENOUGH and seeds >= 4 * _ENOUGH):
            return met, seeds
        rate = block / max(now - began, 1e-6)
        block = max(_BLOCK, min(1 << 22, int(rate * min(0.2, end - now))))


def _rate(plan: SearchPlan, conditions: Sequence[Condition], seconds: float) -> float:
    search, began, seeds = plan.search(conditions), time.perf_counter(), 0
    first, block = random.Random(1).randrange(MADE_SEED_COUNT - (1 << 26)), _BLOCK
    while (passed := time.perf_counter() - began) < seconds and seeds < 1 << 25:
        search.count(first + seeds, block)
        seeds += block
        block = min(1 << 20, block * 2)
    return seeds / max(time.perf_counter() - began, passed, 1e-6)


def wilson(met: int, seeds: int) -> Chance:
    """A share with its 95 % interval (Wilson)."""
    share = met / seeds
    middle = share + _Z * _Z / (2 * seeds)
    half = _Z * math.sqrt(share * (1 - share) / seeds + _Z * _Z / (4 * seeds * seeds))
    scale = 1 + _Z * _Z / seeds
    low = max(0.0, (middle - half) / scale) if met else 0.0
    return Chance(share, low, min(1.0, (middle + half) / scale), False, seeds)
