"""A save unpacked: deflated text, one literal of a Lua table. It is read by a strict grammar with limits; nothing in it
is ever run.

The grammar: ``return {["key"]=value,[1]=value,...}`` with tables, strings, numbers, ``true`` and ``false`` as values.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Iterator
from typing import Any

MAX_FILE = 1 << 20
"""Bytes; a save has some ten thousand."""
MAX_TEXT = 4 << 20
"""Bytes when unpacked; a save has some hundred thousand."""
MAX_VALUES = 120_000
MAX_DEPTH = 32
_LARGEST = 2**31 - 1
_START = "return {"
_TOKEN = re.compile(
    r'\["(?P<name>(?:[^"\\]|\\[\s\S]){0,4000})"\]='
    r"|\[(?P<place>\d{1,9})\]="
    r'|"(?P<text>(?:[^"\\]|\\[\s\S]){0,4000})"'
    r"|(?P<word>true|false)\b"
    r"|(?P<number>-?(?:\d{1,40}(?:\.\d{0,40})?(?:[eE][+-]?\d{1,4})?|inf|nan)\b)"
    r"|(?P<sign>[{},])"
)
_ESCAPE = re.compile(r"\\(\d{1,3}|[\s\S])")
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "0": "\0", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
Values = dict[str | int, Any]


class BadSave(ValueError):
    """Says in words what is wrong with a save."""


def unpacked(data: bytes) -> str:
    """The text of a save. BadSave for what is no deflated text, is cut off, or would be too large."""
    if not data:
        raise BadSave("it is empty")
    if len(data) > MAX_FILE:
        raise BadSave("it is larger than any save")
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        text = stream.decompress(data, MAX_TEXT + 1)
    except zlib.error:
        raise BadSave("it is not packed as saves are, or damaged") from None
    if len(text) > MAX_TEXT:
        raise BadSave("it unpacks to more than any save holds")
    if not stream.eof:
        raise BadSave("its end is missing")
    if stream.unused_data:
        raise BadSave("something follows its end")
    return text.decode("utf-8", "replace")


def looks_like_save(data: bytes) -> bool:
    """Whether bytes begin as a save does."""
    try:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(data[:4096], len(_START)) == _START.encode()
    except zlib.error:
        return False


def parsed(text: str) -> Values:
    """The table of a text; BadSave for anything that is not exactly one."""
    if not text.startswith(_START):
        raise BadSave("its text is not a table")
    table: Values = {}
    open_tables: list[Values] = []
    key: str | int | None = None
    separated, count, at = True, 0, len(_START)
    while match := _TOKEN.match(text, at):
        at, kind, found = match.end(), match.lastgroup, match[0]
        if key is None:
            if kind in ("name", "place") and separated:
                key = _unescaped(match["name"]) if kind == "name" else int(match["place"])
                count += 1
                if count > MAX_VALUES:
                    raise BadSave("it holds more values than any save")
                continue
            if found == "," and not separated:
                separated = True
                continue
            if found != "}":
                break
            if not open_tables:
                if text[at:].strip():
                    raise BadSave("something follows its table")
                return table
            table, separated = open_tables.pop(), False
            continue
        if found == "{":
            if len(open_tables) >= MAX_DEPTH:
                raise BadSave("its tables are nested too deeply")
            inner: Values = {}
            table[key] = inner
            open_tables.append(table)
            table, key, separated = inner, None, True
            continue
        if kind not in ("text", "word", "number"):
            break
        table[key] = _value(kind, found, match)
        key, separated = None, False
    raise BadSave("its table is cut off" if at >= len(text) else f"its table is broken at character {at + 1}")


def _value(kind: str, found: str, match: re.Match[str]) -> str | bool | int | float:
    if kind == "text":
        return _unescaped(match["text"])
    if kind == "word":
        return found == "true"
    number = float(found)
    return int(number) if number.is_integer() and abs(number) <= _LARGEST else number


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda match: _escaped(match[1]), text)


def _escaped(sign: str) -> str:
    if sign.isdigit() and sign.isascii() and sign != "0":
        return chr(min(int(sign), 255))
    return _ESCAPED.get(sign, sign)


class Table:
    """A table of a save, read with the types that are expected. What is absent is what ``otherwise`` says; BadSave, by
    its path, for what is there and of another type."""

    def __init__(self, values: Values, path: str = "") -> None:
        self._values, self.path = values, path

    def __contains__(self, name: str | int) -> bool:
        return name in self._values

    def _get(self, name: str | int, otherwise: Any, types: type | tuple[type, ...], what: str) -> Any:
        value = self._values.get(name, otherwise)
        if value is None:
            raise BadSave(f"{self._path(name)} is missing")
        if not isinstance(value, types) or (isinstance(value, bool) and types is not bool):
            raise BadSave(f"{self._path(name)} is not {what}")
        return value

    def _path(self, name: str | int) -> str:
        return f"{self.path}.{plain(str(name))}".lstrip(".")

    def table(self, name: str | int) -> Table:
        """An empty one where there is none. The game writes some that way."""
        value = self._values.get(name)
        return Table(value if isinstance(value, dict) else {}, self._path(name))

    def whole(self, name: str | int, otherwise: int | None = None) -> int:
        value = self._get(name, otherwise, (int, float), "a number")
        if isinstance(value, float):
            raise BadSave(f"{self._path(name)} is not a whole number of a sensible size")
        return int(value)

    def number(self, name: str | int, otherwise: float | None = None) -> float:
        value = float(self._get(name, otherwise, (int, float), "a number"))
        if not math.isfinite(value):
            raise BadSave(f"{self._path(name)} is beyond all numbers")
        return value

    def text(self, name: str | int, otherwise: str | None = None) -> str:
        return str(self._get(name, otherwise, str, "a text"))

    def text_or_first(self, name: str) -> str:
        """A text, or the first of a table of texts; empty where there is neither."""
        value = self._values.get(name)
        value = value.get(1) if isinstance(value, dict) else value
        return value if isinstance(value, str) else ""

    def flag(self, name: str | int) -> bool:
        """Lua takes whatever is there and not false for true."""
        return self._values.get(name, False) is not False

    def names(self) -> Iterator[str]:
        """The keys that are texts, as they come."""
        return (name for name in self._values if isinstance(name, str))

    def texts(self) -> Iterator[tuple[str, str]]:
        """Values that are texts, with their keys."""
        return ((name, value) for name, value in self._values.items() if isinstance(name, str) and type(value) is str)

    def listed(self) -> list[Table]:
        """The tables under 1, 2, 3, in this order."""
        places = sorted(place for place in self._values if isinstance(place, int))
        return [self.table(place) for place in places if isinstance(self._values[place], dict)]


def plain(text: str) -> str:
    """A text of a save as it can be shown: no signs that steer a terminal, and not without end."""
    return "".join(sign for sign in text if sign.isprintable())[:60]
