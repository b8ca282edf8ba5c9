"""How far the training of a value is, and who is told of it. Nothing here needs torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ValueProgress:
    """What has been done."""

    generation: int = 0
    """Generations that are over."""
    games: int = 0
    """That were learnt from."""
    seconds: float = 0.0
    best: tuple[float, ...] = ()
    """Share of games won and mean round of the best value so far, on the seeds for judging."""
    best_generation: int = 0
    history: tuple[Mapping[str, Any], ...] = ()
    """For each generation its number, all games so far, how they went, what was lost, how it was judged."""


class ValueWatcher:
    """Is told how a training goes; each overrides what it wants to know."""

    def began(self, progress: ValueProgress, generations: int) -> None: ...

    def playing(self, games: int, of: int) -> None: ...

    def learning(self, steps: int, of: int) -> None: ...

    def judging(self, games: int, of: int) -> None: ...

    def ended(self, progress: ValueProgress) -> None:
        """A generation is over, and everything is kept."""
