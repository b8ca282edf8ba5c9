"""How far a training is, and who sees it. Nothing here needs torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rich.progress import TaskID

from jimbo.console import make_console, make_progress

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

    def count(self, **more: int) -> None:
        """Work that no progress tells: samples that were learnt from, games that were played."""

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

    def count(self, **more: int) -> None:
        for watcher in self._watchers:
            watcher.count(**more)

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

    def count(self, **more: int) -> None:
        self._watcher.count(**more)

    def say(self, sentence: str) -> None:
        self._watcher.say(f"{self._title}: {sentence}")

    def row(self, row: Row, best: bool) -> None:
        self._watcher.row(row, best)

    def close(self) -> None:
        self._watcher.close()


class TrainingBar(Watcher):
    """A bar on the error stream for what is being done; lines that stay."""

    def __init__(self) -> None:
        self._console = make_console(stderr=True)
        told = "{task.completed:,.0f} of {task.total:,.0f} {task.fields[unit]}  {task.fields[note]}"
        self._bars = make_progress(self._console, told, bar_width=20)
        self._task: TaskID | None = None
        self._kind: tuple[str, int] = ("", 0)
        self._done = 0

    def progress(self, phase: str, done: int, total: int, unit: str = "", note: str = "") -> None:
        self._bars.start()
        if self._task is None or self._kind != (unit, total) or done < self._done:
            if self._task is not None:
                self._bars.remove_task(self._task)
            self._task = self._bars.add_task(phase, total=total, completed=done, unit=unit, note=note)
        self._kind, self._done = (unit, total), done
        self._bars.update(self._task, description=phase, completed=done, note=note)

    def say(self, sentence: str) -> None:
        self._console.print(sentence, highlight=False, markup=False, soft_wrap=True)

    def close(self) -> None:
        self._bars.stop()
