"""Lines of RecordV1 as they stand in a file: read one by one, and put together to games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jimbo.data.record_v1 import FIELDS, OBS_RAW, RECORD_SCHEMA
from jimbo.data.samples import BadData
from jimbo.declared import short_repr
from jimbo.engine import batch_schema_hash
from jimbo.files import loads, read_lines, reason

Json = dict[str, Any]


@dataclass(slots=True)
class GameLines:
    """The lines of one game, in a row."""

    first: int
    """Number of its first line in the file, from 1."""
    lines: list[Json] = field(default_factory=list)
    end: int = 0
    """Bytes up to its end."""

    @property
    def is_whole(self) -> bool:
        return bool(len(self.lines) == self.lines[0]["steps"])

    def check_whole(self) -> None:
        """ValueError for a game of which lines are missing."""
        if not self.is_whole:
            raise ValueError(f"the game is cut off after {len(self.lines)} of {self.lines[0]['steps']} decisions")


def read_games(path: Path) -> Iterator[GameLines]:
    """The games of a file one after another; BadData names the line that is not one of a game."""
    game, number = GameLines(1), 0
    for number, line, end in _lines(path):
        try:
            data = read_line(line)
            _check_place(game, data)
        except ValueError as error:
            raise BadData(f"{path}, line {number}: {error}.") from None
        game.lines.append(data)
        game.end = end
        if game.is_whole:
            yield game
            game = GameLines(number + 1)
    if number == 0:
        raise BadData(f"{path} is empty: it holds no decision.")
    if game.lines:
        yield game


def scan_games(path: Path) -> tuple[set[int], int]:
    """The numbers of the games that are there, and the bytes up to the end of the last whole one.

    What follows is of a game that was being written when the process was killed. BadData for any other trouble.
    """
    numbers: set[int] = set()
    whole = 0
    if path.stat().st_size == 0:
        return numbers, whole
    try:
        for game in read_games(path):
            if game.is_whole:
                numbers.add(game.lines[0]["episode_id"])
                whole = game.end
    except _CutLine:
        pass
    return numbers, whole


class _CutLine(BadData):
    """The last line has no end."""


def _lines(path: Path) -> Iterator[tuple[int, bytes, int]]:
    """Number, text and end of each line."""
    end = 0
    try:
        with path.open("rb") as file:
            for number, line in enumerate(read_lines(file, path), 1):
                end += len(line)
                if not line.endswith(b"\n"):
                    raise _CutLine(f"{path}, line {number}, is cut off: the file is truncated.")
                yield number, line, end
    except OSError as error:
        raise BadData(f"{path} cannot be read: {reason(error)}.") from None


def read_line(line: bytes) -> Json:
    """A line with all its fields; ValueError in a few words for anything else."""
    try:
        text = line.decode("utf-8").rstrip("\n")
    except UnicodeError as error:
        raise ValueError(reason(error)) from None
    data = loads(text, finite=True)
    if not isinstance(data, dict):
        raise ValueError(f"{short_repr(data)} is not a record")
    if data.get("schema_version") != RECORD_SCHEMA:
        raise ValueError(f"it is not a record of the schema {RECORD_SCHEMA}")
    if missing := [name for name in FIELDS if name not in data]:
        raise ValueError(f"{missing[0]} is missing")
    if unknown := [name for name in data if name not in FIELDS and name != OBS_RAW]:
        raise ValueError(f"there is no field {short_repr(unknown[0])}")
    if not isinstance(data["versions"], dict):
        raise ValueError("versions must be named texts")
    if data["schema_hash"] != batch_schema_hash():
        raise ValueError(
            f"it was written with other observations or candidates (schema_hash {short_repr(data['schema_hash'])}, "
            f"here {batch_schema_hash()})"
        )
    return data


def _check_place(game: GameLines, line: Json) -> None:
    """Whether a line follows those of its game."""
    for name in ("episode_id", "step_id", "steps"):
        if not isinstance(line[name], int) or line[name] < 0:
            raise ValueError(f"{name} must be a whole number")
    before = game.lines[-1] if game.lines else None
    if line["step_id"] != len(game.lines) + 1 or line["steps"] < line["step_id"]:
        raise ValueError(f"step_id must be {len(game.lines) + 1} here, and at most steps")
    if before is not None and (line["episode_id"], line["steps"]) != (before["episode_id"], before["steps"]):
        raise ValueError("the game before is not whole")
