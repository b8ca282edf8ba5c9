"""Files of a rollout: who may write them, and how. Their settings stand in a file of their own.

Lines go to their file game by game. Columns go to files in ``FILE.parts`` while games are played: each of them is whole
or not there, and the one that is being written counts from the moment it is closed, which happens every few seconds. At
the end they are put together.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import Any

from jimbo import system
from jimbo.data.columns import DecisionRows
from jimbo.data.config_file import config_path, parts_folder, read_config, write_config
from jimbo.data.record_v1_files import scan_games
from jimbo.data.samples import form_of
from jimbo.files import add_text, check_place, reach_disk, reason, replacing
from jimbo.pace import pace_file
from jimbo.run_folder import differences

SCHEMA = "jimbo_rollout_v1"
_MAY_CHANGE = ("games",)
_UNFINISHED = ".writing"


class WriteFailed(RuntimeError):
    """What was played cannot be written; the sentence says why."""


class Sink:
    """What games are written to. It is closed in any case, and finished when all games were played."""

    at_once = 1
    """Decisions that are best written together."""

    def pace(self, place: int) -> Path | None:
        """Where the pace of the games of a plan is noted, if anywhere."""
        return None

    def done(self) -> set[int]:
        """The numbers of the games that are kept already. What is left of an unfinished one goes."""
        return set()

    def add(self, gathered: Any) -> None:
        """Takes games. They are on the disk after the next ``flush``."""
        raise NotImplementedError

    def flush(self) -> None:
        """Writes what was added."""

    def keep(self) -> None:
        """Whatever was added survives the death of this process."""

    def finish(self) -> None:
        """What is written becomes what was asked for."""

    def close(self) -> None:
        """Nothing more is written."""


class JsonlSink(Sink):
    """A file of lines of RecordV1: games are added as they end, and a game that was cut off is cut away."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._file: FileIO | None = None

    def pace(self, place: int) -> Path | None:
        return pace_file(self._out)

    def done(self) -> set[int]:
        if not self._out.exists():
            return set()
        numbers, whole = scan_games(self._out)
        if whole < self._out.stat().st_size:
            os.truncate(self._out, whole)
        return numbers

    def add(self, gathered: list[str]) -> None:
        with _writing(self._out):
            if self._file is None:
                self._file = self._out.open("ab", buffering=0)
            for game in gathered:
                add_text(self._file, game)

    def finish(self) -> None:
        if self._file is not None:
            os.fsync(self._file.fileno())

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


class ParquetSink(Sink):
    """A file of columns, made of parts."""

    at_once = 4096
    """About 30 MB before they are compressed."""

    def __init__(self, out: Path, settings: Mapping[str, Any]) -> None:
        self._parquet = form_of(out)
        self._out, self._settings = out, settings
        self._folder = parts_folder(out)
        self._added: list[DecisionRows] = []
        self._writer: Any = None

    def pace(self, place: int) -> Path | None:
        return pace_file(self._out)

    def done(self) -> set[int]:
        if self._folder.is_dir():
            for path in self._folder.glob(f"*{_UNFINISHED}"):
                path.unlink()
        numbers: set[int] = set()
        for path in self._whole():
            of_file = self._parquet.games_of(path)
            if path != self._out and of_file <= numbers:
                path.unlink()  # put together before, by a process that ended before it could tidy up
            numbers |= of_file
        return numbers

    def _parts(self) -> list[Path]:
        return sorted(self._folder.glob("*.parquet"))

    def _whole(self) -> list[Path]:
        """All files that hold games, a finished one first."""
        return [*([self._out] if self._out.exists() else []), *self._parts()]

    def add(self, gathered: DecisionRows) -> None:
        self._added.append(gathered)
        if sum(map(len, self._added)) >= self.at_once:
            self.flush()

    def flush(self) -> None:
        if not self._added:
            return
        rows, self._added = DecisionRows.joined(self._added), []
        try:
            with _writing(self._folder):
                if self._writer is None:
                    self._folder.mkdir(exist_ok=True)
                    self._path = self._folder / f"{len(self._parts()) + 1:06}.parquet"
                    self._writer = self._parquet.writer(self._path.with_suffix(_UNFINISHED), self._settings)
                self._writer.write_table(self._parquet.table_of(rows, self._settings))
        except WriteFailed:
            self.close()  # what follows an error in a file cannot be read
            raise

    def keep(self) -> None:
        self.flush()
        if self._writer is not None:
            made, self._writer = self._writer, None
            with _writing(self._folder):
                made.close()
                reach_disk(self._path.with_suffix(_UNFINISHED))
                os.replace(self._path.with_suffix(_UNFINISHED), self._path)

    def finish(self) -> None:
        self.keep()
        parts = self._whole()
        if not parts or parts == [self._out]:
            return
        with _writing(self._out):
            if len(parts) == 1:
                os.replace(parts[0], self._out.resolve())
            else:
                parts.sort(key=lambda part: min(self._parquet.games_of(part)))  # games end in any order
                with replacing(self._out) as beside:
                    self._parquet.put_together(parts, beside, self._settings)
            shutil.rmtree(self._folder)

    def close(self) -> None:
        made, self._writer = self._writer, None
        if made is not None:
            with suppress(OSError, ValueError):  # it may have failed before
                made.close()
            self._path.with_suffix(_UNFINISHED).unlink(missing_ok=True)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Makes an OSError a WriteFailed that names the file."""
    try:
        yield
    except OSError as error:
        raise WriteFailed(f"{path} cannot be written: {reason(error)}.") from None


# --- Who may write ----------------------------------------------------------------------------------------------------


def lock_file(out: Path) -> Path:
    """What is held while a file is written."""
    return out.with_name(f".{out.name}.lock")


@contextmanager
def claimed(out: Path, settings: Mapping[str, Any]) -> Iterator[None]:
    """Keeps other processes from writing a file; ValueError where one does so, or for a file of other settings."""
    path = lock_file(out)
    try:
        with _writing(out):
            lock = _lock(out, path)
    except WriteFailed as error:
        raise ValueError(str(error)) from None
    try:
        _compare(out, settings)
        yield
    finally:
        with suppress(OSError):
            path.unlink()
        os.close(lock)


def _lock(out: Path, path: Path) -> int:
    out.parent.mkdir(parents=True, exist_ok=True)
    if out.is_dir():
        raise ValueError(f"{out} is a folder. Name a file.")
    check_place(out)
    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        system.lock(lock)
        if not os.path.samestat(os.fstat(lock), os.stat(path)):
            raise BlockingIOError  # another one has just let go of it, and a third may hold its successor
    except (BlockingIOError, FileNotFoundError):
        os.close(lock)
        raise ValueError(f"Another rollout is writing to {out}. Wait for it to end, or choose another file.") from None
    return lock


def _compare(out: Path, settings: Mapping[str, Any]) -> None:
    """Whether this is the rollout that is here; a new one, and one with more games, is written down."""
    path = config_path(out)
    known = read_config(out) if path.exists() else None
    if known is None and out.exists():
        raise ValueError(
            f"{out} is there already, without {path.name}: it is not a rollout to go on with. Choose another file."
        )
    if known is not None:
        if known.get("schema") != SCHEMA or not isinstance(known.get("games"), int):
            raise ValueError(f"{path} cannot be used: it does not hold the settings of a rollout.")
        if different := [name for name in differences(known, settings) if name not in _MAY_CHANGE]:
            raise ValueError(
                f"{out} holds a rollout with other settings ({', '.join(different)}). "
                f"Choose another file, or repeat the settings in {path.name}."
            )
    if known is None or known["games"] < settings["games"]:
        try:
            write_config(out, settings)
        except OSError as error:
            raise ValueError(f"{out} cannot be written: {reason(error)}.") from None
