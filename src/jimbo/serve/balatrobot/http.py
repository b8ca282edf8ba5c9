"""As much HTTP as the mod speaks: one POST to ``/`` per connection, with a length and no more than 64 KiB.

Only programs are answered, not pages in a web browser (``jimbo.serve.callers``).
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from selectors import EVENT_READ, EVENT_WRITE

from jimbo.serve.balatrobot.rpc import error
from jimbo.serve.callers import Callers
from jimbo.wire.methods import MAX_BODY

PIECE = 16_384
MAX_HEAD = 16_384
MAX_UNREAD = 1 << 22
"""Bytes that are read and thrown away, so that a sender of too much gets to see why it is refused."""
_END = re.compile(rb"\r?\n\r?\n")
_REASONS = {200: "OK", 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed"}


class RequestRefused(Exception):
    """A request that is not even read, with its status and the reason."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


# --- One connection ---------------------------------------------------------------------------------------------------


def converse(link: socket.socket, callers: Callers, answer: Callable[[bytes], bytes]) -> Iterator[int]:
    """Read a request and write its answer. Each event that is yielded must happen before this can go on."""
    try:
        body = yield from _request(link, callers)
    except RequestRefused as refused:
        yield from _send(link, refused.status, error(message=str(refused)))
        # To close with something unread would take the answer back.
        link.shutdown(socket.SHUT_WR)
        unread = MAX_UNREAD
        while unread > 0 and (piece := (yield from _received(link))):
            unread -= len(piece)
    else:
        if body is not None:
            yield from _send(link, 200, answer(body))


def _request(link: socket.socket, callers: Callers) -> Generator[int, None, bytes | None]:
    """Return the body of a request; None for a sender that leaves before its end."""
    data = b""
    while (end := _END.search(data)) is None:
        if len(data) > MAX_HEAD:
            raise RequestRefused(400, "Invalid request line")
        piece = yield from _received(link)
        if not piece and not data.strip():
            raise RequestRefused(400, "Empty request")
        if not piece:
            return None
        data += piece
    length = _checked_length(data[: end.start()], callers)
    body = data[end.end() :]
    while len(body) < length:
        piece = yield from _received(link)
        if not piece:
            return None
        body += piece
    return body[:length]


def _received(link: socket.socket) -> Generator[int, None, bytes]:
    while True:
        with suppress(BlockingIOError):
            return link.recv(PIECE)
        yield EVENT_READ


def _send(link: socket.socket, status: int, body: bytes) -> Iterator[int]:
    head = (
        f"HTTP/1.1 {status} {_REASONS[status]}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    left = memoryview(head.encode() + body)
    while left:
        try:
            left = left[link.send(left) :]
        except BlockingIOError:
            yield EVENT_WRITE


def _checked_length(head: bytes, callers: Callers) -> int:
    """Return the length of the body that follows; RequestRefused for a head that is not what it should be."""
    first, *lines = head.split(b"\n")
    words = first.split()
    if len(words) != 3 or not words[2].startswith(b"HTTP/"):
        raise RequestRefused(400, "Invalid request line" if words else "Empty request")
    headers = _headers(lines)
    refusal = callers.refusal(headers.get("host"), headers.get("origin"))
    if refusal is not None:
        raise RequestRefused(403, refusal)
    if words[0] != b"POST":
        raise RequestRefused(405, "Method not allowed. Use POST for JSON-RPC requests")
    if words[1] != b"/":
        raise RequestRefused(404, "Not found. Use POST to '/' for JSON-RPC requests")
    length = headers.get("content-length", "0")
    if not (length.isdecimal() and len(length) < 16):
        raise RequestRefused(400, "Invalid Content-Length header")
    if int(length) > MAX_BODY:
        raise RequestRefused(400, "Request body too large")
    return int(length)


def _headers(lines: list[bytes]) -> dict[str, str]:
    """Return headers by their names in lower case. One that is there twice has both values, so that it is refused."""
    found: dict[str, str] = {}
    for line in lines:
        name, _, value = line.decode("latin-1").partition(":")
        name, value = name.strip().lower(), value.strip()
        found[name] = f"{found[name]}, {value}" if name in found else value
    return found
