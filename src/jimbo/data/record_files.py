"""Files of recorded runs: written line by line as the run goes on, taken up again, and read."""

from __future__ import annotations

import os
from contextlib import suppress
from io import FileIO
from pathlib import Path
from types import TracebackType

from jimbo.data.decision import Decision
from jimbo.data.record import BadRecord, Ending, Header, Record, Snapshot
from jimbo.data.record_lines import decision_line, ending_line, header_line, read_header, read_line, snapshot_line
from jimbo.files import add_line, loads, read_bytes, reason


class RecordStopped(Exception):
    """A file takes no more lines; says why."""


class RecordFile:
    """A file that a run is written to. Every line in it is whole, whatever stops the writing."""

    def __init__(self, file: FileIO) -> None:
        self._file = file

    @staticmethod
    def create(path: Path, header: Header) -> RecordFile:
        """A new file; none that is there is overwritten (FileExistsError)."""
        file = path.open("xb", buffering=0)
        try:
            add_line(file, header_line(header))
        except BaseException:
            file.close()
            with suppress(OSError):
                os.unlink(path)  # there was none before
            raise
        return RecordFile(file)

    @staticmethod
    def resume(path: Path) -> tuple[Record, RecordFile]:
        """What a file holds of a run that has not ended, and the file to go on with. A line that was cut goes."""
        record, whole = _read(path)
        if record.end is not None:
            raise BadRecord(f"{path} holds a whole run already; there is nothing to resume.")
        try:
            file = path.open("r+b", buffering=0)
        except OSError as error:
            raise BadRecord(f"{path} cannot be written: {reason(error)}.") from None
        file.truncate(whole)
        if whole and not _ends_line(file, whole):
            file.seek(0, os.SEEK_END)
            file.write(b"\n")
        return record, RecordFile(file)

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _where: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, step: int, decision: Decision) -> None:
        self._add(decision_line(step, decision))

    def snapshot(self, snapshot: Snapshot) -> None:
        self._add(snapshot_line(snapshot))

    def end(self, end: Ending) -> None:
        self._add(ending_line(end))

    def _add(self, line: str) -> None:
        try:
            add_line(self._file, line)
        except OSError as error:
            raise RecordStopped(reason(error)) from None


def _ends_line(file: FileIO, size: int) -> bool:
    file.seek(size - 1)
    return file.read(1) == b"\n"


def read_record(path: Path) -> Record:
    """BadRecord with a sentence that names the line for anything else than a record.

    The last line may be cut, as a killed process leaves it: it is left out, and so the record has no end.
    """
    return _read(path)[0]


def _read(path: Path) -> tuple[Record, int]:
    """The record, and how many bytes its whole lines take."""
    try:
        data = read_bytes(path)
        text = data.decode("utf-8")
    except (OSError, UnicodeError) as error:
        raise BadRecord(f"{path} cannot be read: {reason(error)}.") from None
    lines = text.split("\n")
    cut = lines.pop()
    whole = len(data)
    if cut and _is_json(cut):
        lines.append(cut)
    else:
        whole -= len(cut.encode())
    if not lines:
        raise BadRecord(f"{path} is empty." if not cut else f"{path}, line 1, is not a line of a recorded run.")
    return _record(path, lines), whole


def _record(path: Path, lines: list[str]) -> Record:
    header: Header | None = None
    decisions: list[Decision] = []
    snapshots: list[Snapshot] = []
    end: Ending | None = None
    for number, line in enumerate(lines, 1):
        try:
            if header is None:
                header = read_header(line)
                continue
            if end is not None:
                raise ValueError("nothing may follow the end")
            entry = read_line(line)
        except ValueError as error:
            raise BadRecord(f"{path}, line {number}, is not a line of a recorded run: {error}.") from None
        if isinstance(entry, Decision):
            decisions.append(entry)
        elif isinstance(entry, Snapshot):
            snapshots.append(entry)
        else:
            end = entry
    assert header is not None
    return Record(header, tuple(decisions), tuple(snapshots), end)


def _is_json(text: str) -> bool:
    try:
        loads(text)
    except ValueError:
        return False
    return True
