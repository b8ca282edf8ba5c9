"""How far a training is, and who sees it. Nothing here needs torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]
"""One line of a history: its number, what was measured, and mappings of more numbers."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What a training has done."""

    done: int = 0
    """Epochs, updates or generations that are over."""
    best: tuple[float, ...] = ()
    """The highest score of a row so far."""
    best_at: int = 0
    """Number of that row."""
    seconds: float = 0.0
    """Time that the method has counted."""
    history: tuple[Row, ...] = ()

    @property
    def best_row(self) -> Row:
        return self.history[self.best_at - self.done - 1]


class Watcher:
    """Sees a training: a bar, a log. Each overrides what it wants to know."""

    def progress(self, phase: str, done: int, total: int, unit: str = "", note: str = "") -> None:
        """Work within a phase ("learning"): ``done`` of ``total`` units. ``note`` says more about now."""

    def say(self, sentence: str) -> None:
        """A line that stays: an epoch is over, a training is resumed."""

    def row(self, row: Row, best: bool) -> None:
        """A row of the history; everything up to it is on disk."""

    def close(self) -> None:
        """Nothing more will come."""


class Watchers(Watcher):
    """Several at once."""

    def __init__(self, *watchers: Watcher) -> None:
        self._watchers = watchers

    def progress(self, phase: str, done: int, total: int, unit: str = "", note: str = "") -> None:
        for watcher in self._watchers:
            watcher.progress(phase, done, total, unit, note)

    def say(self, sentence: str) -> None:
        for watcher in self._watchers:
            watcher.say(sentence)

    def row(self, row: Row, best: bool) -> None:
        for watcher in self._watchers:
            watcher.row(row, best)

    def close(self) -> None:
        for watcher in self._watchers:
            watcher.close()


class WithTitle(Watcher):
    """Passes on to another watcher, with a title before every phase and line: one of several rounds."""

    def __init__(self, title: str, watcher: Watcher) -> None:
        self._title, self._watcher = title, watcher

    def progress(self, phase: str, done: int, total: int, unit: str = "", note: str = "") -> None:
        self._watcher.progress(f"{self._title}: {phase}", done, total, unit, note)

    def say(self, sentence: str) -> None:
        self._watcher.say(f"{self._title}: {sentence}")

    def row(self, row: Row, best: bool) -> None:
        self._watcher.row(row, best)

    def close(self) -> None:
        self._watcher.close()
