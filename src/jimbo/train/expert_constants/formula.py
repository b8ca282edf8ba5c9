"""The expert's formula as columns of numbers, taken from the formula itself.

A blind's mean margin is linear in some constants, and its variances are linear in the squares of others. So the formula
is asked with one constant changed at a time, and never written down a second time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from jimbo.agents.expert_v1 import ExpertConfig
from jimbo.agents.expert_v1.config import ValueConfig
from jimbo.agents.expert_v1.value import Position, blind_margins
from jimbo.train.expert_constants.names import changed, constants

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]

MONEY = "value.money"
GROWTH = ("value.gain_per_blind", "value.early_gain", MONEY)
LINEAR = (*(f"value.{name}.{i}" for name in ("known", "unknown") for i in range(3)), *GROWTH)
"""The mean margin is linear in these."""
NOISE = (*(f"value.unknown_spread.{i}" for i in range(3)), "value.spread")
"""The variance that is a blind's own is linear in the squares of these."""
DRIFT = "value.drift"
"""And that which all blinds share in the square of this one."""

_COLUMNS = ("position", "ahead", "mean", "noise", "drift", *LINEAR, "unseen", *NOISE, DRIFT)
_PLACE = {name: place for place, name in enumerate(_COLUMNS)}


class Rows:
    """Blinds ahead of positions, position by position: R rows."""

    def __init__(self, table: Floats, config: Mapping[str, float]) -> None:
        """``table``: ``[R, columns]``; ``config``: the constants that the formula was asked with."""
        self._table = table
        self._config = config

    def __repr__(self) -> str:
        return f"<Rows: {len(self._table)} blinds>"

    def picked(self, which: Truths) -> Rows:
        return Rows(self._table[which], self._config)

    @property
    def position(self) -> Ints:
        """``[R]``: which position."""
        return self._table[:, _PLACE["position"]].astype(np.int64)

    @property
    def ahead(self) -> Ints:
        """``[R]``: how many blinds ahead of it, from 0."""
        return self._table[:, _PLACE["ahead"]].astype(np.int64)

    def slopes(self, *names: str) -> Floats:
        """``[R, K]``: what one more of each adds to the mean (or, of its square, to the variance)."""
        return self._table[:, [_PLACE[name] for name in names]]

    def margins(self, config: Mapping[str, float]) -> tuple[Floats, Floats, Floats]:
        """Of each row the mean, and the deviations of drift and noise, under these constants."""
        steps = np.array([config[name] - self._config[name] for name in LINEAR])
        squares = np.array([config[name] ** 2 - self._config[name] ** 2 for name in (*NOISE, DRIFT)])
        mean, noise, drift = self.slopes("mean", "noise", "drift").T
        noise = noise + self.slopes(*NOISE) @ squares[:-1]
        drift = drift + self.slopes(DRIFT)[:, 0] * squares[-1]
        return mean + self.slopes(*LINEAR) @ steps, np.sqrt(np.maximum(drift, 0.0)), np.sqrt(noise)


class Formula:
    """The formula under some constants, ready to be asked."""

    def __init__(self, config: ExpertConfig) -> None:
        present = constants(config)
        self._present = present
        self._config = config.value
        self._more = {name: changed(config, {name: present[name] + 1}).value for name in LINEAR}
        self._more |= {
            name: changed(config, {name: float(np.hypot(present[name], 1))}).value for name in (*NOISE, DRIFT)
        }
        self._known: dict[tuple[int, int, int], Floats] = {}

    def rows(self, positions: Sequence[Position]) -> Rows:
        """All blinds ahead of each position; a position without a forecast has none."""
        blocks = [self._table(number, position) for number, position in enumerate(positions) if position.rounds]
        return Rows(np.concatenate([np.zeros((0, len(_COLUMNS))), *blocks]), self._present)

    def _table(self, number: int, position: Position) -> Floats:
        """``[blinds, columns]``."""
        shape = (position.ante, position.slot, len(position.rounds))
        # Positions of one shape differ in their means and noises and in what money adds, in nothing else.
        if shape not in self._known:
            self._known[shape] = self._slopes(position)
        table = self._known[shape].copy()
        mean, drift, noise = _margins(position, self._config)
        table[:, _PLACE["position"]] = number
        table[:, _PLACE["mean"]] = mean
        table[:, _PLACE["noise"]] = noise**2
        table[:, _PLACE["drift"]] = drift**2
        table[:, _PLACE[MONEY]] = _margins(position, self._more[MONEY])[0] - mean
        return table

    def _slopes(self, position: Position) -> Floats:
        mean, drift, noise = _margins(position, self._config)
        table = np.zeros((len(mean), len(_COLUMNS)))
        table[:, _PLACE["ahead"]] = np.arange(len(mean))
        table[:, _PLACE["unseen"]] = _margins(replace(position, unseen=position.unseen + 1), self._config)[0] - mean
        for name in LINEAR:
            table[:, _PLACE[name]] = _margins(position, self._more[name])[0] - mean
        for name in NOISE:
            table[:, _PLACE[name]] = _margins(position, self._more[name])[2] ** 2 - noise**2
        table[:, _PLACE[DRIFT]] = _margins(position, self._more[DRIFT])[1] ** 2 - drift**2
        return table


def _margins(position: Position, config: ValueConfig) -> Floats:
    """``[3, blinds]``: means, drifts, noises."""
    return np.array(blind_margins(position, config)).T
