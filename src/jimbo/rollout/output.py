"""Where a rollout is written, and whether it may be: settings stand beside it, and only one process writes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import Any

from jimbo import system
from jimbo.data.config_file import config_path, read_config, write_config
from jimbo.data.record_v1_files import scan_games
from jimbo.files import add_text, check_place, reason

SCHEMA = "jimbo_rollout_v1"
_MAY_CHANGE = ("games",)


class WriteFailed(RuntimeError):
    """What was played cannot be written; the sentence says why."""


class Sink:
    """What games are written to. It is closed in any case, and finished when all games were played."""

    at_once = 1
    """Decisions that are best written together."""

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
            raise WriteFailed(f"{self._out} cannot be written: {reason(error)}.") from None

    def finish(self) -> None:
        if self._file is not None:
            os.fsync(self._file.fileno())

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


class Claim:
    """The right to write a file: ``with`` refuses a file of other settings, and keeps other processes out."""

    def __init__(self, out: Path, settings: Mapping[str, Any]) -> None:
        self._out, self._settings = out, settings
        self._lock: int | None = None

    def __enter__(self) -> Claim:
        try:
            self._out.parent.mkdir(parents=True, exist_ok=True)
            self._lock_up()
            self._compare()
        except OSError as error:
            self._let_go()
            raise ValueError(f"{self._out} cannot be written: {reason(error)}.") from None
        except BaseException:
            self._let_go()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._let_go()

    @property
    def _lock_path(self) -> Path:
        return self._out.with_name(f".{self._out.name}.lock")

    def _lock_up(self) -> None:
        if self._out.is_dir():
            raise ValueError(f"{self._out} is a folder. Name a file.")
        check_place(self._out)
        lock = os.open(self._lock_path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            system.lock(lock)
            if not os.path.samestat(os.fstat(lock), os.stat(self._lock_path)):
                raise BlockingIOError  # another one has just let go of it, and a third may hold its successor
        except (BlockingIOError, FileNotFoundError):
            os.close(lock)
            raise ValueError(
                f"Another rollout is writing to {self._out}. Wait for it to end, or choose another file."
            ) from None
        self._lock = lock

    def _let_go(self) -> None:
        if self._lock is not None:
            with suppress(OSError):
                self._lock_path.unlink()
            os.close(self._lock)
            self._lock = None

    def _compare(self) -> None:
        path = config_path(self._out)
        if not path.exists():
            if self._out.exists():
                raise ValueError(
                    f"{self._out} is there already, without {path.name}: it is not a rollout to go on with. "
                    "Choose another file."
                )
            self._write()
            return
        known = _read(self._out)
        names = [name for name in {**self._settings, **known} if name not in _MAY_CHANGE]
        if different := [name for name in names if known.get(name) != self._settings.get(name)]:
            raise ValueError(
                f"{self._out} holds a rollout with other settings ({', '.join(different)}). "
                f"Choose another file, or repeat the settings in {path.name}."
            )
        if known["games"] < self._settings["games"]:
            self._write()

    def _write(self) -> None:
        write_config(self._out, self._settings)


def _read(out: Path) -> dict[str, Any]:
    known = read_config(out)
    if known.get("schema") != SCHEMA or not isinstance(known.get("games"), int):
        raise ValueError(f"{config_path(out)} cannot be used: it does not hold the settings of a rollout.")
    return known
