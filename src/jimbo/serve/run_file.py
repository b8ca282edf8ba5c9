"""The file that a game is saved in: a file is replaced only if it holds exactly this game."""

from __future__ import annotations

import contextlib
import os
import re
from itertools import count
from pathlib import Path

from jimbo.data.record_files import holds_run
from jimbo.files import LARGEST, read_bytes, reason, sentence, write_bytes
from jimbo.system import state_folder


class NotWritten(ValueError):
    """A sentence that says why a file was not written."""


class RunFile:
    """Where a game was loaded from or saved to."""

    def __init__(self, path: Path | None = None, held: bytes = b"") -> None:
        """``held`` is what the file holds that the game was loaded from."""
        self.path = path
        self.new_folder: Path | None = None
        """The folder that the last save had to make."""
        self._held = {path.resolve(): held} if path else {}
        """What the files of this game hold, as far as it knows: another game may have written to them since."""

    def write(self, path: Path, data: bytes) -> Path:
        """Write ``data``; NotWritten where that is impossible, or would replace anything else than this game."""
        try:
            path = path.expanduser()
            why = self._why_not(path)
            if why is None:
                self.new_folder = None if path.parent.is_dir() else path.parent
                path.parent.mkdir(parents=True, exist_ok=True)
                write_bytes(path, data)
        except FileExistsError as error:
            raise NotWritten(f"{path} cannot be written: {error.filename} is not a folder.") from None
        except OSError as error:
            raise NotWritten(f"{path} cannot be written: {reason(error)}.") from None
        except (RuntimeError, ValueError) as error:  # a user without a home folder, a loop of links, a zero byte
            raise NotWritten(sentence(f"{path} cannot be written: {error}")) from None
        if why:
            raise NotWritten(f"{path} {why}, so it is left alone. Choose another name.")
        self._held[path.resolve()] = data
        self.path = path
        return path

    def _why_not(self, path: Path) -> str | None:
        """Return why a file that exists must not be replaced."""
        if not path.exists():
            return None
        held = read_bytes(path) if path.is_file() and path.stat().st_size <= LARGEST else b""
        if held and held == self._held.get(path.resolve()):
            return None
        if not holds_run(held):
            return "exists and is not a saved run"
        known = path.resolve() in self._held
        return "has since been saved by another game" if known else "exists and holds another game"

    def default(self, name: str, ending: str) -> Path:
        """Return the current file, or a new one in the user's folder for saved games."""
        with contextlib.suppress(OSError, RuntimeError):
            if self.path and self._why_not(self.path) is None:
                return self.path
        stem = re.sub(r"[^\w-]", "_", name)  # a seed may hold what a file's name may not
        names = (f"{stem}{f'-{n}' if n > 1 else ''}{ending}" for n in count(1))
        return next(path for path in map(state_folder().joinpath, names) if not os.path.lexists(path))
