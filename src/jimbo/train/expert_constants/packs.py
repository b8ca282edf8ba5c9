"""What packs bring: the chance to win after a pack against that before it, price paid, by the expert's own formula.

A pack's worth is the log score that would have changed the chance as much. It is one ratio for all packs of a kind, so
those count most whose games score matters to.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jimbo.agents.expert_v1 import ExpertConfig
from jimbo.train.expert_constants.clearing import chances
from jimbo.train.expert_constants.estimates import Estimate
from jimbo.train.expert_constants.formula import Floats, Formula
from jimbo.train.expert_constants.lines import PACKS, Game, PackLine, Place
from jimbo.train.expert_constants.names import constants

NEAR = 0.1
"""Standard deviation of a worth around its present value, as assumed beforehand."""
NEAR_LARGER = 0.5
LARGER = "unseen.larger_pack"


@dataclass(frozen=True, slots=True)
class _Opened:
    """Packs: N of them."""

    lines: tuple[PackLine, ...]
    game: Floats
    """``[N]``."""
    gain: Floats
    """``[N]``: of the log chance to win."""
    slope: Floats
    """``[N]``: what one more of log score would add to it."""


def fit_packs(games: Sequence[Game], config: ExpertConfig) -> list[Estimate]:
    """Worths of the kinds of packs, and how much more larger ones are worth."""
    opened = _opened(games, config)
    present = constants(config)
    larger = np.array([line.larger for line in opened.lines], dtype=bool)
    kinds = np.array([line.kind for line in opened.lines])
    estimates, worth_of = [], {}
    for kind in PACKS:
        name = f"unseen.{kind}"
        estimate = _ratio(name, present[name], NEAR, opened, ~larger & (kinds == kind), np.ones(len(larger)))
        worth_of[kind] = estimate.value if estimate.fitted else present[name]
        estimates.append(estimate)
    worths = np.array([worth_of[line.kind] for line in opened.lines])
    return [*estimates, _ratio(LARGER, present[LARGER], NEAR_LARGER, opened, larger, worths)]


def _ratio(name: str, present: float, near: float, opened: _Opened, which: Floats, worths: Floats) -> Estimate:
    """Of gains to slopes, drawn towards the present value as far as few packs were seen."""
    game, gain, slope = opened.game[which], opened.gain[which], (opened.slope * worths)[which]
    games = len(set(game.tolist()))
    if games < 2 or slope.sum() <= 0:
        return Estimate(name, present, present, near, 0.0, games)
    ratio = float(gain.sum() / slope.sum())
    by_game = np.bincount(np.unique(game, return_inverse=True)[1], gain - ratio * slope)
    variance = float(by_game @ by_game / slope.sum() ** 2) * games / (games - 1)
    share = near**2 / (near**2 + variance)
    value = share * ratio + (1 - share) * present
    return Estimate(name, value, present, math.sqrt(share * variance), share, games)


def _opened(games: Sequence[Game], config: ExpertConfig) -> _Opened:
    lines = [(game.end.game, line) for game in games for line in game.packs]
    lines = [(number, line) for number, line in lines if line.paid.position.rounds and line.after.position.rounds]
    before, slope = _log_wins([line.paid for _, line in lines], config)
    after, _ = _log_wins([line.after for _, line in lines], config)
    return _Opened(
        tuple(line for _, line in lines), np.array([number for number, _ in lines], dtype=float), after - before, slope
    )


def _log_wins(places: Sequence[Place], config: ExpertConfig) -> tuple[Floats, Floats]:
    """Log chances to win, and what one more of log score at all blinds would add to them."""
    rows = Formula(config).rows([place.valued(config.unseen) for place in places])
    found = chances(rows.position, len(places), rows.margins(constants(config)), np.ones(len(rows.position)))
    slopes: Floats = np.bincount(rows.position, found.by_mean, len(places)).astype(float)
    return found.log, slopes
