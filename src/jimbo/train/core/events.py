"""Trainings as events, for an aggregator."""

from __future__ import annotations

import time

from jimbo.telemetry.events import TrainingNote, TrainingProgress, TrainingRow
from jimbo.telemetry.sender import Teller
from jimbo.train.core.watching import Row, Watcher

EVERY = 1.0
"""Seconds between two events about how far a phase is."""


class TrainingEvents(Watcher):
    """Tells a source of events about a training."""

    def __init__(self, source: Teller) -> None:
        self._source = source
        self._place, self._next = ("", False), 0.0

    def progress(self, phase: str, done: int, total: int, unit: str = "", note: str = "") -> None:
        now, place = time.monotonic(), (phase, done >= total)
        if place == self._place and now < self._next:
            return
        self._place, self._next = place, now + EVERY
        self._source.tell(TrainingProgress(phase=phase, done=done, total=total, unit=unit or None, note=note or None))

    def say(self, sentence: str) -> None:
        self._source.tell(TrainingNote(text=sentence))

    def row(self, row: Row, best: bool) -> None:
        self._source.tell(TrainingRow(row=row, best=best))
