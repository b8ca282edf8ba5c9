"""Chances as agents tell them: by maps of what comes true, where such maps are known."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from jimbo.engine import PublicState
from jimbo.models.chance_maps import FIRST, LATER, PlayerMaps, log_money, maps_for
from jimbo.models.value_file import OWN_FILE

RAW = "none"
"""In place of a file of maps: none at all."""


class ToldChances:
    """Chances as an agent tells them: as they come true, where maps of that are known."""

    def __init__(self, maps: Mapping[str, PlayerMaps] | None = None) -> None:
        """By the key of the stake."""
        self._maps = maps or {}

    def at(self, state: PublicState) -> ChancesHere:
        maps = self._maps.get(state.stake)
        first = state.hands_played == state.discards_used == 0
        return ChancesHere(maps, state.ante, state.phase, FIRST if first else LATER)

    def distance(self, state: PublicState) -> float:
        """How many standard deviations a state lies from those of the same ante by which the maps were fitted."""
        maps = self._maps.get(state.stake)
        known = maps.familiar.get(str(state.ante)) if maps else None
        if not known:
            return 0.0
        money, money_spread, jokers, jokers_spread = known
        squares = ((log_money(state.dollars) - money) / money_spread) ** 2
        return math.sqrt((squares + ((len(state.jokers) - jokers) / jokers_spread) ** 2) / 2)


@dataclass(frozen=True, slots=True)
class ChancesHere:
    """Calibrated chances in one state."""

    maps: PlayerMaps | None
    ante: int
    phase: str
    hand: str
    """Whether a hand or discard is the first one of its blind."""

    def win(self, said: float) -> float:
        return self.maps.win(said, self.ante, self.phase) if self.maps and self.maps.win else said

    def clear(self, said: float) -> float:
        return self.maps.clear(said, self.ante, self.hand) if self.maps and self.maps.clear else said

    def error(self, said: float, error: float) -> float:
        """The standard error of a chance to clear that had this one."""
        low, high = (self.clear(min(max(said + side * error, 0.0), 1.0)) for side in (-1, 1))
        return (high - low) / 2 if self.maps and self.maps.clear else error


def told_chances(agent: str, model: str | None, calibration: str | None, *, as_ever: bool = True) -> ToldChances:
    """By a file of maps, or by the package's if the agent plays ``as_ever``: as it did when they were fitted."""
    if calibration == RAW or (calibration is None and not as_ever):
        return ToldChances()
    return ToldChances(maps_for(agent, Path(model) if model else OWN_FILE, Path(calibration) if calibration else None))
