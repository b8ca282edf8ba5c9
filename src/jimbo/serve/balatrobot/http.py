"""As much HTTP as the mod speaks: one POST to ``/`` per connection, which is closed after the answer."""

from __future__ import annotations

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import Callable

from jimbo.serve.balatrobot.rpc import error
from jimbo.wire.methods import MAX_BODY

MAX_HEAD = 16_384
MAX_UNREAD = 1 << 22
"""Bytes that are read and thrown away so that a sender of too much gets to see why it is refused."""
PATIENCE = 10.0
"""Seconds for a whole request; a game is not kept waiting by a sender that has gone to sleep."""

Answer = Callable[[bytes], bytes]
_END = re.compile(rb"\r?\n\r?\n")
_LENGTH = re.compile(rb"^content-length[ \t]*:[ \t]*([^\r\n]*?)[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_REASONS = {200: "OK", 400: "Bad Request", 404: "Not Found", 405: "Method Not Allowed"}


class Connections:
    """Those that are open, the oldest first. The oldest has to go when there are too many."""

    def __init__(self, most: int) -> None:
        self._open: OrderedDict[Connection, float] = OrderedDict()
        self._most = most

    def __len__(self) -> int:
        return len(self._open)

    def add(self, connection: Connection) -> None:
        self._open[connection] = time.monotonic()
        if len(self._open) > self._most:
            self._drop_oldest()

    def remove(self, connection: Connection) -> None:
        self._open.pop(connection, None)

    def sweep(self) -> None:
        """Drops those whose time is over."""
        late = time.monotonic() - PATIENCE
        while self._open and next(iter(self._open.values())) < late:
            self._drop_oldest()

    def close(self) -> None:
        while self._open:
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        connection, _ = self._open.popitem(last=False)
        connection.drop()


class Connection(asyncio.Protocol):
    """One request and its answer."""

    __slots__ = ("_answer", "_body_at", "_connections", "_data", "_length", "_refused", "_transport")

    def __init__(self, answer: Answer, connections: Connections) -> None:
        self._answer, self._connections = answer, connections
        self._data = bytearray()
        self._body_at = self._length = 0
        self._refused = False
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.remove(self)

    def drop(self) -> None:
        if self._transport:
            self._transport.abort()

    def eof_received(self) -> bool:
        if not self._refused and not self._body_at and not self._data.strip():
            self._refuse(400, "Empty request")
        return False

    def data_received(self, data: bytes) -> None:
        if self._refused:
            self._throw_away(len(data))
            return
        self._data += data
        if not self._body_at and not self._read_head():
            return
        if len(self._data) - self._body_at >= self._length:
            body = bytes(self._data[self._body_at : self._body_at + self._length])
            self._send(200, self._answer(body))

    def _read_head(self) -> bool:
        """Whether it is there and allows the request."""
        end = _END.search(self._data)
        if end is None:
            if len(self._data) > MAX_HEAD:
                self._refuse(400, "Invalid request line")
            return False
        head = bytes(self._data[: end.start()])
        words = head.split(b"\n", 1)[0].split()
        if len(words) != 3 or not words[2].startswith(b"HTTP/"):
            return self._refuse(400, "Invalid request line" if words else "Empty request")
        if words[0] != b"POST":
            return self._refuse(405, "Method not allowed. Use POST for JSON-RPC requests")
        if words[1] != b"/":
            return self._refuse(404, "Not found. Use POST to '/' for JSON-RPC requests")
        length = _LENGTH.search(head)
        if length and not (length[1].isdigit() and len(length[1]) < 16):
            return self._refuse(400, "Invalid Content-Length header")
        self._length = int(length[1]) if length else 0
        self._body_at = end.end()
        if self._length > MAX_BODY:
            return self._refuse(400, "Request body too large")
        return True

    def _refuse(self, status: int, message: str) -> bool:
        """Answers at once. What is still coming is read, or the answer would be lost with it."""
        self._refused = True
        unread = self._body_at + self._length - len(self._data)
        self._length = min(max(unread, 0), MAX_UNREAD)
        self._data.clear()
        self._write(status, error(message=message))
        if not self._length and self._transport:
            self._transport.close()
        return False

    def _throw_away(self, count: int) -> None:
        self._length -= count
        if self._length <= 0 and self._transport:
            self._transport.close()

    def _send(self, status: int, body: bytes) -> None:
        self._write(status, body)
        self._refused = True
        if self._transport:
            self._transport.close()

    def _write(self, status: int, body: bytes) -> None:
        head = (
            f"HTTP/1.1 {status} {_REASONS[status]}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        if self._transport:
            self._transport.write(head.encode() + body)
