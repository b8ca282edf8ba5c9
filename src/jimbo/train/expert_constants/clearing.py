"""The constants under which blinds would most likely have been cleared and lost as they were.

From each position the blinds that followed are known: cleared, up to one that was lost or to the end of the game. How
likely that was is what the expert's formula says of a win, with the lost blind counted as lost. Each constant is
assumed beforehand to lie near its present value. Shapes: R rows (blinds ahead of positions), P positions, K constants.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from jimbo.agents.expert_v1.value import FORTUNES
from jimbo.train.expert_constants.estimates import MIN_SHARE, Estimate
from jimbo.train.expert_constants.formula import DRIFT, LINEAR, MONEY, NOISE, Floats, Ints, Rows

_ABOVE_ZERO = (MONEY, *NOISE, DRIFT)
NEAR = {
    **{f"value.{name}.{i}": 0.4 for name in ("known", "unknown") for i in range(3)},
    "value.gain_per_blind": 0.04,
    "value.early_gain": 2.0,
    **dict.fromkeys(_ABOVE_ZERO, 0.5),
}
"""How near: standard deviations; of the logarithm for those that must be above 0."""
_MAX_STEPS = 60
_MAX_HALVINGS = 12
_SMALL_GAIN = 1e-6
_NUDGE = 1e-4
_GRID = np.arange(-37.0, 9.0, 0.001)
_LOG_NORMAL = np.array([math.log(0.5 * math.erfc(-z / math.sqrt(2))) for z in _GRID.tolist()])


def log_normal(z: Floats) -> Floats:
    """Logarithm of the standard normal distribution function, to 2e-7."""
    log: Floats = np.interp(z, _GRID, _LOG_NORMAL)
    return log


@dataclass(frozen=True, slots=True)
class Chances:
    """Logarithms of the chances of what happened, and their slopes."""

    log: Floats
    """``[P]``."""
    by_mean: Floats
    """``[R]``: what one more in the mean of a row adds to it ..."""
    by_drift: Floats
    by_noise: Floats


def chances(position: Ints, positions: int, margins: tuple[Floats, Floats, Floats], signs: Floats) -> Chances:
    """``signs``: ``[R]``, 1 for a blind that was cleared and -1 for one that was lost."""
    mean, drift, noise = margins
    logs, slopes = [], []
    for fortune, weight in FORTUNES:
        z = np.clip((mean + fortune * drift) / noise, _GRID[0], -_GRID[0])
        log = log_normal(signs * z)
        logs.append(np.bincount(position, log, positions) + math.log(weight))
        slope = signs * np.exp(-0.5 * z**2 - log) / math.sqrt(2 * math.pi) / noise
        slopes.append((slope, fortune * slope, -z * slope))
    together = np.logaddexp.reduce(logs)
    shares = [np.exp(log - together)[position] for log in logs]
    by = [sum(share * slope[kind] for share, slope in zip(shares, slopes, strict=True)) for kind in range(3)]
    return Chances(together, *map(np.asarray, by))


class Clearing:
    """Positions with what followed them."""

    def __init__(self, rows: Rows, cleared: Sequence[bool] | Floats, game_of: Sequence[int]) -> None:
        """``cleared``: ``[R]``; ``game_of``: ``[P]``, the number of the game, from 0."""
        self._rows = rows
        self._position = rows.position
        self._signs = np.where(np.asarray(cleared, dtype=bool), 1.0, -1.0)
        self._game_of = np.asarray(game_of, dtype=np.int64)
        self.games = int(self._game_of.max()) + 1 if len(self._game_of) else 0

    @property
    def positions(self) -> int:
        return len(self._game_of)

    def log_chance(self, config: Mapping[str, float]) -> float:
        """Of all that happened, for a mean position."""
        return float(self._chances(config).log.mean())

    def _chances(self, config: Mapping[str, float]) -> Chances:
        return chances(self._position, self.positions, self._rows.margins(config), self._signs)

    def scores(self, config: Mapping[str, float], names: Sequence[str]) -> tuple[float, Floats]:
        """The log chance of everything, and ``[P, K]``: what each constant, or its logarithm, adds to each one's."""
        found = self._chances(config)
        _, drift, noise = self._rows.margins(config)
        columns = []
        for name in names:
            slope = self._rows.slopes(name)[:, 0]
            if name in LINEAR:
                by_row = found.by_mean * slope * (config[name] if name in _ABOVE_ZERO else 1.0)
            elif name == DRIFT:
                by_row = found.by_drift * slope * config[name] ** 2 / np.maximum(drift, 1e-9)
            else:
                by_row = found.by_noise * slope * config[name] ** 2 / noise
            columns.append(np.bincount(self._position, by_row, self.positions))
        return float(found.log.sum()), np.column_stack(columns)

    def by_game(self, scores: Floats) -> Floats:
        """``[games, K]`` from ``[P, K]``."""
        return np.column_stack([np.bincount(self._game_of, column, self.games) for column in scores.T])


def fit_value(data: Clearing, present: Mapping[str, float]) -> list[Estimate]:
    """Of all constants that the chances depend on. Those that the games hardly tell of are held in a second fit."""
    first = _Fit(data, present, tuple(NEAR)).estimates()
    told = tuple(estimate.name for estimate in first if estimate.share >= MIN_SHARE)
    second = {estimate.name: estimate for estimate in _Fit(data, present, told).estimates()} if told else {}
    return [second.get(estimate.name, estimate) for estimate in first]


class _Fit:
    """Newton's method, with the scores' own products for curvature on the way and the true one at the end."""

    def __init__(self, data: Clearing, present: Mapping[str, float], names: tuple[str, ...]) -> None:
        self._data = data
        self._present = present
        self._names = names
        self._start = np.array([self._to_line(name, present[name]) for name in names])
        self._precision = np.diag([NEAR[name] ** -2 for name in names])
        # Positions of one game tell of the same blinds: together they count as much as one.
        self._weight = data.games / data.positions

    @staticmethod
    def _to_line(name: str, value: float) -> float:
        return math.log(max(value, 1e-3)) if name in _ABOVE_ZERO else value

    def _config(self, point: Floats) -> dict[str, float]:
        values = {n: math.exp(x) if n in _ABOVE_ZERO else float(x) for n, x in zip(self._names, point, strict=True)}
        return {**self._present, **values}

    def _scores(self, point: Floats) -> tuple[float, Floats]:
        """What is to be as large as possible, and ``[P, K]`` scores of the games in it."""
        log, scores = self._data.scores(self._config(point), self._names)
        off = point - self._start
        return self._weight * log - 0.5 * float(off @ self._precision @ off), self._weight * scores

    def _slope(self, point: Floats) -> Floats:
        _, scores = self._scores(point)
        slope: Floats = scores.sum(axis=0) - self._precision @ (point - self._start)
        return slope

    def _best(self) -> Floats:
        point = self._start
        height, scores = self._scores(point)
        for _ in range(_MAX_STEPS):
            slope = scores.sum(axis=0) - self._precision @ (point - self._start)
            curvature = scores.T @ scores / self._weight + self._precision
            step = np.linalg.solve(curvature, slope)
            for _ in range(_MAX_HALVINGS):
                higher, there = self._scores(point + step)
                if higher >= height:
                    break
                step = step / 2
            else:
                return point
            point, gain, height, scores = point + step, higher - height, higher, there
            if gain < _SMALL_GAIN:
                return point
        return point

    def estimates(self) -> list[Estimate]:
        point = self._best()
        nudges = _NUDGE * np.eye(len(point))
        curvature = -np.array([self._slope(point + n) - self._slope(point - n) for n in nudges]) / (2 * _NUDGE)
        flat = np.linalg.inv((curvature + curvature.T) / 2)
        by_game = self._data.by_game(self._scores(point)[1])
        variance = np.diag(flat @ (by_game.T @ by_game + self._precision) @ flat)
        variance = np.where(variance > 0, variance, np.inf)  # where the fit has not come to a top, nothing is known
        found = self._config(point)
        estimates = []
        for name, spread in zip(self._names, np.sqrt(variance).tolist(), strict=True):
            error = found[name] * spread if name in _ABOVE_ZERO else spread
            share = 1 - (spread / NEAR[name]) ** 2
            estimates.append(Estimate(name, found[name], self._present[name], error, share, self._data.games))
        return estimates
