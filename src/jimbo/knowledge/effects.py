"""What two jokers do together beyond what each does alone, estimated from games, with intervals; and the naive way.

Two answers are added. Trials compare the same position with and without each joker, as the learnt value sees it. What
became of the games then corrects the value: a regression of their ends, with the value's opinion of each moment as its
starting point, says where runs that hold both did better or worse than it thought. Such a correction is drawn towards
zero as far as the games are few. Everything is in log odds of winning.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jimbo.eval.statistics import Z95
from jimbo.knowledge.moments import Moments

Array = NDArray[Any]
FEWEST_GAMES = 20
"""Games in which both were held, from which outcomes and the naive formula say anything of a pair."""
FEWEST_TRIALS = 12
SURE = 3.0
"""Standard errors by which an effect must differ from nothing: of 11,175 pairs some look good by luck."""
_STEPS, _INNER = 12, 60
_CLOSE = 1e-7
_PRIOR = 1.0
"""Ridge of single jokers: a standard deviation of 1 in log odds is expected."""
_ROUNDS = 2
_LEAST_SPREAD = 0.01


@dataclass(frozen=True, slots=True)
class Effect:
    """An estimate in log odds."""

    mean: float
    error: float
    """Its standard error."""

    @property
    def low(self) -> float:
        return self.mean - Z95 * self.error

    @property
    def high(self) -> float:
        return self.mean + Z95 * self.error

    @property
    def doubtful(self) -> bool:
        """Whether it may well be nothing."""
        return abs(self.mean) < SURE * self.error

    @property
    def confidence(self) -> float:
        """How sure its sign is: from 0.5, a coin, to 1."""
        if self.error == 0:
            return 1.0
        return 0.5 * (1 + math.erf(abs(self.mean) / self.error / math.sqrt(2)))

    def less(self, number: float) -> Effect:
        return Effect(self.mean - number, self.error)

    def __add__(self, other: Effect) -> Effect:
        """The sum of independent estimates."""
        return Effect(self.mean + other.mean, math.hypot(self.error, other.error))


NOTHING = Effect(0.0, 0.0)


def strength_of(effect: float) -> float:
    """How much stronger the pair is than its parts, from 0 to 1: the odds of winning doubled, or more, is 1."""
    return min(max(effect / math.log(2), 0.0), 1.0)


class PairKey(NamedTuple):
    first: int
    second: int


def means(gains: Mapping[Any, Sequence[float]]) -> dict[Any, Effect]:
    """The mean of the trials of each thing; each trial is of another game, so they are independent."""
    found = {}
    for key, values in gains.items():
        if len(values) >= FEWEST_TRIALS:
            found[key] = Effect(float(np.mean(values)), float(np.std(values, ddof=1)) / math.sqrt(len(values)))
    return found


# --- What became of the games -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameOutcomes:
    """Corrections by the ends of games."""

    pairs: Mapping[PairKey, Effect]
    """Drawn towards zero; only pairs that were held in enough games."""
    games: Mapping[PairKey, int]
    """Games in which both were held at some moment, for every pair that was."""
    won: Mapping[PairKey, int]
    """Those of them that were won."""
    spread: float
    """The standard deviation that corrections are found to have, beyond chance."""


def corrections(moments: Moments, jokers: int) -> GameOutcomes:
    """By a logistic regression of games won, from the value's opinion of each moment.

    It has terms for each blind, for money, for what each joker adds, and for each pair that enough games held. Moments
    of one game have one end, so each counts as its share of its game, and errors are those of whole games.
    """
    rows, first, second = _pairs(moments.held, jokers)
    keys = first * jokers + second
    per_game = np.unique(np.stack([moments.game[rows], keys]), axis=1)
    found, at, games = np.unique(per_game[1], return_inverse=True, return_counts=True)
    won = np.bincount(at, moments.won[per_game[0]], minlength=len(found)).astype(np.int64)
    names = [PairKey(int(key) // jokers, int(key) % jokers) for key in found]
    counted = dict(zip(names, games.tolist(), strict=True))
    wins = dict(zip(names, won.tolist(), strict=True))
    enough = found[games >= FEWEST_GAMES]
    if not len(enough):
        return GameOutcomes({}, counted, wins, 0.0)
    kept = np.isin(keys, enough)
    place = np.searchsorted(enough, keys[kept])
    design = _design(moments, jokers, rows[kept], place, len(enough))
    spread = 0.3
    for _ in range(_ROUNDS + 1):
        raw, error = _fit(moments, design, len(enough), spread)
        # Method of moments: what estimates vary by beyond their own errors is the spread of the truth.
        shrink = spread**2 / (spread**2 + error**2)
        spread = max(_LEAST_SPREAD, math.sqrt(max(float(np.average(raw**2 - error**2, weights=1 / error**2)), 0.0)))
    shrink = spread**2 / (spread**2 + error**2)
    effects = {
        PairKey(int(key) // jokers, int(key) % jokers): Effect(float(mean * by), float(spread * math.sqrt(1 - by)))
        for key, mean, by in zip(enough, raw, shrink, strict=True)
    }
    return GameOutcomes(effects, counted, wins, spread)


def _pairs(held: Array, jokers: int) -> tuple[Array, Array, Array]:
    """The moment, the first and the second joker of all pairs that moments hold; the first has the lower number."""
    rows, first, second = [], [], []
    own = [items[items < jokers] for items in held]
    counts = np.array([len(items) for items in own])
    for count in np.unique(counts[counts > 1]):
        which = np.flatnonzero(counts == count)
        table = np.stack([own[i] for i in which])
        a, b = np.triu_indices(count, 1)
        rows.append(np.repeat(which, len(a)))
        first.append(table[:, a].reshape(-1))
        second.append(table[:, b].reshape(-1))
    if not rows:
        return (np.zeros(0, np.int64),) * 3
    return tuple(np.concatenate(parts).astype(np.int64) for parts in (rows, first, second))  # type: ignore[return-value]


class _Design(NamedTuple):
    """A sparse table: the columns of blinds, money, jokers and pairs, in that order."""

    row: Array
    column: Array
    value: Array
    columns: int
    first_pair: int


def _design(moments: Moments, jokers: int, rows: Array, places: Array, pairs: int) -> _Design:
    count = len(moments.blind)
    blinds = int(moments.blind.max(initial=0)) + 1
    sizes = np.array([len(items) for items in moments.held])
    owned = np.concatenate(list(moments.held)) if count else np.zeros(0, np.int64)
    owners = np.repeat(np.arange(count), sizes)
    is_joker = owned < jokers
    money = np.sign(moments.dollars) * np.log1p(np.abs(moments.dollars)) / 3
    first_joker = blinds + 2
    first_pair = first_joker + jokers
    everything = np.arange(count)
    row = np.concatenate([everything, everything, everything, owners[is_joker], rows])
    column = np.concatenate(
        [
            moments.blind,
            np.full(count, blinds),
            np.full(count, blinds + 1),
            first_joker + owned[is_joker],
            first_pair + places,
        ]
    )
    value = np.ones(len(row))
    value[count : 2 * count] = money
    value[2 * count : 3 * count] = moments.value / 3  # the value may be too sure of itself, or not sure enough
    return _Design(row, column.astype(np.int64), value, first_pair + pairs, first_pair)


def _fit(moments: Moments, design: _Design, pairs: int, spread: float) -> tuple[Array, Array]:
    """Estimates of the pairs as if nothing drew them to zero, and their errors, clustered by game."""
    count = len(moments.blind)
    weight = 1.0 / np.bincount(moments.game, minlength=len(moments.won))[moments.game]
    end = moments.won[moments.game].astype(np.float64)
    ridge = np.full(design.columns, 1 / _PRIOR**2)
    ridge[: moments.blind.max() + 3] = 1e-3
    ridge[design.first_pair :] = 1 / spread**2

    def times(b: Array) -> Array:
        return np.bincount(design.row, design.value * b[design.column], minlength=count)

    def back(r: Array) -> Array:
        return np.bincount(design.column, design.value * r[design.row], minlength=design.columns)

    beta = np.zeros(design.columns)
    for _ in range(_STEPS):
        chance = _chance(moments.value + times(beta))
        slope = weight * chance * (1 - chance)
        gradient = back(weight * (end - chance)) - ridge * beta
        product = partial(_curvature, times, back, slope, ridge)
        step = _solved(product, gradient, _squares(design, slope) + ridge)
        beta += step
        if np.abs(step).max() < 1e-4:
            break
    chance = _chance(moments.value + times(beta))
    slope, residual = weight * chance * (1 - chance), weight * (end - chance)
    information = _squares(design, slope)[design.first_pair :]
    is_pair = design.column >= design.first_pair
    column, row = design.column[is_pair] - design.first_pair, design.row[is_pair]
    of_game, at = np.unique(column * len(moments.won) + moments.game[row], return_inverse=True)
    observed = np.bincount(at, residual[row]) ** 2
    expected = np.bincount(at, slope[row]) * np.bincount(at, weight[row])
    variances = (np.bincount(of_game // len(moments.won), of, minlength=pairs) for of in (observed, expected))
    error = np.sqrt(np.maximum(*variances)) / information
    # Without its ridge the estimate would stand where the gradient of the data alone is zero: one step from here.
    raw = beta[design.first_pair :] * (1 + ridge[design.first_pair :] / information)
    return raw, error


def _curvature(times: Any, back: Any, slope: Array, ridge: Array, x: Array) -> Array:
    return np.asarray(back(slope * times(x)) + ridge * x)


def _squares(design: _Design, slope: Array) -> Array:
    return np.bincount(design.column, design.value**2 * slope[design.row], minlength=design.columns)


def _chance(log_odds: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-np.clip(log_odds, -30, 30))))


def _solved(product: Any, right: Array, diagonal: Array) -> Array:
    """The solution of a positive system, by conjugate gradients with its diagonal as preconditioner."""
    x = np.zeros_like(right)
    rest = right.copy()
    z = rest / diagonal
    direction, size = z.copy(), float(rest @ z)
    start = size
    for _ in range(_INNER):
        if size <= _CLOSE * start or size == 0:
            break
        ahead = product(direction)
        far = size / float(direction @ ahead)
        x += far * direction
        rest -= far * ahead
        z = rest / diagonal
        size, before = float(rest @ z), size
        direction = z + size / before * direction
    return x


# --- The naive way ----------------------------------------------------------------------------------------------------


class Naive(NamedTuple):
    """The formula of tier lists: how much more games score in which both are held, against games with one of them."""

    strength: float
    """0 to 1."""
    kind: str
    confidence: float
    games: int


def naive_kind(strength: float) -> str:
    return "multiplicative" if strength > 0.5 else "additive" if strength > 0.2 else "complementary"


def naive_strengths(moments: Moments, jokers: int) -> dict[PairKey, Naive]:
    """Return the strength of each pair that enough games held at some time; nothing is adjusted for."""
    own = [items[items < jokers] for items in moments.used]
    held = np.zeros((len(own), jokers))
    for row, items in enumerate(own):
        held[row, items] = 1
    games, score = held.T @ held, (held * moments.score[:, None]).T @ held
    alone_games = np.diag(games)[:, None] - games  # [i, j]: with i, without j
    alone_score = np.diag(score)[:, None] - score
    found = {}
    for a, b in zip(*np.nonzero(np.triu(games >= FEWEST_GAMES, 1)), strict=True):
        if alone_games[a, b] < 1 or alone_games[b, a] < 1:
            continue
        solo = (alone_score[a, b] / alone_games[a, b] + alone_score[b, a] / alone_games[b, a]) / 2
        count = int(games[a, b])
        strength = min(max((score[a, b] / count - solo) / solo, 0.0), 1.0) if solo > 0 else 0.0
        key = PairKey(int(a), int(b))
        found[key] = Naive(strength, naive_kind(strength), count / (count + FEWEST_GAMES), count)
    return found
