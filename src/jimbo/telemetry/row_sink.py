"""What places that keep rows of tables have in common, and the plainest of them: a file of JSON lines."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from io import FileIO
from pathlib import Path

from jimbo.files import add_text, check_place
from jimbo.system import alone_in
from jimbo.telemetry.events import EventData
from jimbo.telemetry.messages import fitting
from jimbo.telemetry.rows import RowMaker
from jimbo.telemetry.sender import Packed, TimedEvent
from jimbo.telemetry.tables import COLUMNS, TableRow, values_of

ROWS_AT_ONCE, ROWS_EVERY = 1000, 1.0
"""Events of which the rows are sent together, and seconds for which they are collected."""
SUFFIX = ".jsonl"
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


class RowSink:
    """Makes rows of events. Others say how they are written, and where to."""

    at_once, every = ROWS_AT_ONCE, ROWS_EVERY

    def __init__(self, session_id: str, program: str) -> None:
        self._maker = RowMaker(session_id, program)

    def pack(self, told: Sequence[TimedEvent], last: bool) -> Packed:
        rows: list[TableRow] = []
        make, lost = self._maker.rows, 0
        for timestamp, game_id, event in told:
            try:
                if isinstance(event, EventData):
                    rows += make(timestamp, game_id, event.TYPE, event.to_data())
                else:
                    session, program = event.get("session_id", ""), event.get("source", "")
                    rows += make(timestamp, game_id, event["type"], event["data"], session, program)
            except Exception:  # one event that holds something unforeseen must not end them all
                lost += 1
        if last:
            rows += self._maker.rest()
        return Packed(self.encoded(rows) if rows else b"", len(told) - lost, lost)

    def encoded(self, rows: Sequence[TableRow]) -> object:
        """Return the rows as they are sent."""
        raise NotImplementedError


class LinesSink(RowSink):
    """A file of JSON lines, or a folder with a file for every day (UTC). Several processes can write to it at once."""

    def __init__(self, path: Path, session_id: str, program: str, clock: Callable[[], float] = time.time) -> None:
        super().__init__(session_id, program)
        self._path, self._clock = path, clock
        self._file: FileIO | None = None
        self._day: str | None = None

    def encoded(self, rows: Sequence[TableRow]) -> str:
        return "".join(map(line_of, rows))

    def send(self, packed: Packed) -> tuple[int, str]:
        self._open()
        assert self._file
        with alone_in(self._file.fileno()):
            add_text(self._file, packed.body)
        return packed.events, ""

    def _open(self) -> None:
        folder = self._path.is_dir()
        day = day_of(self._clock()) if folder else ""
        if self._file is not None and day == self._day:
            return
        self.hang_up()
        path = self._path / f"{day}{SUFFIX}" if folder else self._path
        self._file, self._day = FileIO(path, "ab+"), day
        size = self._file.seek(0, os.SEEK_END)
        if size and os.pread(self._file.fileno(), 1, size - 1) != b"\n":  # a writer was killed within a line
            add_text(self._file, "\n")

    def hang_up(self) -> None:
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
            self._file = None


def lines_place(text: str) -> Path:
    """Return a file or folder for rows, absolute; a folder is made where the text ends like one. OSError, ValueError
    with a sentence where nothing can be written there."""
    path = Path(text).expanduser().absolute()
    if text.endswith(("/", os.sep)) or path.is_dir():
        path.mkdir(parents=True, exist_ok=True)
    elif path.suffix != SUFFIX:
        raise ValueError(
            f'"{text}" is not a place for telemetry. Name a file {path.name or "telemetry"}{SUFFIX}, a folder '
            f"{path.name or 'telemetry'}/, or an address such as ilp+http://127.0.0.1:9000"
        )
    else:
        check_place(path)
    return path


def day_of(seconds: float) -> str:
    """Return the day of a time, as files are named by it."""
    return time.strftime("%Y-%m-%d", time.gmtime(seconds))


def line_of(row: TableRow) -> str:
    """Return a row as a line of JSON; columns without a value are left out."""
    data: Mapping[str, object] = {
        "table": row.TABLE,
        "timestamp": row.timestamp,
        **{
            name: fitting(value)
            for name, value in zip(COLUMNS[row.TABLE], values_of(row), strict=True)
            if value is not None and value != ""
        },
    }
    return f"{_ENCODER.encode(data)}\n"
