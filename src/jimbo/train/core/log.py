"""The rows of a training as lines of JSON, for trainings that another framework runs."""

from __future__ import annotations

import json
from pathlib import Path

from jimbo.files import add_line, reason
from jimbo.train.core.watching import Row, Watcher

LOG = "train_log.jsonl"
EVALUATION = "evaluation"
"""The kind of a row about games that were judged; a row that names none is one, too."""


class LogFile(Watcher):
    """A line of JSON for each row, with ``best`` for those that were evaluated."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("ab", buffering=0)
        except OSError as error:
            raise ValueError(f"{path} cannot be written: {reason(error)}.") from None

    def row(self, row: Row, best: bool) -> None:
        more = {"best": best} if row.get("kind", EVALUATION) == EVALUATION else {}
        try:
            add_line(self._file, json.dumps({**row, **more}))
        except OSError as error:
            raise ValueError(f"{self._path} cannot be written: {reason(error)}.") from None

    def close(self) -> None:
        self._file.close()
