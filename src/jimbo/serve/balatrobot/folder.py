"""The one folder in which clients may read and write files."""

from __future__ import annotations

from pathlib import Path

from jimbo.files import read_bytes, reason, write_bytes
from jimbo.serve.balatrobot.refused import Refused, internal_error

LARGEST = 1 << 20
"""Bytes of a file that is loaded."""
DEEPEST = 32
"""Folders that a path leads through."""


class Folder:
    """A path is taken from here, or must lead here; a link that leads out of it is outside."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, path: str, data: bytes, refusal: str) -> None:
        place = self._place(path, refusal)
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            if place.exists() and not place.is_file():
                raise self._refused(refusal, "it is not a file")
            write_bytes(place, data)
        except OSError as error:
            raise self._refused(refusal, reason(error)) from None

    def read(self, path: str, refusal: str) -> bytes:
        place = self._place(path, refusal)
        try:
            if place.exists() and not place.is_file():
                raise self._refused(refusal, "it is not a file")
            return read_bytes(place, LARGEST)
        except OSError as error:
            raise self._refused(refusal, reason(error)) from None

    def _place(self, path: str, refusal: str) -> Path:
        try:
            root = self.root.resolve()
            place = (root / path).resolve()
        except (OSError, ValueError, RuntimeError):
            raise self._refused(refusal, "it is not a path") from None
        if not place.is_relative_to(root) or place == root:
            raise self._refused(refusal, f"only files in {root} can be used (jimbo serve balatrobot --folder)")
        if len(place.relative_to(root).parts) > DEEPEST + 1:
            raise self._refused(refusal, f"it leads through more than {DEEPEST} folders")
        return place

    @staticmethod
    def _refused(refusal: str, reason: str) -> Refused:
        return internal_error(f"{refusal}: {reason}")
