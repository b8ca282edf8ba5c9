"""One connection: a request, its answer, the end."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from selectors import EVENT_READ, EVENT_WRITE, BaseSelector

from jimbo.serve.balatrobot.http import Body, Refusal, Request, response
from jimbo.serve.balatrobot.rpc import error
from jimbo.serve.callers import Callers

PIECE = 16_384
MAX_UNREAD = 1 << 22
"""Bytes that are read and thrown away, so that a sender of too much gets to see why it is refused."""

Answer = Callable[[bytes], bytes]
Closed = Callable[["Connection"], None]


class Connection:
    """Waits for its socket only where it has to: usually the request is there when the connection is."""

    __slots__ = ("_answer", "_closed", "_lingers", "_out", "_request", "_selector", "_socket", "_unread", "_waits_for")

    def __init__(
        self, sock: socket.socket, selector: BaseSelector, callers: Callers, answer: Answer, closed: Closed
    ) -> None:
        self._socket, self._selector = sock, selector
        self._answer, self._closed = answer, closed
        self._request = Request(callers)
        self._out = memoryview(b"")
        self._lingers = False
        self._unread = MAX_UNREAD
        self._waits_for = 0

    def go_on(self) -> None:
        """As far as it goes without waiting."""
        try:
            if self._out:
                self._write()
            elif self._lingers:
                self._throw_away()
            else:
                self._read()
        except BlockingIOError:
            self._wait_for(EVENT_READ)
        except OSError:
            self.close()

    def _read(self) -> None:
        piece = self._socket.recv(PIECE)
        found = self._request.feed(piece) if piece else self._request.ended()
        if isinstance(found, Body):
            self._reply(200, self._answer(found.data))
        elif isinstance(found, Refusal):
            self._lingers = True
            self._reply(found.status, error(message=found.message))
        elif piece:
            self._wait_for(EVENT_READ)
        else:
            self.close()

    def _reply(self, status: int, body: bytes) -> None:
        self._out = memoryview(response(status, body))
        self._write()

    def _write(self) -> None:
        with suppress(BlockingIOError):
            self._out = self._out[self._socket.send(self._out) :]
        if self._out:
            self._wait_for(EVENT_WRITE)
        elif self._lingers:
            # To close with something unread would take the answer back.
            self._socket.shutdown(socket.SHUT_WR)
            self._wait_for(EVENT_READ)
        else:
            self.close()

    def _throw_away(self) -> None:
        count = len(self._socket.recv(PIECE))
        self._unread -= count
        if not count or self._unread <= 0:
            self.close()

    def _wait_for(self, events: int) -> None:
        if not self._waits_for:
            self._selector.register(self._socket, events, self.go_on)
        elif self._waits_for != events:
            self._selector.modify(self._socket, events, self.go_on)
        self._waits_for = events

    def close(self) -> None:
        if self._waits_for:
            self._selector.unregister(self._socket)
            self._waits_for = 0
        self._socket.close()
        self._closed(self)
