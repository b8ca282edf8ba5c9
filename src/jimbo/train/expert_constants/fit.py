"""From games to constants: what things bring in time, then the chance to clear blinds, then packs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jimbo.agents.expert_v1 import ExpertConfig
from jimbo.agents.expert_v1.value import Position
from jimbo.train.expert_constants.clearing import Clearing, fit_value
from jimbo.train.expert_constants.estimates import Estimate, fitted_values
from jimbo.train.expert_constants.formula import Formula
from jimbo.train.expert_constants.growth import fit_items
from jimbo.train.expert_constants.lines import Game
from jimbo.train.expert_constants.names import changed, constants
from jimbo.train.expert_constants.packs import fit_packs
from jimbo.train.expert_constants.variation import RANGES

MIN_GAMES = 10
_HELD_OUT = 5
_DIGITS = 3
_SMALL = 1e-3


@dataclass(frozen=True, slots=True)
class Slope:
    """What varying a constant did to the share of games won."""

    points: float
    """Percentage points from the middle of its range to its upper end."""
    error: float


@dataclass(frozen=True, slots=True)
class Fit:
    config: ExpertConfig
    """The present constants, with those that were fitted in place of theirs."""
    estimates: tuple[Estimate, ...]
    """Of all that the games were asked about, fitted or not."""
    pull: float
    """Of worths of things towards zero."""
    log_chance: tuple[float, float]
    """Of what followed a position, a mean over games that were held out: under the present constants, and under those
    fitted to the other games."""
    slopes: dict[str, Slope]


def fit(games: Sequence[Game], base: ExpertConfig) -> Fit:
    """ValueError where there are too few games."""
    if len(games) < MIN_GAMES:
        raise ValueError(f"At least {MIN_GAMES} games are needed for a fit, and there are {len(games)}.")
    if not any(game.blinds for game in games):
        raise ValueError("None of the games holds a blind, so there is nothing to fit.")
    config, estimates, pull = _fit_values(games, base)
    packs = fit_packs(games, config)
    rounded = {name: round(value, _DIGITS) for name, value in fitted_values([*estimates, *packs]).items()}
    return Fit(changed(base, rounded), (*estimates, *packs), pull, _compared(games, base), _win_slopes(games))


def _fit_values(games: Sequence[Game], base: ExpertConfig) -> tuple[ExpertConfig, list[Estimate], float]:
    worths = fit_items(games, base)
    with_worths = changed(base, fitted_values(worths.estimates))
    value = fit_value(clearing(games, with_worths), constants(with_worths))
    return changed(with_worths, fitted_values(value)), [*value, *worths.estimates], worths.pull


def clearing(games: Sequence[Game], config: ExpertConfig) -> Clearing:
    """Every blind that was entered, with those that followed in its game."""
    positions: list[Position] = []
    game_of: list[int] = []
    outcome: dict[tuple[int, int], bool] = {}
    for number, game in enumerate(games):
        for entered, line in enumerate(game.blinds):
            for ahead, follower in game.followers(line.place, entered):
                outcome[len(positions), ahead] = follower.cleared
            positions.append(line.place.valued(config.unseen))
            game_of.append(number)
    rows = Formula(config).rows(positions)
    places = list(zip(rows.position.tolist(), rows.ahead.tolist(), strict=True))
    known = np.array([place in outcome for place in places], dtype=bool)
    cleared = np.array([outcome.get(place, False) for place in places], dtype=bool)
    return Clearing(rows.picked(known), cleared[known], game_of)


def _compared(games: Sequence[Game], base: ExpertConfig) -> tuple[float, float]:
    held_out = games[::_HELD_OUT]
    rest = [game for number, game in enumerate(games) if number % _HELD_OUT]
    config, _, _ = _fit_values(rest, base)
    pair = [clearing(held_out, each).log_chance(constants(each)) for each in (base, config)]
    return pair[0], pair[1]


def _win_slopes(games: Sequence[Game]) -> dict[str, Slope]:
    """By least squares on all draws together. The errors are those that hold for few games, too (HC3)."""
    draws = np.array([[1.0, *(game.end.draws[name] for name in RANGES)] for game in games])
    won = np.array([game.end.result == "win" for game in games], dtype=float)
    flat = np.linalg.pinv(draws.T @ draws)
    slopes = flat @ draws.T @ won
    leverage = np.einsum("ij,jk,ik->i", draws, flat, draws)
    scores = draws * ((won - draws @ slopes) / np.maximum(1 - leverage, _SMALL))[:, None]
    errors = np.sqrt(np.diag(flat @ scores.T @ scores @ flat))
    pairs = zip(slopes[1:].tolist(), errors[1:].tolist(), strict=True)
    return {name: Slope(100 * slope, 100 * error) for name, (slope, error) in zip(RANGES, pairs, strict=True)}
