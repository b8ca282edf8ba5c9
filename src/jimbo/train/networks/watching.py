"""How far a training is, and who is told of it. Nothing here needs torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Progress:
    """What has been done."""

    epoch: int = 0
    """Epochs that are over."""
    step: int = 0
    best: float = float("inf")
    """The lowest cross-entropy on the decisions that are kept for judging."""
    best_epoch: int = 0
    history: tuple[Mapping[str, Any], ...] = ()
    """For each epoch: its number, the losses while learning, and how it was judged."""


class Watcher:
    """Is told how a training goes; a progress bar, curves. Each overrides what it wants to know."""

    def reading(self, paths: Sequence[Path]) -> None:
        """Recorded games are being read."""

    def began(self, progress: Progress, steps: int) -> None:
        """Before the first step; ``progress.step`` of the steps are done already."""

    def stepped(self, loss: float) -> None: ...

    def epoch_ended(self, progress: Progress) -> None: ...

    def exporting(self) -> None:
        """The networks become ONNX files."""

    def round_began(self, number: int, rounds: int) -> None:
        """Of DAgger; round 0 is the training on the teacher's own games."""

    def collected(self, games: int, of: int) -> None:
        """Games that a student has played in this round of DAgger."""

    def asked(self, decisions: int, of: int) -> None:
        """Decisions that the teachers of a distillation have looked at."""
