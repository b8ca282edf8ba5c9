"""When enough games have been played: tests on pairs of games, one of each agent on the same seed.

A pair says something where only one of the two won. The gate asks whether the challenger wins H0 points more or H1
points more: a sequential probability ratio test, whose likelihoods are the largest that the difference in question
allows, so that nothing need be known of how often the two differ. The watch of a canary never ends, so it needs a test
that holds however often it is looked at: a wealth that grows by betting on "worse by more than the margin". Whoever
bets against the truth multiplies it by 1/alpha with a chance of at most alpha (Ville).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Outcome = Literal["h0", "h1", "open"]

_SMALLEST = 1e-300
_STAKES = np.array([0.01, 0.02, 0.04, 0.07, 0.12, 0.2, 0.32, 0.5])
"""Shares of the wealth that are staked, side by side: small ones find small differences, large ones find soon."""
_HALVINGS = 40


@dataclass(frozen=True, slots=True)
class Tally:
    """Pairs of games by who won them."""

    both: int = 0
    better: int = 0
    """Only the challenger."""
    worse: int = 0
    """Only the champion."""
    neither: int = 0

    @property
    def pairs(self) -> int:
        return self.both + self.better + self.worse + self.neither

    @property
    def points(self) -> float:
        """How many more of 100 games the challenger won."""
        return 100 * (self.better - self.worse) / self.pairs if self.pairs else 0.0

    @staticmethod
    def of(pairs: Sequence[tuple[bool, bool]]) -> Tally:
        """Pairs of whether the challenger won, and whether the champion did."""
        return Tally(
            both=sum(ours and theirs for ours, theirs in pairs),
            better=sum(ours and not theirs for ours, theirs in pairs),
            worse=sum(theirs and not ours for ours, theirs in pairs),
            neither=sum(not ours and not theirs for ours, theirs in pairs),
        )


# --- The gate ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """H0 against H1, both in points of difference; ``alpha`` and ``beta`` are the errors that are allowed."""

    h0: float
    h1: float
    alpha: float
    beta: float

    @property
    def bounds(self) -> tuple[float, float]:
        """Of the log-likelihood ratio; H0 is taken at the lower one, H1 at the upper one."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, tally: Tally) -> float:
        """The log-likelihood ratio of H1 to H0."""
        return float(log_ratios(np.array([tally.better]), np.array([tally.worse]), np.array([tally.pairs]), self)[0])

    def first_end(self, gaps: Array) -> tuple[int, Outcome]:
        """How many of the pairs ``[N]``, each 1, 0 or -1, the test needs, and what it takes; all if it stays open."""
        pairs = np.arange(1, len(gaps) + 1)
        ratios = log_ratios(np.cumsum(gaps == 1), np.cumsum(gaps == -1), pairs, self)
        low, high = self.bounds
        ended = np.flatnonzero((ratios <= low) | (ratios >= high))
        if not len(ended):
            return len(gaps), "open"
        first = int(ended[0])
        return first + 1, "h1" if ratios[first] >= high else "h0"

    def line(self, tally: Tally) -> str:
        """The state of the test as one line; behind the draws how many both won, and neither."""
        low, high = self.bounds
        return (
            f"LLR {self.ratio(tally):.2f} ({low:.2f}, {high:.2f}) [{self.h0:.2f}, {self.h1:.2f}] | "
            f"Pairs N: {tally.pairs} W: {tally.better} L: {tally.worse} D: {tally.both + tally.neither} "
            f"({tally.both}, {tally.neither})"
        )

    def fixed_pairs(self, discordant: float) -> int:
        """How many pairs a test of fixed size needs for the same errors; ``discordant``: the share that differ."""
        gap = (self.h1 - self.h0) / 100
        spread = _quantile(self.alpha) + _quantile(self.beta)
        return math.ceil(spread**2 * discordant / gap**2)


def log_ratios(better: Array, worse: Array, pairs: Array, test: SequentialTest) -> Array:
    """The log-likelihood ratios of H1 to H0 for counts ``[N]``."""
    return _log_likelihood(better, worse, pairs, test.h1 / 100) - _log_likelihood(better, worse, pairs, test.h0 / 100)


def _log_likelihood(better: Array, worse: Array, pairs: Array, gap: float) -> Array:
    """The largest one that shares of better and worse have which differ by ``gap``: the root of a quadratic."""
    middle = better + worse + gap * (2 * pairs + better - worse)
    root = np.sqrt(np.maximum(middle**2 - 8.0 * pairs * better * gap * (1 + gap), 0))
    more = np.clip((middle + root) / (4 * pairs), max(gap, 0), (1 + gap) / 2)
    return (
        _times_log(better, more)
        + _times_log(worse, more - gap)
        + _times_log(pairs - better - worse, 1 - 2 * more + gap)
    )


def _times_log(count: Array, share: Array) -> Array:
    product: Array = count * np.log(np.maximum(share, _SMALLEST))
    return product


def _quantile(tail: float) -> float:
    """The value that a standard normal number exceeds with a chance of ``tail``."""
    low, high = -10.0, 10.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if math.erfc(middle / math.sqrt(2)) / 2 > tail else (low, middle)
    return (low + high) / 2


# --- The watch --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Watch:
    """Whether an agent is worse than another by more than ``margin`` points; it may be asked after every pair."""

    margin: float
    alpha: float

    def evidence(self, better: int, worse: int, equal: int) -> float:
        """The wealth that began as 1. 1/alpha or more says that it is worse."""
        return math.exp(_log_wealth(better, worse, equal, self.margin / 100))

    def is_worse(self, better: int, worse: int, equal: int) -> bool:
        return _log_wealth(better, worse, equal, self.margin / 100) >= -math.log(self.alpha)

    def at_most(self, better: int, worse: int, equal: int) -> float:
        """Points: a difference that is not exceeded, at any time, but with the chance alpha."""
        low, high = -1.0, 1.0
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            excluded = _log_wealth(better, worse, equal, -middle) >= -math.log(self.alpha)
            low, high = (low, middle) if excluded else (middle, high)
        return 100 * high


def _log_wealth(better: int, worse: int, equal: int, margin: float) -> float:
    """The mean wealth over the stakes, each a share of what a bet on one pair can lose."""
    stakes = _STAKES / (1 + margin)
    grown = worse * np.log1p(stakes * (1 - margin)) + equal * np.log1p(-stakes * margin) + better * np.log1p(-_STAKES)
    top = float(grown.max())
    return top + math.log(float(np.exp(grown - top).mean()))
