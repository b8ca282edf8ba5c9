"""Whether what is said to happen in 70 of 100 cases does happen in 70 of 100.

Intervals come from games that are drawn again, not from decisions: the decisions of a game share its luck and its end,
so a thousand of them say far less than a thousand games do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.eval.statistics import Interval

Array = NDArray[Any]
Statistic = Callable[[Array], Array]
"""A function of ``[R, M]``, M sums R times over, to ``[R]`` numbers."""

BINS = 10
_LEVELS = 50
"""The interval of the AUC comes from probabilities in that many steps; its value does not."""
_SMALLEST = 1e-7
"""A network may say 0 or 1, and be infinitely wrong."""
_RESAMPLES = 1000
_SEED = 7
_AT_ONCE = 100


# --- Intervals --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and how certain it is."""

    value: float | None
    """None where there was nothing to count."""
    ci95: Interval | None
    """None where it is unknown: one game alone says nothing about others."""


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
        """Select some of the decisions. Games are drawn as before, also those that have none of these."""
        part = copy(self)
        part._game = self._game[which]
        return part

    @property
    def games(self) -> int:
        """How many have at least one of the decisions."""
        return len(np.unique(self._game))

    def mean(self, values: Array) -> Estimate:
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
        value, drawn = self.drawn(parts, statistic)
        if not np.isfinite(value):
            return Estimate(None, None)
        if not len(drawn):
            return Estimate(value, None)
        low, high = np.nanquantile(drawn, (0.025, 0.975))
        return Estimate(value, (float(low), float(high)))

    def drawn(self, parts: list[Array], statistic: Statistic) -> tuple[float, Array]:
        """What a statistic says of sums over all games, and of each drawing of games ``[R]``; none for one game."""
        sums = np.concatenate(parts, axis=1)
        value = float(statistic(sums.sum(axis=0, keepdims=True))[0])
        counting = np.unique(self._game)
        if len(counting) < 2:
            return value, np.empty(0)
        drawn = [
            statistic(self._times[first : first + _AT_ONCE, counting].astype(float) @ sums[counting])
            for first in range(0, len(self._times), _AT_ONCE)
        ]
        return value, np.concatenate(drawn)


def divided(above: Array, below: Array) -> Array:
    """NaN where there is nothing to divide by."""
    result: Array = np.divide(above, below, out=np.full(above.shape, np.nan), where=below != 0)
    return result


# --- Probabilities ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bin:
    """Predictions of about the same probability."""

    low: float
    high: float
    decisions: int
    games: int
    predicted: float
    """Their mean."""
    happened: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """How good some probabilities are."""

    decisions: int
    games: int
    predicted: float
    """Their mean."""
    happened: Estimate
    """How often it came true."""
    brier: Estimate
    """The mean of (probability - what happened) squared, what happened being 0 or 1."""
    base_brier: float
    """The Brier score of one who always says ``happened``."""
    log_loss: Estimate
    ece: Estimate
    """Expected calibration error: the mean distance between ``predicted`` and ``happened`` of ten bins."""
    auc: Estimate
    """How often the probability is the higher one where it happened, of all pairs of one case where it happened and one
    where it did not. Nothing where it always happened, or never."""
    bins: tuple[Bin, ...]
    """Those with a prediction in them."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """How good the probabilities of one thing are, on all decisions and on those of each ante."""

    all: Calibration
    by_ante: Mapping[int, Calibration]


def forecast(predicted: Array, happened: Array, antes: Array, bootstrap: GameBootstrap) -> Forecast:
    """``[n]`` probabilities, whether it happened, and the antes they were given in; at least one."""

    def row(of: Array) -> Calibration:
        return calibration(predicted[of], happened[of], bootstrap.of(of))

    by_ante = {int(ante): row(antes == ante) for ante in np.unique(antes)}
    return Forecast(calibration(predicted, happened, bootstrap), by_ante)


def calibration(predicted: Array, happened: Array, bootstrap: GameBootstrap) -> Calibration:
    """``[n]`` probabilities, and whether it happened; at least one."""
    p, y = predicted.astype(float), happened.astype(float)
    sure = np.clip(p, _SMALLEST, 1 - _SMALLEST)
    places = bin_places(p)
    binned = [bootstrap.sums(values, places, BINS) for values in (np.ones_like(p), p, y)]
    return Calibration(
        decisions=len(p),
        games=bootstrap.games,
        predicted=float(p.mean()),
        happened=bootstrap.mean(y),
        brier=bootstrap.mean((p - y) ** 2),
        base_brier=float(y.var()),
        log_loss=bootstrap.mean(-np.where(happened, np.log(sure), np.log1p(-sure))),
        ece=bootstrap.estimate(binned, ece),
        auc=_auc_estimate(p, happened, bootstrap),
        bins=tuple(_bin(place, p, y, places == place, bootstrap) for place in np.unique(places).tolist()),
    )


def _bin(place: int, p: Array, y: Array, inside: Array, bootstrap: GameBootstrap) -> Bin:
    these = bootstrap.of(inside)
    return Bin(
        low=place / BINS,
        high=(place + 1) / BINS,
        decisions=int(inside.sum()),
        games=these.games,
        predicted=float(p[inside].mean()),
        happened=these.mean(y[inside]),
    )


def bin_places(p: Array) -> Array:
    places: Array = np.minimum((p * BINS).astype(int), BINS - 1)
    return places


def ece(sums: Array) -> Array:
    """The expected calibration errors of ``[R, 3 * BINS]`` sums by bin: counts, probabilities, what happened."""
    counts, predicted, happened = np.split(sums, 3, axis=1)
    return divided(np.abs(predicted - happened).sum(axis=1), counts.sum(axis=1))


def auc(predicted: Array, happened: Array) -> float:
    """The area under the ROC curve, equal probabilities counting half; NaN unless both cases occur."""
    _, level = np.unique(predicted, return_inverse=True)
    yes, no = (np.bincount(level[which], minlength=level.max(initial=0) + 1) for which in (happened, ~happened))
    return float(_level_auc(np.concatenate([yes, no])[None].astype(float))[0])


def _level_auc(sums: Array) -> Array:
    """``[R, 2 L]`` counts to ``[R]``: at each level first those where it happened, then those where it did not."""
    yes, no = np.split(sums, 2, axis=1)
    below = np.cumsum(no, axis=1) - no / 2
    return divided((yes * below).sum(axis=1), yes.sum(axis=1) * no.sum(axis=1))


def _auc_estimate(p: Array, happened: Array, bootstrap: GameBootstrap) -> Estimate:
    exact = auc(p, happened)
    if not np.isfinite(exact):
        return Estimate(None, None)
    edges = np.unique(np.quantile(p, np.linspace(0, 1, _LEVELS + 1)[1:-1]))
    level = np.searchsorted(edges, p)
    cases = [bootstrap.sums(case, level, len(edges) + 1) for case in (happened, ~happened)]
    return Estimate(exact, bootstrap.estimate(cases, _level_auc).ci95)
