"""What numbers of runs say, and how surely: intervals and paired comparisons. Shapes: a row of N numbers is ``[N]``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jimbo.eval.rows import Episode

Z95 = 1.959963984540054
Interval = tuple[float, float]
_RESAMPLES = 10_000
_CHUNK = 2_000_000
_BOOTSTRAP_SEED = 7


def wilson(successes: int, trials: int, z: float = Z95) -> Interval:
    """Wilson's score interval of a share; everything is possible without trials."""
    if trials == 0:
        return 0.0, 1.0
    share, spread = successes / trials, z * z / trials
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(share * (1 - share) / trials + spread / (4 * trials))
    # At the ends the interval touches 0 or 1 exactly.
    return (0.0 if successes == 0 else middle - half), (1.0 if successes == trials else middle + half)


def even_odds_p(first: int, second: int) -> float:
    """How likely a split at least this uneven is if both sides are equally likely (exact, two-sided)."""
    trials = first + second
    tail, ways = 0, 1
    for k in range(min(first, second) + 1):
        tail += ways
        ways = ways * (trials - k) // (k + 1)
    return float(min(1.0, 2 * tail / (1 << trials)))


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
    """Of a number between two agents on the same seeds, first less second."""

    mean: float
    ci95: Interval
    better: int
    """Seeds on which the first has more."""
    worse: int
    equal: int
    p: float
    """Of the sign test; of McNemar's exact test where the number is 0 or 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """Two agents on the same seeds."""

    games: int
    wins: Difference
    rounds: Difference
    blinds: Difference
    """Blinds that lie behind the run, beaten or skipped; skipping does not lower it as it lowers the rounds."""

    def __repr__(self) -> str:
        gaps = ", ".join(f"{name} {getattr(self, name).mean:+.3f}" for name in ("wins", "rounds", "blinds"))
        return f"<Paired on {self.games} seeds: {gaps}>"


def difference(first: Sequence[float], second: Sequence[float]) -> Difference:
    """Of two rows ``[N]``, seed by seed."""
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    better, worse = sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps)
    return Difference(
        mean=sum(gaps) / len(gaps) if gaps else math.nan,
        ci95=bootstrap_mean(gaps),
        better=better,
        worse=worse,
        equal=len(gaps) - better - worse,
        p=even_odds_p(better, worse),
    )


def compare(first: Sequence[Episode], second: Sequence[Episode]) -> Paired:
    """Over the seeds that both have played; ValueError if there is none."""
    others = {(row.episode_id, row.seed): row for row in second}
    pairs = [(row, others[key]) for row in first if (key := (row.episode_id, row.seed)) in others]
    if not pairs:
        raise ValueError("The two have no seed in common.")
    ours, theirs = zip(*pairs, strict=True)
    return Paired(
        games=len(pairs),
        wins=difference([row.won for row in ours], [row.won for row in theirs]),
        rounds=difference([row.round for row in ours], [row.round for row in theirs]),
        blinds=difference([row.blinds_passed for row in ours], [row.blinds_passed for row in theirs]),
    )
