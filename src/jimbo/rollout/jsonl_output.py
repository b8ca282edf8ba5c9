"""A rollout as lines of RecordV1: games are added as they end, and a game that was cut off is cut away."""

from __future__ import annotations

import os
from io import FileIO
from pathlib import Path

from jimbo.data.record_v1_files import scan_games
from jimbo.files import add_text, reason
from jimbo.rollout.output import NotKept


class JsonlOutput:
    at_once = 1
    """Every game is written when it has ended."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._file: FileIO | None = None

    def done(self) -> set[int]:
        if not self._out.exists():
            return set()
        numbers, whole = scan_games(self._out)
        if whole < self._out.stat().st_size:
            os.truncate(self._out, whole)
        return numbers

    def add(self, gathered: list[str]) -> None:
        try:
            if self._file is None:
                self._file = self._out.open("ab", buffering=0)
            for game in gathered:
                add_text(self._file, game)
        except OSError as error:
            raise NotKept(f"{self._out} cannot be written: {reason(error)}.") from None

    def flush(self) -> None:
        """There is nothing left to write."""

    def keep(self) -> None:
        """What is written outlives this process."""

    def finish(self) -> None:
        if self._file is not None:
            os.fsync(self._file.fileno())

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
