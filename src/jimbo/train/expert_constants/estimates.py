"""What a fit says of a constant, and how much of it the games say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

MIN_SHARE = 0.5
"""A constant is fitted if at least this share of what is known of it comes from the games."""
MIN_GAMES = 20
"""And, where it is about one thing, if it was seen in at least this many games."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Of one constant."""

    name: str
    value: float
    before: float
    error: float
    """Standard error, with what was assumed beforehand; games count as wholes, however many lines they have."""
    share: float
    """Of the games in it, the rest being what was assumed beforehand: 1 less the ratio of the variances."""
    games: int
    """In which there was something to see."""

    @property
    def fitted(self) -> bool:
        """Or else the constant stays as it was."""
        return self.share >= MIN_SHARE and self.games >= MIN_GAMES


def fitted_values(estimates: Iterable[Estimate]) -> dict[str, float]:
    return {estimate.name: estimate.value for estimate in estimates if estimate.fitted}
