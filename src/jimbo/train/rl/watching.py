"""How far a training by play is, and who is told of it. Nothing here needs torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jimbo.train.rl.settings import RlSettings


@dataclass(frozen=True, slots=True)
class RlProgress:
    """What has been done."""

    update: int = 0
    """Updates that are over."""
    games: int = 0
    """Played to their end, or cut off."""
    illegal: int = 0
    """Actions that the engine refused; always 0."""
    best: tuple[float, ...] = ()
    """Antes cleared and blinds beaten on average by the best network so far."""
    best_update: int = 0
    history: tuple[Mapping[str, Any], ...] = ()
    """For each update its number, the decisions so far, what was lost and how its games went; ``judged`` where the
    network was judged. Row 0 is the start, judged alone."""


class RlWatcher:
    """Is told how a training goes; each overrides what it wants to know."""

    def began(self, progress: RlProgress, settings: RlSettings) -> None:
        """Before the first update."""

    def judging(self) -> None:
        """The network plays the games by which it is judged."""

    def updated(self, progress: RlProgress) -> None: ...

    def exporting(self) -> None:
        """The last network becomes an ONNX file."""


class RlWatchers(RlWatcher):
    """Several at once."""

    def __init__(self, *watchers: RlWatcher) -> None:
        self._watchers = watchers

    def began(self, progress: RlProgress, settings: RlSettings) -> None:
        for watcher in self._watchers:
            watcher.began(progress, settings)

    def judging(self) -> None:
        for watcher in self._watchers:
            watcher.judging()

    def updated(self, progress: RlProgress) -> None:
        for watcher in self._watchers:
            watcher.updated(progress)

    def exporting(self) -> None:
        for watcher in self._watchers:
            watcher.exporting()
