"""The game's own save as a backend: it is looked at again and again, and nothing is ever done to it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from jimbo.backends.protocol import Applied, UnsupportedAction
from jimbo.engine import Action, PublicState
from jimbo.files import read_bytes, reason
from jimbo.wire.saves import MAX_FILE, BadSave, Saved, find_save, read_save

REMEDY = "The game writes its save anew with every decision; start or continue the run there"
_ONLY_LOOKS = "a save is only looked at: play in the game"


def load_save(path: Path) -> Saved:
    """Read a save; ValueError with a sentence for a file that is none, or that cannot be read."""
    try:
        data = read_bytes(path, MAX_FILE)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {reason(error)}. {REMEDY}.") from None
    return save_in(data, path)


def save_in(data: bytes, name: Path | str) -> Saved:
    """The save that some bytes are; ``name`` is what the sentence of a ValueError calls them."""
    try:
        if len(data) > MAX_FILE:
            raise BadSave("it is larger than any save")
        return read_save(data)
    except BadSave as error:
        raise ValueError(f"{name} is not a save that can be advised on: {error}. {REMEDY}.") from None


class SaveBackend:
    """The run in a save, as the game goes on with it."""

    needs_arming = True

    def __init__(self, place: Path | None = None) -> None:
        """``place`` is a save, or a folder with saves of which the newest counts; the game's own folders if it is not
        given. ValueError or FileNotFoundError with a sentence where no run can be read."""
        self._place = place
        self._path = find_save(place)
        self._seen = self._stamp()
        self._saved = load_save(self._path)
        self._failed: tuple[Path, int, int] | None = None
        self._trouble = ""

    def __repr__(self) -> str:
        return f"<SaveBackend of {self._path}>"

    @property
    def path(self) -> Path:
        """The save that was written last."""
        return self._path

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on the present state, and on the file if that cannot be read any more."""
        return (*self._saved.notes, self._trouble) if self._trouble else self._saved.notes

    def look(self) -> PublicState:
        """What the save holds now. One that is being written, or is gone, leaves the state as it was."""
        try:
            self._path = find_save(self._place)
            stamp = self._stamp()
        except OSError:
            self._trouble = f"{self._path} is gone: the run has ended. The next one is taken up as soon as it is saved."
            return self.state()
        self._trouble = ""
        if stamp != self._seen:
            try:
                self._saved, self._seen = load_save(self._path), stamp
            except ValueError as error:
                # One that is still being written is whole at the next look.
                self._trouble = str(error) if stamp == self._failed else ""
                self._failed = stamp
        return self.state()

    def _stamp(self) -> tuple[Path, int, int]:
        found = self._path.stat()
        return self._path, found.st_mtime_ns, found.st_size

    def state(self) -> PublicState:
        return self._saved.state

    def cannot(self, action: Action) -> str | None:
        return _ONLY_LOOKS

    def reset(
        self, *, deck: str | None = None, stake: str = "white", seed: str | None = None, challenge: str | None = None
    ) -> PublicState:
        self._refuse()

    def apply(self, action: Action) -> Applied:
        self._refuse()

    def full_state(self) -> Mapping[str, Any] | None:
        return None

    def close(self) -> None:
        """Nothing is held."""

    def _refuse(self) -> NoReturn:
        raise UnsupportedAction(_ONLY_LOOKS)
