"""A game of ``jimbo play``: the run, its steps in words, and the file it is saved in."""

import os
import re
from contextlib import suppress
from itertools import count
from pathlib import Path

from jimbo.backends import RewindableBackend, SimBackend
from jimbo.data import Decision
from jimbo.engine import Action, PublicState
from jimbo.files import read_bytes, reason, sentence, write_bytes
from jimbo.serve.game import BadInput, Game, check, told
from jimbo.system import state_folder
from jimbo.text import Told

MAGIC = b"JIMBO-RUN"
MAX_SAVE = 1 << 20
"""More bytes than any saved run has."""


class Session:
    def __init__(self, backend: RewindableBackend, path: Path | None = None, saved: bytes = b"") -> None:
        """``backend`` has a run already; ``saved`` is what it was loaded from."""
        self._backend = backend
        self._game = Game(backend)
        self.path = path
        """Where the run was loaded from or saved to."""
        self.unsaved = False
        self.new_folder: Path | None = None
        """What the last save had to make."""
        self._held = {path.resolve(): saved} if path else {}
        """What the files of this game hold, as far as it knows: another game may have written to them since."""

    @property
    def seed(self) -> str:
        return self._game.seed

    @property
    def state(self) -> PublicState:
        """What the player sees now."""
        return self._game.state

    # --- Steps --------------------------------------------------------------------------------------------------------

    def step(self, action: Action) -> list[Told]:
        """Applies an action and says what happened. Raises BadInput and changes nothing if the rules forbid it."""
        check(action, self.state)
        self.unsaved = True  # first: Ctrl-C may come at any time
        return told(self._game.take(Decision(action)))

    def undo(self, steps: int) -> int:
        """Returns how many steps were undone."""
        undone = self._game.undo(steps)
        self.unsaved = True
        return undone

    # --- Files --------------------------------------------------------------------------------------------------------

    def save(self, text: str = "") -> Path:
        """Replaces a file only if it holds exactly this game, as it was loaded or last saved here."""
        data = self._backend.save()
        path = Path(text) if text else self.default_path()
        try:
            path = path.expanduser()
            why = self._why_not(path)
            if why is None:
                self.new_folder = None if path.parent.is_dir() else path.parent
                path.parent.mkdir(parents=True, exist_ok=True)
                write_bytes(path, data)
        except FileExistsError as error:
            raise BadInput(f"{path} cannot be written: {error.filename} is not a folder.") from None
        except OSError as error:
            raise BadInput(f"{path} cannot be written: {reason(error)}.") from None
        except (RuntimeError, ValueError) as error:  # a user without a home folder, a loop of links, a zero byte
            raise BadInput(sentence(f"{path} cannot be written: {error}")) from None
        if why:
            raise BadInput(f"{path} {why}, so it is left alone. Choose another name.")
        self._held[path.resolve()] = data
        self.path = path
        self.unsaved = False
        return path

    def _why_not(self, path: Path) -> str | None:
        """Why a file that exists must not be replaced."""
        if not path.exists():
            return None
        held = read_bytes(path, MAX_SAVE) if path.is_file() and path.stat().st_size <= MAX_SAVE else b""
        if not held.startswith(MAGIC):
            return "exists and is not a saved run"
        if held == self._held.get(path.resolve()):
            return None
        known = path.resolve() in self._held
        return "has since been saved by another game" if known else "exists and holds another game"

    def default_path(self) -> Path:
        """The current file, or a new one in the user's folder for saved games."""
        with suppress(OSError, RuntimeError):
            if self.path and self._why_not(self.path) is None:
                return self.path
        stem = re.sub(r"[^\w-]", "_", self.seed)  # a seed may hold what a file's name may not
        names = (f"{stem}{f'-{n}' if n > 1 else ''}.run" for n in count(1))
        return next(path for path in map(state_folder().joinpath, names) if not os.path.lexists(path))


def load(path: Path) -> Session:
    """Raises ValueError with a sentence for a file that is not a saved run."""
    try:
        data = read_bytes(path, MAX_SAVE)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {reason(error)}.") from None
    backend = SimBackend()
    try:
        backend.load(data)
    except ValueError as error:
        raise ValueError(f"{path} cannot be resumed: {error}.") from None
    return Session(backend, path, data)
