"""As much HTTP as the mod speaks: one POST to ``/`` per connection, with a length and no more than 64 KiB."""

from __future__ import annotations

import re
from typing import NamedTuple

from jimbo.serve.callers import Callers
from jimbo.wire.methods import MAX_BODY

MAX_HEAD = 16_384
_END = re.compile(rb"\r?\n\r?\n")
_REASONS = {200: "OK", 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed"}


class Body(NamedTuple):
    """What a request asks."""

    data: bytes


class Refusal(NamedTuple):
    """Why it is not even read."""

    status: int
    message: str


class Request:
    """A request as it comes in, piece by piece."""

    __slots__ = ("_body_at", "_callers", "_data", "_length")

    def __init__(self, callers: Callers) -> None:
        self._callers = callers
        self._data = bytearray()
        self._body_at = self._length = 0

    def feed(self, piece: bytes) -> Body | Refusal | None:
        """What it is, once that is known."""
        self._data += piece
        if not self._body_at:
            refusal = self._read_head()
            if refusal or not self._body_at:
                return refusal
        if len(self._data) - self._body_at < self._length:
            return None
        return Body(bytes(self._data[self._body_at : self._body_at + self._length]))

    def ended(self) -> Refusal | None:
        """What to say to a sender that has nothing more to say."""
        return None if self._data.strip() else Refusal(400, "Empty request")

    def _read_head(self) -> Refusal | None:
        end = _END.search(self._data)
        if end is None:
            return Refusal(400, "Invalid request line") if len(self._data) > MAX_HEAD else None
        first, *lines = bytes(self._data[: end.start()]).split(b"\n")
        words = first.split()
        if len(words) != 3 or not words[2].startswith(b"HTTP/"):
            return Refusal(400, "Invalid request line" if words else "Empty request")
        headers = _headers(lines)
        refusal = self._callers.refusal(headers.get("host"), headers.get("origin"))
        if refusal is not None:
            return Refusal(403, refusal)
        if words[0] != b"POST":
            return Refusal(405, "Method not allowed. Use POST for JSON-RPC requests")
        if words[1] != b"/":
            return Refusal(404, "Not found. Use POST to '/' for JSON-RPC requests")
        length = headers.get("content-length", "0")
        if not (length.isdecimal() and len(length) < 16):
            return Refusal(400, "Invalid Content-Length header")
        self._length = int(length)
        self._body_at = end.end()
        return Refusal(400, "Request body too large") if self._length > MAX_BODY else None


def _headers(lines: list[bytes]) -> dict[str, str]:
    """By their names in lower case. What is there twice has both values, and is not what it should be."""
    found: dict[str, str] = {}
    for line in lines:
        name, _, value = line.decode("latin-1").partition(":")
        name, value = name.strip().lower(), value.strip()
        found[name] = f"{found[name]}, {value}" if name in found else value
    return found


def response(status: int, body: bytes) -> bytes:
    head = (
        f"HTTP/1.1 {status} {_REASONS[status]}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body
