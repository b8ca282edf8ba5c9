"""Reading the files of a corpus, with errors that say where a file is broken."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, cast

from jimbo.files import read_lines, read_open


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
    place: str | None = field(default=None, init=False)
    """Where in a document a checker is, for error messages, such as ``steps[3]``."""

    def records(self) -> Iterator[Any]:
        """The records of a ``.jsonl`` file, or the one document of a ``.json`` file; either may end in ``.gz``."""
        try:
            with self._open() as data:
                yield from self._lines(data) if ".jsonl" in self.path.suffixes else self._document(data)
        except (OSError, EOFError, zlib.error) as error:
            raise self.broken(f"the file cannot be read ({error})") from error

    def broken(self, what: str) -> CorpusError:
        place = self.place if self.line is None else f"line {self.line}"
        return CorpusError(f"{self.name}, {place}: {what}" if place else f"{self.name}: {what}")

    def _open(self) -> BinaryIO:
        return cast(BinaryIO, gzip.open(self.path)) if self.path.suffix == ".gz" else self.path.open("rb")

    def _lines(self, data: BinaryIO) -> Iterator[Any]:
        self.line = 1
        for line in read_lines(data, self.path):
            if line.strip():
                yield self._parse(line)
            self.line += 1

    def _document(self, data: BinaryIO) -> Iterator[Any]:
        yield self._parse(read_open(data, self.path))

    def _parse(self, data: bytes) -> Any:
        try:
            return json.loads(data.decode("utf-8"))
        except UnicodeDecodeError as error:
            self._found_at(data.count(b"\n", 0, error.start) + 1)
            raise self.broken(f"the file is not UTF-8 text ({error.reason})") from error
        except json.JSONDecodeError as error:
            self._found_at(error.lineno)
            raise self.broken(f"not valid JSON: {error.msg} (column {error.colno})") from error
        except RecursionError as error:
            self._found_at(_deepest_line(data))
            raise self.broken("lists and objects are nested too deeply") from error

    def _found_at(self, line: int) -> None:
        """In a document the parser knows the line; in a file of lines it is the one being read."""
        if self.line is None:
            self.line = line


def _deepest_line(data: bytes) -> int:
    depth, line, deepest = 0, 1, (0, 1)
    for sign in re.findall(rb'"(?:\\.|[^"\\])*"|[\[{}\]\n]', data):
        depth += (sign in (b"[", b"{")) - (sign in (b"]", b"}"))
        line += sign == b"\n"
        deepest = max(deepest, (depth, -line))
    return abs(deepest[1])
