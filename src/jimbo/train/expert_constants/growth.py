"""What jokers, vouchers and tags bring in time beside what a forecast can see: a ridge regression.

A blind is forecast from a position some blinds earlier, and again when it is entered. How much more the second forecast
says is explained by what the formula expects of all builds (growth and money) and by what was owned. Worths are drawn
towards zero, by as much as predicts the growth in other games best. Shapes: N pairs of forecasts in a game, K columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from jimbo.agents.expert_v1 import ExpertConfig
from jimbo.engine.catalog import JOKERS, TAGS, VOUCHERS
from jimbo.train.expert_constants.estimates import Estimate
from jimbo.train.expert_constants.formula import GROWTH, Floats, Formula
from jimbo.train.expert_constants.lines import Game, Place
from jimbo.train.expert_constants.names import constants

ITEMS = (
    *(f"unseen.tags.{key}" for key in TAGS),
    *(f"unseen.vouchers.{key}" for key in VOUCHERS),
    *(f"unseen.jokers.{key}" for key in JOKERS),
)
_COLUMN = {name: len(GROWTH) + place for place, name in enumerate(ITEMS)}
_WIDTH = len(GROWTH) + len(ITEMS)
_FOLDS = 5
_PULLS = tuple(10 ** (power / 4) for power in range(25))
_FIRM = 1e-6
"""Keeps columns that no game has from spoiling the solution."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Of one game: forecasts of the same blind, from a position before it and when it was entered."""

    slopes: Floats
    """``[N, 4]``: what growth, money and a worth add in the time between, weighted."""
    growth: Floats
    """``[N]``: of the log score, beyond the first forecast; weighted alike."""
    owned: tuple[tuple[int, ...], ...]
    """``[N]``: the columns of what was owned at first; more than once, where there were more."""

    def columns(self) -> Floats:
        """``[N, K]``."""
        columns = np.zeros((len(self.growth), _WIDTH))
        columns[:, : len(GROWTH)] = self.slopes[:, :-1]
        for row, owned in enumerate(self.owned):
            np.add.at(columns[row], list(owned), self.slopes[row, -1])
        return columns


@dataclass(frozen=True, slots=True)
class Worths:
    estimates: list[Estimate]
    pull: float
    """Towards zero, as a multiple of what a worth of its full size adds in one pair of forecasts, squared."""


def fit_items(games: Sequence[Game], config: ExpertConfig) -> Worths:
    """Worths of everything that has one; ``config`` says how soon they come."""
    formula = Formula(config)
    pairs = [game_pairs(game, formula) for game in games]
    grams, sides, seen = np.zeros((_FOLDS, _WIDTH, _WIDTH)), np.zeros((_FOLDS, _WIDTH)), np.zeros(_WIDTH, dtype=int)
    for number, entry in enumerate(pairs):
        columns = entry.columns()
        grams[number % _FOLDS] += columns.T @ columns
        sides[number % _FOLDS] += columns.T @ entry.growth
        seen += columns.any(axis=0)
    pull = min(_PULLS, key=lambda candidate: _missed(grams, sides, candidate))
    flat = np.linalg.inv(grams.sum(axis=0) + _ridge(pull))
    worths = flat @ sides.sum(axis=0)
    variance = _variances(pairs, worths, flat, grams.sum(axis=0), pull)
    share = 1 - pull * np.diag(flat)
    present = constants(config)
    return Worths(
        [
            Estimate(
                name,
                float(worths[column]),
                present.get(name, 0.0),
                float(np.sqrt(variance[column])),
                float(share[column]),
                int(seen[column]),
            )
            for name, column in _COLUMN.items()
        ],
        pull,
    )


def game_pairs(game: Game, formula: Formula) -> Pairs:
    """As far as forecasts reach; far pairs weigh less, for scores drift."""
    starts = [(line.place, number + 1, "") for number, line in enumerate(game.blinds)]
    starts += [(line.place, line.entered, line.tag) for line in game.skips]
    rows = formula.rows([place.position for place, _, _ in starts])
    slopes = dict(
        zip(zip(rows.position.tolist(), rows.ahead.tolist(), strict=True), rows.slopes(*GROWTH, "unseen"), strict=True)
    )
    found: list[tuple[Floats, float, tuple[int, ...]]] = []
    for number, (place, entered, tag) in enumerate(starts):
        owned = tuple(_COLUMN[name] for name in _owned(place, tag))
        for ahead, line in game.followers(place, entered):
            if 1 <= ahead < len(place.position.rounds) and line.place.position.rounds:
                growth = line.place.position.rounds[0].log_score - place.position.rounds[ahead].log_score
                found.append((slopes[number, ahead] / ahead**0.5, growth / ahead**0.5, owned))
    return Pairs(
        np.array([slope for slope, _, _ in found]).reshape(-1, len(GROWTH) + 1),
        np.array([growth for _, growth, _ in found]),
        tuple(owned for _, _, owned in found),
    )


def _owned(place: Place, tag: str) -> Iterator[str]:
    yield from (f"unseen.jokers.{key}" for key in place.jokers)
    yield from (f"unseen.vouchers.{key}" for key in place.vouchers)
    if tag:
        yield f"unseen.tags.{tag}"


def _ridge(pull: float) -> Floats:
    """On worths only: nobody says that builds do not grow."""
    return np.diag([_FIRM] * len(GROWTH) + [pull] * len(ITEMS))


def _missed(grams: Floats, sides: Floats, pull: float) -> float:
    """What worths from the other games leave unexplained in each fold, but for what no worths explain."""
    missed = 0.0
    for gram, side in zip(grams, sides, strict=True):
        worths = np.linalg.solve(grams.sum(axis=0) - gram + _ridge(pull), sides.sum(axis=0) - side)
        missed += float(worths @ gram @ worths - 2 * worths @ side)
    return missed


def _variances(pairs: Sequence[Pairs], worths: Floats, flat: Floats, gram: Floats, pull: float) -> Floats:
    """``[K]``: of the worths, games counting as wholes."""
    noise = np.zeros((_WIDTH, _WIDTH))
    for entry in pairs:
        columns = entry.columns()
        score = columns.T @ (entry.growth - columns @ worths)
        noise += np.outer(score, score)
    # How much more the pairs of a game vary together than one would alone: by this, the pull is a variance.
    together = float(np.trace(flat @ noise)) / max(float(np.trace(flat @ gram)), _FIRM)
    variance: Floats = np.diag(flat @ (noise + together * _ridge(pull)) @ flat)
    return variance
