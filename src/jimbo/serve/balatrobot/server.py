"""Several games side by side in one process, each on a port of its own.

One loop over plain sockets: a call is answered as soon as it is there, so calls never overlap, as in the game.
"""

from __future__ import annotations

import errno
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector

from jimbo.files import reason
from jimbo.serve.balatrobot.game import ServedGame
from jimbo.serve.balatrobot.http import converse
from jimbo.serve.balatrobot.rpc import answer
from jimbo.serve.callers import Callers
from jimbo.system import most_files

BACKLOG = 1024
AT_ONCE = 64
"""Connections that are accepted before others are served."""
SPARE_FILES = 64
"""Files that a process may open for other things than connections."""
PATIENCE = 10.0
"""Seconds for a whole request: a sender that has gone to sleep does not keep its place."""
SWEEP = 1.0


class LoopServer:
    """Ports, each with a function that answers the body of a request; one loop serves them all."""

    def __init__(self, host: str) -> None:
        self._host = host
        self._selector = DefaultSelector()
        self._open: dict[socket.socket, float] = {}
        """When each connection began, the oldest first."""
        self._most = _most_connections()
        self._callers = Callers(host)
        self._listeners: list[socket.socket] = []
        self._waker, self._woken = socket.socketpair()
        self._selector.register(self._woken, EVENT_READ, self._stop_now)
        self._stopped = False

    @property
    def ports(self) -> list[int]:
        return [int(listener.getsockname()[1]) for listener in self._listeners]

    def listen(self, port: int, reply: Callable[[bytes], bytes]) -> None:
        """Listen at one more port; OSError with a sentence where it cannot be had, and nothing is served then."""
        family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
        try:
            listener = socket.create_server((self._host, port), family=family, backlog=BACKLOG)
        except (OSError, OverflowError) as error:
            self.close()
            raise OSError(_sentence(self._host, port, error)) from None
        listener.setblocking(False)
        self._listeners.append(listener)
        self._selector.register(listener, EVENT_READ, partial(self._accept, listener, reply))

    def serve(self) -> None:
        """Serve until ``stop`` is called, which any thread may do."""
        swept = time.monotonic()
        try:
            while not self._stopped:
                for key, _ in self._selector.select(SWEEP):
                    key.data()
                if time.monotonic() - swept > SWEEP:
                    swept = time.monotonic()
                    self._drop_late(swept - PATIENCE)
        finally:
            self.close()

    def stop(self) -> None:
        with suppress(OSError):
            self._waker.send(b".")

    def _stop_now(self) -> None:
        self._stopped = True

    def close(self) -> None:
        for link in list(self._open):
            self._drop(link)
        for listener in (*self._listeners, self._waker, self._woken):
            listener.close()
        self._selector.close()

    def _accept(self, listener: socket.socket, reply: Callable[[bytes], bytes]) -> None:
        for _ in range(AT_ONCE):
            try:
                link, _address = listener.accept()
            except BlockingIOError:
                return
            except OSError as error:
                if error.errno not in (errno.EMFILE, errno.ENFILE) or not self._open:
                    return
                self._drop_oldest()
                continue
            link.setblocking(False)
            with suppress(OSError):  # some systems refuse it for a sender that has gone; reading finds that out
                link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._open[link] = time.monotonic()
            if len(self._open) > self._most:
                self._drop_oldest()
            self._go_on(link, converse(link, self._callers, reply))

    def _go_on(self, link: socket.socket, steps: Iterator[int]) -> None:
        """Continue a conversation until it has to wait; usually the request is there when the connection is."""
        try:
            event = next(steps)
        except (StopIteration, OSError):
            self._drop(link)
            return
        known = self._selector.get_map().get(link)
        if known is None:
            self._selector.register(link, event, partial(self._go_on, link, steps))
        elif known.events != event:
            self._selector.modify(link, event, known.data)

    def _drop(self, link: socket.socket) -> None:
        if self._open.pop(link, None) is None:
            return
        if link in self._selector.get_map():
            self._selector.unregister(link)
        link.close()

    def _drop_oldest(self) -> None:
        self._drop(next(iter(self._open)))

    def _drop_late(self, before: float) -> None:
        while self._open and next(iter(self._open.values())) < before:
            self._drop_oldest()


class Servers(LoopServer):
    """``instances`` games on the ports from ``port`` on; port 0 lets the system choose. OSError with a sentence where
    a port cannot be had."""

    def __init__(self, host: str, port: int, instances: int, folder: Path) -> None:
        super().__init__(host)
        self.games: list[ServedGame] = []
        for place in range(instances):
            self._add(port + place if port else 0, ServedGame(folder))

    def _add(self, port: int, game: ServedGame) -> None:
        self.games.append(game)
        self.listen(port, partial(answer, game.call))


def _most_connections() -> int:
    """Return how many files the system lets a process have, less a few."""
    return max(most_files(4 * BACKLOG, usual=5 * SPARE_FILES) - SPARE_FILES, SPARE_FILES)


def _sentence(host: str, port: int, error: OSError | OverflowError) -> str:
    if isinstance(error, OverflowError):
        return f"There is no port {port}; the last one is 65535."
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} of {host} is in use. Choose another with --port, or stop what uses it."
    return f"Port {port} of {host} cannot be opened: {reason(error)}."
