"""The constants of each game, drawn at random around given ones: games that are all played alike teach little."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from jimbo.agents.expert_v1 import ExpertConfig
from jimbo.engine.catalog import JOKERS, VOUCHERS
from jimbo.train.expert_constants.names import changed, constants

_TIMES, _PLUS = "times", "plus"
_ITEM_SPAN = 0.2
"""Each joker and voucher may seem worth this much more or less, so that all of them are tried."""
_DIGITS = 5


@dataclass(frozen=True, slots=True)
class Range:
    """Constants that vary together: multiplied by up to e to the power of ``span``, or changed by up to ``span``."""

    how: str
    span: float
    names: tuple[str, ...]
    """A name stands for all that is below it, too."""

    def moved(self, value: float, draw: float) -> float:
        return value * math.exp(draw * self.span) if self.how == _TIMES else value + draw * self.span

    def holds(self, constant: str) -> bool:
        return any(constant == name or constant.startswith(f"{name}.") for name in self.names)


RANGES: Mapping[str, Range] = {
    "known": Range(_PLUS, 0.3, ("value.known",)),
    "unknown": Range(_PLUS, 0.4, ("value.unknown",)),
    "spread": Range(_TIMES, 0.4, ("value.spread",)),
    "drift": Range(_TIMES, 0.5, ("value.drift",)),
    "gain_per_blind": Range(_PLUS, 0.03, ("value.gain_per_blind",)),
    "early_gain": Range(_TIMES, 0.4, ("value.early_gain",)),
    "money": Range(_TIMES, 0.7, ("value.money",)),
    "dollar_worth": Range(_TIMES, 1.0, ("hand.dollar_worth",)),
    "threshold": Range(_TIMES, 2.0, ("threshold",)),
    "use_threshold": Range(_PLUS, 0.03, ("use_threshold",)),
    "held_tarot": Range(_TIMES, 0.7, ("unseen.held_tarot",)),
    "arcana": Range(_TIMES, 0.7, ("unseen.arcana",)),
    "celestial": Range(_TIMES, 0.7, ("unseen.celestial",)),
    "standard": Range(_TIMES, 0.7, ("unseen.standard",)),
    "buffoon": Range(_TIMES, 0.7, ("unseen.buffoon", "unseen.buffoon_when_full")),
    "spectral": Range(_TIMES, 0.7, ("unseen.spectral",)),
    "tags": Range(_TIMES, 1.0, ("unseen.tags",)),
}


def varied(base: ExpertConfig, game: int) -> tuple[ExpertConfig, dict[str, float]]:
    """The constants of a game, the same whenever it is played, and the draws from -1 to 1 that they come from."""
    random = Random(f"jimbo-variation/{game}")
    draws = {name: round(random.uniform(-1, 1), _DIGITS) for name in RANGES}
    present = constants(base)
    values = {
        constant: entry.moved(present[constant], draws[name])
        for name, entry in RANGES.items()
        for constant in filter(entry.holds, present)
    }
    for item in (*(f"unseen.jokers.{key}" for key in JOKERS), *(f"unseen.vouchers.{key}" for key in VOUCHERS)):
        values[item] = present.get(item, 0.0) + random.uniform(-_ITEM_SPAN, _ITEM_SPAN)
    return changed(base, values), draws


def ranges_data() -> dict[str, Any]:
    """What decides how constants are varied, to be kept with the games."""
    return {name: [entry.how, entry.span] for name, entry in RANGES.items()} | {"items": [_PLUS, _ITEM_SPAN]}
