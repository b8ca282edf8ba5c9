"""How fast a training is and how much memory it takes, from what its watcher is told."""

from __future__ import annotations

from pathlib import Path

from jimbo.pace import Pace
from jimbo.train.core.watching import Watcher

_UNITS = frozenset({"games", "decisions", "steps"})
"""Units of progress that are worth a rate."""


class TrainingPace(Watcher):
    """Notes games, steps and samples beside a training."""

    def __init__(self, path: Path) -> None:
        self._pace = Pace(path)
        self._pace.__enter__()
        self._reached: dict[tuple[str, int], int] = {}

    def progress(self, phase: str, done: int, total: int, unit: str = "", note: str = "") -> None:
        place = (phase, total)
        more = done - self._reached.get(place, done)
        self._reached[place] = done
        self._pace.add(**({unit: more} if unit in _UNITS and more > 0 else {}))

    def count(self, **more: int) -> None:
        self._pace.add(**more)

    def close(self) -> None:
        self._pace.__exit__()
