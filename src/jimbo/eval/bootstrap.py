"""Intervals of numbers that are made of many decisions, where the games are drawn again and not the decisions.

The decisions of a game share its luck and its end, so a thousand of them say far less than a thousand games do.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.eval.statistics import Interval

Array = NDArray[Any]
Statistic = Callable[[Array], Array]
"""From ``[R, M]``, M sums R times over, to ``[R]`` numbers."""

_RESAMPLES = 1000
_SEED = 7
_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and how certain it is."""

    value: float | None
    """None where there was nothing to count."""
    ci95: Interval | None
    """None where it cannot be told: one game alone says nothing about others."""


class GameBootstrap:
    """Some decisions, and games drawn again and again: the same every time."""

    def __init__(self, games: Array, resamples: int = _RESAMPLES) -> None:
        """``games[i]`` says to which game decision i belongs."""
        names, self._game = np.unique(games, return_inverse=True)
        self._size = len(names)
        random = np.random.default_rng(_SEED)
        self._times = np.zeros((resamples, self._size), np.uint16)
        for drawn in self._times:
            drawn[:] = np.bincount(random.integers(self._size, size=self._size), minlength=self._size)

    def of(self, which: Array) -> GameBootstrap:
        """For some of the decisions only. Games are drawn as before, also those that have none of these."""
        part = copy(self)
        part._game = self._game[which]
        return part

    @property
    def games(self) -> int:
        """How many have at least one of the decisions."""
        return len(np.unique(self._game))

    def mean(self, values: Array) -> Estimate:
        """Of ``[n]`` values."""
        return self.ratio(values, np.ones(len(values)))

    def ratio(self, above: Array, below: Array) -> Estimate:
        """The sum of some numbers over that of others."""
        return self.estimate([self.sums(above), self.sums(below)], lambda sums: divided(sums[:, 0], sums[:, 1]))

    def sums(self, values: Array, places: Array | None = None, size: int = 1) -> Array:
        """``[G, size]``: the sums of ``[n]`` values in each game, apart by place where places are given."""
        cells = self._game * size + (0 if places is None else places)
        return np.bincount(cells, values, self._size * size).reshape(self._size, size)

    def estimate(self, parts: list[Array], statistic: Statistic) -> Estimate:
        """What a statistic says of sums over all games, side by side, and the 95 % percentile interval of it."""
        sums = np.concatenate(parts, axis=1)
        value = float(statistic(sums.sum(axis=0, keepdims=True))[0])
        if not np.isfinite(value):
            return Estimate(None, None)
        counting = np.unique(self._game)
        if len(counting) < 2:
            return Estimate(value, None)
        drawn = [
            statistic(self._times[first : first + _AT_ONCE, counting].astype(float) @ sums[counting])
            for first in range(0, len(self._times), _AT_ONCE)
        ]
        low, high = np.nanquantile(np.concatenate(drawn), (0.025, 0.975))
        return Estimate(value, (float(low), float(high)))


def divided(above: Array, below: Array) -> Array:
    """NaN where there is nothing to divide by."""
    result: Array = np.divide(above, below, out=np.full(above.shape, np.nan), where=below != 0)
    return result
