"""What numbers of runs say, and how certain it is: intervals and paired comparisons. A row of N numbers is ``[N]``.

Two agents are compared by score tests: the spread is computed as it would be if the difference in question were the
true one. The p-value asks about a difference of 0, and the interval holds every difference that the same test does not
reject at 5 %, so the interval leaves out 0 exactly when p < 0.05. For wins these are McNemar's test (uncorrected)
and the interval of Tango (Statistics in Medicine 17, 1998), which Fagerland, Lydersen and Laake recommend for paired
shares (Statistics in Medicine 33, 2014). For antes, rounds and blinds the spread is that of the differences themselves;
the result lies close to Student's paired t and is a little more careful.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from jimbo.eval.rows import Episode

Z95 = 1.959963984540054
Interval = tuple[float, float]
_RESAMPLES = 10_000
_CHUNK = 2_000_000
_BOOTSTRAP_SEED = 7
_HALVINGS = 60


def wilson(successes: int, trials: int, z: float = Z95) -> Interval:
    """Wilson's score interval of a share; without trials everything is possible."""
    if trials == 0:
        return 0.0, 1.0
    share, spread = successes / trials, z * z / trials
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(share * (1 - share) / trials + spread / (4 * trials))
    # At the ends the interval touches 0 or 1 exactly.
    return (0.0 if successes == 0 else middle - half), (1.0 if successes == trials else middle + half)


def bootstrap_mean(values: Sequence[float], resamples: int = _RESAMPLES) -> Interval:
    """The 95 % percentile interval of the mean of ``[N]`` values; the same every time."""
    data = np.asarray(values, dtype=float)
    if data.size == 0:
        return math.nan, math.nan
    random = np.random.default_rng(_BOOTSTRAP_SEED)
    at_once = max(1, _CHUNK // data.size)
    means = [
        data[random.integers(data.size, size=(min(at_once, resamples - first), data.size))].mean(axis=1)
        for first in range(0, resamples, at_once)
    ]
    low, high = np.quantile(np.concatenate(means), (0.025, 0.975))
    return float(low), float(high)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The difference of a number between two agents on the same seeds, first minus second."""

    mean: float
    ci95: Interval | None
    """None where there are too few seeds for one."""
    better: int
    """Seeds on which the first has more."""
    worse: int
    equal: int
    p: float
    """Two-sided; below 0.05 exactly when the interval leaves out 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """Two agents on the same seeds."""

    games: int
    wins: Difference
    antes: Difference
    """Antes reached, at most 8."""
    rounds: Difference
    blinds: Difference
    """Blinds that lie behind the run, beaten or skipped; unlike rounds, skipping does not lower it."""

    @property
    def gaps(self) -> dict[str, Difference]:
        """All of them by their names."""
        return {"wins": self.wins, "antes": self.antes, "rounds": self.rounds, "blinds": self.blinds}

    def __repr__(self) -> str:
        gaps = ", ".join(f"{name} {gap.mean:+.3f}" for name, gap in self.gaps.items())
        return f"<Paired on {self.games} seeds: {gaps}>"


def difference(first: Sequence[float], second: Sequence[float]) -> Difference:
    """The difference of two rows ``[N]`` of numbers, seed by seed."""
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    return _difference(gaps, mean_interval(gaps))


def share_difference(first: Sequence[bool], second: Sequence[bool]) -> Difference:
    """The difference of two rows ``[N]`` of yes and no, seed by seed."""
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    return _difference(gaps, tango_interval(gaps.count(1), gaps.count(-1), len(gaps)))


def _difference(gaps: Sequence[float], interval: Interval | None) -> Difference:
    better, worse = sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps)
    return Difference(
        mean=sum(gaps) / len(gaps),
        ci95=interval,
        better=better,
        worse=worse,
        equal=len(gaps) - better - worse,
        p=no_difference_p(gaps),
    )


def no_difference_p(gaps: Sequence[float]) -> float:
    """p of the score test for a mean of 0; for gaps of -1, 0 and 1 this is McNemar's."""
    squares = sum(gap * gap for gap in gaps)
    return math.erfc(abs(sum(gaps)) / math.sqrt(2 * squares)) if squares else 1.0


def mean_interval(gaps: Sequence[float]) -> Interval | None:
    """The means that the score test does not reject; with three gaps or fewer it rejects none."""
    size = len(gaps)
    if size <= Z95**2:
        return None
    mean = sum(gaps) / size
    variance = sum((gap - mean) ** 2 for gap in gaps) / size
    half = Z95 * math.sqrt(variance / (size - Z95**2))
    return mean - half, mean + half


def tango_interval(better: int, worse: int, trials: int) -> Interval:
    """The differences of two paired shares that the score test does not reject."""
    mean = (better - worse) / trials
    low = _last(lambda gap: _tango_score(better, worse, trials, gap) > Z95, -1.0, mean)
    high = _last(lambda gap: _tango_score(better, worse, trials, gap) >= -Z95, mean, 1.0)
    return low, high


def _tango_score(better: int, worse: int, trials: int, gap: float) -> float:
    """How many standard errors the counts lie above a supposed difference; it falls as that grows."""
    excess = better - worse - trials * gap
    # The likeliest share of the seeds on which only the second wins, if the difference is this one: a quadratic's root.
    middle = better + worse - (2 * trials - better + worse) * gap
    share = (middle + math.sqrt(middle**2 + 8 * trials * worse * gap * (1 - gap))) / (4 * trials)
    variance = trials * (2 * share + gap * (1 - gap))
    if variance > 0:
        return excess / math.sqrt(variance)
    return math.copysign(math.inf, excess) if excess else 0.0


def excess_p(more: int, fewer: int, trials: int, gap: float) -> float:
    """One-sided p for a difference of two paired shares that is at most ``gap``: small where it is larger."""
    return math.erfc(_tango_score(more, fewer, trials, gap) / math.sqrt(2)) / 2


def _last(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Where a condition that holds at first ceases to."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return high


def compare(first: Sequence[Episode], second: Sequence[Episode]) -> Paired:
    """Compare two agents on the seeds that both have played; ValueError if there is none."""
    others = {(row.episode_id, row.seed): row for row in second}
    pairs = [(row, others[key]) for row in first if (key := (row.episode_id, row.seed)) in others]
    if not pairs:
        raise ValueError("The two have no seeds in common.")
    ours, theirs = zip(*pairs, strict=True)
    return Paired(
        games=len(pairs),
        wins=share_difference([row.won for row in ours], [row.won for row in theirs]),
        antes=difference([row.ante_reached for row in ours], [row.ante_reached for row in theirs]),
        rounds=difference([row.round for row in ours], [row.round for row in theirs]),
        blinds=difference([row.blinds_passed for row in ours], [row.blinds_passed for row in theirs]),
    )
