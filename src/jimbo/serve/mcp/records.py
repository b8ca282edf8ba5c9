"""Runs of clients in files, for ``jimbo replay`` and everything else that reads recorded runs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from jimbo.backends.protocol import RewindableBackend
from jimbo.data.record import Ending, header_at
from jimbo.data.record_files import RecordFile, RecordStopped
from jimbo.engine import PublicState, Run
from jimbo.files import reason, sentence
from jimbo.rollout.loop import Moment, Observer, Recorder
from jimbo.serve.game import BadInput

AGENT = "mcp"
"""Who plays, by the record."""


class Kept(Observer):
    """A run in a new file, until it is won or lost. A disk that is full stops the file, and not the run."""

    def __init__(self, path: Path, backend: RewindableBackend) -> None:
        """BadInput if the file cannot be made."""
        header = header_at(Run.load(backend.save()), AGENT)
        self._path = path
        self.stopped = ""
        """A sentence, where the file takes no more."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: RecordFile | None = RecordFile.create(path, header)
        except OSError as error:
            raise BadInput(f"The record {path} cannot be written: {reason(error)}.") from None
        self._recorder = Recorder(self._file)

    def started(self, state: PublicState) -> None:
        self._write(lambda: self._recorder.started(state))

    def happened(self, moment: Moment) -> None:
        self._write(lambda: self._recorder.happened(moment))

    def end(self, ending: Ending) -> None:
        """Write how the run ended, once."""
        file = self._file
        if file:
            self._write(lambda: file.end(ending))
            self._close()

    def _write(self, write: Callable[[], None]) -> None:
        if self._file is None:
            return
        try:
            write()
        except RecordStopped as stopped:
            self.stopped = sentence(f"The record {self._path} holds only part of the run: {stopped}")
            self._close()

    def _close(self) -> None:
        if self._file:
            self._file.__exit__()
        self._file = None


def keeping(folder: Path) -> Callable[[str, RewindableBackend], Kept]:
    """Return what keeps each run in a file of a folder. Its name tells nothing; the file has the seed."""

    def keep(handle: str, backend: RewindableBackend) -> Kept:
        return Kept(folder / f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{handle}.jsonl", backend)

    return keep
