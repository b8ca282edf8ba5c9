"""How fast a run goes and how much memory it takes: lines beside the run, written while it goes on.

A line counts what its writer has done since it began. Several may write to one file, as the parts of a loop do.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from typing import Any, Self

from jimbo.files import add_line, json_object
from jimbo.system import memory_mb

PACE = ".pace.jsonl"
"""The file in the folder of a run."""
_memory: tuple[float, float | None] = (0.0, None)
"""When the memory was looked up last, and what was found: one lookup serves all that is noted at the same time."""
_SHORTEST, _SLOWER = 2.0, 1 / 500
"""Seconds between two lines, and the share of the time since the start by which they grow: a run of a day has some
thousand lines."""
_TOO_SHORT = 0.5
"""Seconds that say nothing about a rate: from the last line but one to the end."""


def pace_file(file: Path) -> Path:
    """Where the pace of a run is noted whose result is one file."""
    return file.with_name(f".{file.name}.pace")


class Pace:
    """Counts work, and notes it now and then. A file that cannot be written is no reason to stop: nothing is noted.

    >>> with Pace(Path("runs/bc") / PACE) as pace:
    ...     pace.add(steps=1, samples=256)

    ``part`` names the writer where a run has several. Without a path nothing is noted.
    """

    def __init__(self, path: Path | None, part: str = "") -> None:
        self._path, self._part = path, part
        self._done: Counter[str] = Counter()
        self._file: FileIO | None = None
        self._began = self._from = self._next = 0.0
        self._noted = -1
        """How much was done by the last line."""

    def __enter__(self) -> Self:
        if self._path is not None:
            self._began, self._from = time.time(), time.monotonic()
            with suppress(OSError):
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._file = self._path.open("ab", buffering=0)
            self._note()
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            if self._done.total() != self._noted:
                self._note()
            with suppress(OSError):
                self._file.close()
            self._file = None

    def add(self, **more: int) -> None:
        """Count what was done; a line is written when it is time."""
        self._done.update(more)
        if self._file is not None and time.monotonic() >= self._next:
            self._note()

    def _note(self) -> None:
        if self._file is None:
            return
        now, self._noted = time.monotonic(), self._done.total()
        gone = now - self._from  # a clock that is set meanwhile changes nothing
        self._next = now + max(_SHORTEST, gone * _SLOWER)
        line: dict[str, Any] = {"part": self._part} if self._part else {}
        line |= {"began": round(self._began, 3), "at": round(self._began + gone, 3), "memory_mb": _memory_now()}
        with suppress(OSError):
            add_line(self._file, json.dumps({**line, "done": dict(self._done)}))


def _memory_now() -> float | None:
    global _memory
    now = time.monotonic()
    if not _memory[0] or now - _memory[0] >= _SHORTEST:
        _memory = (now, memory_mb(os.getpid()))
    return _memory[1]


# --- Read -------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class PaceRead:
    """What the lines of a run say."""

    rows: list[dict[str, float]] = field(default_factory=list)
    """``x``, the minutes that it was running, with ``games per hour``, ``steps per second``, ``memory (MB)``."""
    done: dict[str, float] = field(default_factory=dict)
    """What was done in all, and the ``seconds`` that it took."""


def read_pace(text: str) -> PaceRead:
    """Read the lines of a run; those that are none are left out."""
    found = PaceRead()
    lines = sorted(_lines(text), key=lambda line: line["at"])
    times = _running(lines)
    before: dict[tuple[str, float], Mapping[str, Any]] = {}
    totals: dict[str, float] = {}
    for line in lines:
        part = str(line.get("part", ""))[:40]
        row: dict[str, float] = {"x": _seconds(times, line["at"]) / 60}
        earlier = before.get((part, line["began"]), {})
        before[part, line["began"]] = line
        if line["memory_mb"] is not None:
            row[f"memory of the {part} (MB)" if part else "memory (MB)"] = line["memory_mb"]
        gone = line["at"] - earlier["at"] if earlier else 0.0
        for name, count in line["done"].items() if earlier and gone > 0 else ():
            more = max(0.0, count - earlier["done"].get(name, 0))
            totals[name] = totals.get(name, 0.0) + more
            if gone >= _TOO_SHORT:
                row[rate_name(name)] = more / gone * (3600 if name == "games" else 1)
        found.rows.append(row)
    found.done = {**totals, "seconds": _seconds(times, math.inf)}
    return found


def _running(lines: Sequence[Mapping[str, Any]]) -> list[tuple[float, float]]:
    """When a run was running, from and to, without the pauses between."""
    ends: dict[float, float] = {}
    for line in lines:
        ends[line["began"]] = max(ends.get(line["began"], 0.0), line["at"])
    times: list[tuple[float, float]] = []
    for began, end in sorted(ends.items()):
        if times and began <= times[-1][1]:
            times[-1] = (times[-1][0], max(times[-1][1], end))
        else:
            times.append((began, end))
    return times


def _seconds(times: Sequence[tuple[float, float]], until: float) -> float:
    return sum(max(0.0, min(end, until) - began) for began, end in times)


def rate_name(unit: str) -> str:
    """What a rate of a unit is called."""
    return f"{unit} per hour" if unit == "games" else f"{unit} per second"


def _lines(text: str) -> Iterator[dict[str, Any]]:
    for line in text.splitlines():
        with suppress(ValueError):
            data = json_object(line.encode(), finite=True)
            memory, done = data.get("memory_mb"), data.get("done")
            numbers = [data.get("began"), data.get("at"), 0 if memory is None else memory]
            if not isinstance(done, dict) or len(done) > 8 or not all(map(_is_number, [*numbers, *done.values()])):
                continue
            yield {**data, "memory_mb": memory, "done": {str(name)[:40]: count for name, count in done.items()}}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e15
