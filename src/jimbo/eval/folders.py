"""To whom a folder belongs: nothing is put among other files, and only one process writes at a time."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar, Self

from jimbo import system
from jimbo.files import check_folder, loads, read_text, reason

LOCK = ".lock"
CONFIG = "config.json"
ROWS = "episodes.jsonl"
SUMMARY = "summary.json"
COMPARISON = "comparison.json"
REPORT = "report.html"
OFFLINE = "offline.json"
SCHEMA = "jimbo_eval_v1"
_HALF_WRITTEN = re.compile(r"\..+\.\d+-[0-9a-f]+\.part")
"""Names that ``files.replacing`` gives, for as long as it writes."""
_NAMED = 3


def refuse_strangers(folder: Path, mark: str = CONFIG, ours: re.Pattern[str] | None = None) -> None:
    """ValueError for a folder that holds something other than what this file marks, and files with names of ours."""
    if not (folder / mark).exists():
        _refuse(folder, [name for name in _names(folder) if not (ours and ours.fullmatch(name))])


def refuse_strangers_around(folder: Path) -> None:
    """ValueError for a folder that holds something other than evaluations and their comparison."""
    ours = {COMPARISON, REPORT} if _is_comparison(folder / COMPARISON) else set()
    _refuse(folder, [name for name in _names(folder) if name not in ours and not _is_evaluation(folder / name)])


def _refuse(folder: Path, strangers: list[str]) -> None:
    if strangers:
        more = f" and {len(strangers) - _NAMED} more" if len(strangers) > _NAMED else ""
        names = ", ".join(strangers[:_NAMED])
        raise ValueError(f"{folder} holds other files ({names}{more}). Choose another folder.")


def _names(folder: Path) -> list[str]:
    """What is in a folder, except for traces of a process that was killed before it wrote anything."""
    try:
        names = sorted(os.listdir(folder))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ValueError(f"{folder} cannot be used: {reason(error)}.") from None
    return [name for name in names if name != LOCK and not _is_half_written(name)]


def _is_half_written(name: str) -> bool:
    return _HALF_WRITTEN.fullmatch(name) is not None


def _is_evaluation(folder: Path) -> bool:
    return folder.is_dir() and ((folder / CONFIG).exists() or not _names(folder))


def _is_comparison(path: Path) -> bool:
    try:
        data = loads(read_text(path))
    except (OSError, ValueError):
        return False
    return isinstance(data, dict) and data.get("schema") == SCHEMA


class OwnFolder:
    """A folder that one process writes to: ``with`` refuses other files and keeps other processes out."""

    _mark: ClassVar[str] = CONFIG
    """The file that says whose folder it is."""
    _writer: ClassVar[str] = "evaluation"
    """What else would be writing there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock: int | None = None

    def check(self) -> None:
        """ValueError as ``with`` gives it, for work that comes before. Nothing is made."""
        refuse_strangers(self.folder, self._mark)
        try:
            check_folder(self.folder)
        except OSError as error:
            raise ValueError(f"{self.folder} cannot be used: {reason(error)}.") from None

    def __enter__(self) -> Self:
        self.check()
        self._lock = lock_up(self.folder, self._writer)
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.folder)!r})"


@contextmanager
def held(folder: Path, writer: str = "evaluation") -> Iterator[None]:
    """The folder for this process alone."""
    lock = lock_up(folder, writer)
    try:
        yield
    finally:
        os.close(lock)


def lock_up(folder: Path, writer: str = "evaluation") -> int:
    """Makes the folder and keeps every other process out of it; ValueError if one is already there.

    ``writer``: what else would be writing there.
    Closing the descriptor lets go of it, and so does the end of the process, however it comes.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise ValueError(f"{folder} cannot be used: {reason(error)}.") from None
    try:
        system.lock(lock)
        for name in filter(_is_half_written, os.listdir(folder)):  # by a process that was killed
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        os.close(lock)
        if isinstance(error, BlockingIOError):
            advice = "Wait for it to end, or choose another folder."
            raise ValueError(f"Another {writer} is writing to {folder}. {advice}") from None
        raise ValueError(f"{folder} cannot be used: {reason(error)}.") from None
    return lock
