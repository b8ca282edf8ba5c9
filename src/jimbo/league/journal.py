"""A file of lines that only grows: each carries the hash of the line before and its own, so no byte changes unseen.

Beside it stands the head, which says how many lines there are: lines that are taken away at the end are missed, too. A
line counts from the moment that it is whole; what a killed process left of one is cut off by the next writer.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jimbo.files import (
    LARGEST_MODEL,
    add_line,
    bytes_hash,
    json_object,
    naming,
    read_bytes,
    read_text,
    reason,
    sentence,
    write_text,
)

NAME, HEAD = "journal.jsonl", "head.json"
_FIRST = "0" * 64
_RESTORE = "Restore it from a copy."
_END = len(',"hash":""}') + len(_FIRST)


class Damaged(ValueError):
    """A file of a registry that is not what was written; the sentence names it."""


class Journal:
    """The lines of a folder, read once: ``refresh`` reads those that came since. Writers must hold the folder."""

    def __init__(self, folder: Path) -> None:
        self.path, self._head = folder / NAME, folder / HEAD
        self.events: list[dict[str, Any]] = []
        self._hashes = [_FIRST]
        self._bytes = 0

    def __repr__(self) -> str:
        return f"<Journal {self.path}, {len(self.events)} lines>"

    def refresh(self) -> None:
        """Read the lines that are new; Damaged says where the journal is not what was written."""
        head = self._head_said()  # first, too
        for line in self._new_lines():
            self._add(line)
        self._compare(head)

    def append(self, kind: str, data: Mapping[str, Any]) -> dict[str, Any]:
        """Add a line and return it, once it is on the disk; OSError leaves the journal as it was."""
        self.refresh()
        event = {"n": len(self.events) + 1, "at": now(), "kind": kind, "data": dict(data), "before": self._hashes[-1]}
        body = json.dumps(event, separators=(",", ":"), allow_nan=False)
        line = f'{body[:-1]},"hash":"{bytes_hash(body.encode())}"}}'
        if not self.events:
            self._write_head()
        with naming(self.path), self.path.open("ab", buffering=0) as file:
            file.truncate(self._bytes)  # what a killed process left
            add_line(file, line)
            os.fsync(file.fileno())
        self._add(f"{line}\n".encode())
        with suppress(OSError):  # the line counts already; a head that lags behind is right, too
            self._write_head()
        return self.events[-1]

    def damage(self) -> tuple[Path, str] | None:
        """Return the file that is not what was written, and how that shows; None if all is well."""
        try:
            said = self._head_said()  # before the lines: they can only become more
            self.refresh()
        except Damaged as error:
            return (self._head if str(error).startswith(str(self._head)) else self.path), str(error)
        if said in map(self._head_text, range(len(self._hashes))) or not (said or self.events):
            return None
        return self._head, f"{self._head} is not what was written. {_RESTORE}"

    # --- Lines --------------------------------------------------------------------------------------------------------

    def _new_lines(self) -> Iterator[bytes]:
        try:
            with self.path.open("rb") as file:
                if os.fstat(file.fileno()).st_size < self._bytes:
                    raise Damaged(f"{self.path} is shorter than it was. {_RESTORE}")
                file.seek(self._bytes)
                for line in file:
                    if line.endswith(b"\n"):
                        yield line
        except FileNotFoundError:
            return
        except OSError as error:
            raise Damaged(f"{self.path} cannot be read: {reason(error)}.") from None

    def _add(self, line: bytes) -> None:
        number = len(self.events) + 1
        body = line[: -_END - 1] + b"}"
        own = bytes_hash(body)
        try:
            event = json_object(line)
            whole = event["hash"] == own and line.endswith(f',"hash":"{own}"}}\n'.encode())
            whole = whole and event["n"] == number and event["before"] == self._hashes[-1]
        except (ValueError, KeyError):
            whole = False
        if not whole:
            raise Damaged(f"{self.path}, line {number}, is not what was written. {_RESTORE}")
        self.events.append(event)
        self._hashes.append(own)
        self._bytes += len(line)

    # --- Head ---------------------------------------------------------------------------------------------------------

    def _head_text(self, lines: int) -> str:
        return json.dumps({"lines": lines, "hash": self._hashes[lines]}) + "\n"

    def _write_head(self) -> None:
        write_text(self._head, self._head_text(len(self.events)))

    def _head_said(self) -> str:
        try:
            return read_text(self._head)
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeError) as error:
            raise Damaged(f"{self._head} cannot be read: {reason(error)}.") from None

    def _compare(self, head: str) -> None:
        """Damaged where the head knows of lines that are not there; a writer would cut off the last of them."""
        try:
            said: dict[str, Any] = json_object(head) if head else {"lines": 0, "hash": _FIRST}
            missing, known = said["lines"] > len(self.events), said["hash"] in self._hashes
        except (ValueError, KeyError, TypeError):
            missing = known = True
        if missing and known:
            raise Damaged(f"{self._head} is not what was written. {_RESTORE}")
        if missing:
            raise Damaged(f"{self.path} ends too early: lines are missing after line {len(self.events)}. {_RESTORE}")


def read_object(path: Path) -> tuple[bytes, dict[str, Any]]:
    """The bytes of a file and the JSON object that they are; Damaged for anything else."""
    try:
        data = read_bytes(path, LARGEST_MODEL)
        return data, json_object(data)
    except OSError as error:
        raise Damaged(f"{path} cannot be read: {reason(error)}.") from None
    except ValueError as error:
        raise Damaged(sentence(f"{path} cannot be used: {error}")) from None


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")
