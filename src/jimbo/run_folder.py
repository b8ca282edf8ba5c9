"""The folder of a run, be it an evaluation or a training: who may write to it, and whether it can be resumed there.

A run keeps its settings in ``config.json``. One process at a time holds the folder; a folder with files of anything
else is refused, and so is one whose settings are not those that are asked for.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from jimbo import system
from jimbo.declared import short_repr
from jimbo.files import check_folder, read_json, reason, write_text

CONFIG = "config.json"
LOCK = ".lock"
_HALF_WRITTEN = re.compile(r"\..+\.\d+-[0-9a-f]+\.part")
"""Names that ``files.replacing`` gives while it writes."""
_MAX_NAMED = 3
_LOOK_AGAIN = 0.005
"""Seconds between two looks at a lock that others hold."""


class RunFolder:
    """A folder that one process writes to: ``with`` refuses a folder of other files and keeps other processes out.

    >>> with RunFolder(Path("runs/bc"), schema="jimbo_training_v1", writer="training") as folder:
    ...     resumed = folder.begin({"settings": {"lr": 0.001}})
    ...     folder.write_json("metrics.json", {"loss": 0.5})

    ``mark`` is the file or folder by which such a folder is known, ``writer`` what a sentence calls the process that
    writes, ``schema`` the format that its config.json names, ``option`` the flag that chooses the folder.
    """

    def __init__(
        self,
        folder: Path,
        *,
        mark: str = CONFIG,
        writer: str = "evaluation",
        schema: str | None = None,
        option: str = "folder",
    ) -> None:
        self.folder, self.mark, self.writer, self.schema, self.option = folder, mark, writer, schema, option
        self._lock: int | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.folder)!r})"

    # --- Who may write ------------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Raise the ValueError that ``with`` would raise, for work that comes before. Nothing is made."""
        check_empty_or_ours(self.folder, self.mark)
        try:
            check_folder(self.folder)
        except OSError as error:
            raise ValueError(f"{self.folder} cannot be used: {reason(error)}.") from None

    def __enter__(self) -> Self:
        self.check()
        self._lock = lock_folder(self.folder, self.writer)
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    @property
    def _a_writer(self) -> str:
        return f"{'an' if self.writer[0] in 'aeiou' else 'a'} {self.writer}"

    @property
    def is_held(self) -> bool:
        return self._lock is not None

    # --- Which run it is ----------------------------------------------------------------------------------------------

    def begin(self, config: Mapping[str, Any], may_change: Container[str] = ()) -> bool:
        """Write the settings of a new run, or compare them with those of the run that is here.

        Return whether there was one, so that it is resumed. ValueError names the settings that differ; those in
        ``may_change`` (``settings.epochs``) may, and the new ones are written.
        """
        wanted = json.loads(json.dumps({"schema": self.schema, **config} if self.schema else dict(config)))
        known = self.config()
        if known is not None:
            different = [name for name in differences(known, wanted) if name not in may_change]
            if different:
                raise ValueError(
                    f"{self.folder} holds {self._a_writer} with other settings or data "
                    f"({_listed(different, known, wanted)}). "
                    f"Choose another {self.option}, or repeat the settings in {CONFIG}."
                )
        if known != wanted:
            self.write_json(CONFIG, wanted)
        return known is not None

    def config(self) -> dict[str, Any] | None:
        """Return the settings of the run that is here; None for a new folder."""
        try:
            data = read_json(self.path(CONFIG))
        except FileNotFoundError:
            return None
        if not isinstance(data, dict) or (self.schema and data.get("schema") != self.schema):
            raise ValueError(f"{self.folder} does not hold {self._a_writer}. Choose another {self.option}.")
        return data

    # --- Its files ----------------------------------------------------------------------------------------------------

    def path(self, name: str) -> Path:
        return self.folder / name

    def write_json(self, name: str, data: object) -> None:
        """Replace a file as a whole; ValueError where it cannot be written."""
        try:
            write_text(self.path(name), json.dumps(data, indent=2, ensure_ascii=False) + "\n")
        except OSError as error:
            raise ValueError(f"{self.path(name)} cannot be written: {reason(error)}.") from None


def differences(known: Mapping[str, Any], wanted: Mapping[str, Any], within: str = "") -> list[str]:
    """Return the names of the values that are not the same; those inside mappings with dots."""
    names = []
    for name in {**wanted, **known}:
        old, new = known.get(name), wanted.get(name)
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            names += differences(old, new, f"{within}{name}.")
        elif old != new:
            names.append(f"{within}{name}")
    return names


def _listed(names: list[str], known: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    parts = []
    for name in names[:_MAX_NAMED]:
        old, new = _at(known, name), _at(wanted, name)
        short = name.removeprefix("settings.")
        plain = all(value is None or isinstance(value, bool | int | float | str) for value in (old, new))
        parts.append(f"{short}: {short_repr(old)}, not {short_repr(new)}" if plain else short)
    more = [f"and {len(names) - _MAX_NAMED} more"] if len(names) > _MAX_NAMED else []
    return "; ".join(parts + more)


def _at(data: Any, name: str) -> Any:
    for part in name.split("."):
        data = data.get(part) if isinstance(data, Mapping) else None
    return data


# --- Folders that hold something else ---------------------------------------------------------------------------------


_NOTES = re.compile(r"\.pace\.jsonl|\..+\.pace")


def check_empty_or_ours(folder: Path, mark: str = CONFIG, ours: re.Pattern[str] | None = None) -> None:
    """ValueError for a folder without the file ``mark`` that holds anything but files with names of ours."""
    if not (folder / mark).exists():
        check_holds_only(folder, lambda name: bool(ours and ours.fullmatch(name)))


def check_holds_only(folder: Path, is_ours: Callable[[str], bool]) -> None:
    """ValueError that names what else a folder holds; notes of how fast something went do not count."""
    strangers = [name for name in names_in(folder) if not _NOTES.fullmatch(name) and not is_ours(name)]
    if strangers:
        more = f" and {len(strangers) - _MAX_NAMED} more" if len(strangers) > _MAX_NAMED else ""
        names = ", ".join(strangers[:_MAX_NAMED])
        raise ValueError(f"{folder} holds other files ({names}{more}). Choose another folder.")


def names_in(folder: Path) -> list[str]:
    """Return what is in a folder, without the traces of a process that was killed before it wrote anything."""
    try:
        names = sorted(os.listdir(folder))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ValueError(f"{folder} cannot be used: {reason(error)}.") from None
    return [name for name in names if name != LOCK and not _is_half_written(name)]


def _is_half_written(name: str) -> bool:
    return _HALF_WRITTEN.fullmatch(name) is not None


# --- Locks ------------------------------------------------------------------------------------------------------------


@contextmanager
def locked(folder: Path, writer: str = "evaluation", patience: float = 0.0) -> Iterator[None]:
    """Hold the folder for this process alone, ``patience`` seconds later where another one is done with it by then."""
    end = time.monotonic() + patience
    lock = lock_folder(folder, writer, end)
    try:
        yield
    finally:
        os.close(lock)


def lock_folder(folder: Path, writer: str = "evaluation", until: float = 0.0) -> int:
    """Make the folder and keep every other process out of it; ValueError if a ``writer`` is there already.

    Closing the descriptor lets go of it, and so does the end of the process, however it comes.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise ValueError(f"{folder} cannot be used: {reason(error)}.") from None
    try:
        _await_lock(lock, until)
        for name in filter(_is_half_written, os.listdir(folder)):  # by a process that was killed
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        os.close(lock)
        if isinstance(error, BlockingIOError):
            advice = "Wait for it to end, or choose another folder."
            raise ValueError(f"Another {writer} is writing to {folder}. {advice}") from None
        raise ValueError(f"{folder} cannot be used: {reason(error)}.") from None
    return lock


def is_held(lock: Path) -> bool | None:
    """Whether a process holds a lock, such as LOCK in a folder; None where the system does not tell it."""
    try:
        found = lock.stat()
    except OSError:
        return False
    try:
        locks = Path("/proc/locks").read_text(encoding="ascii")
    except (OSError, UnicodeError):
        return None
    place = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}:{found.st_ino}"
    return any(place in line.split() for line in locks.splitlines())


def _await_lock(lock: int, until: float) -> None:
    while True:
        try:
            system.lock(lock)
            return
        except BlockingIOError:
            if time.monotonic() >= until:
                raise
            time.sleep(_LOOK_AGAIN)
