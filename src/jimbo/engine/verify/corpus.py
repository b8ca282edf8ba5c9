"""Reading the files of a corpus, with errors that say where a file is broken."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO, cast


class CorpusError(Exception):
    """A folder or file that cannot be checked; the message is a sentence for the user."""


@dataclass(slots=True)
class CorpusFile:
    path: Path
    name: str
    """Path relative to the folder, which is what users know the file by."""
    named: dict[str, str]
    """What the file's name says, such as its deck and stake."""
    line: int | None = field(default=None, init=False)
    """Line of the record last read, for error messages; None in a file that is one document."""

    def records(self) -> Iterator[Any]:
        """The records of a ``.jsonl`` file, or the one document of a ``.json`` file; either may end in ``.gz``."""
        try:
            with self._open() as text:
                yield from self._lines(text) if ".jsonl" in self.path.suffixes else self._document(text)
        except (OSError, EOFError, zlib.error) as error:
            raise self.broken(f"the file cannot be read ({error})") from error
        except UnicodeDecodeError as error:
            raise self.broken(f"the file is not UTF-8 text ({error.reason})") from error

    def broken(self, what: str) -> CorpusError:
        place = self.name if self.line is None else f"{self.name}, line {self.line}"
        return CorpusError(f"{place}: {what}")

    def _open(self) -> TextIO:
        if self.path.suffix == ".gz":
            return cast(TextIO, gzip.open(self.path, "rt", encoding="utf-8"))
        return self.path.open(encoding="utf-8")

    def _lines(self, text: TextIO) -> Iterator[Any]:
        self.line = 1
        for line in text:
            if line.strip():
                yield self._parse(line)
            self.line += 1

    def _document(self, text: TextIO) -> Iterator[Any]:
        yield self._parse(text.read())

    def _parse(self, text: str) -> Any:
        try:
            return json.loads(text)
        except json.JSONDecodeError as error:
            if self.line is None:
                self.line = error.lineno
            raise self.broken(f"not valid JSON: {error.msg} at column {error.colno}") from error
        except RecursionError as error:
            raise self.broken("nested too deeply") from error
