"""A game behind a wire with faults: calls are served one after the other, and now and then something goes wrong."""

from __future__ import annotations

import json
import random
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from jimbo.serve.balatrobot.game import ServedGame
from jimbo.serve.balatrobot.rpc import answer
from jimbo.wire.methods import LOOKING
from wire.scripted import Json, error, http, read_call

Answer = Callable[[], bytes]


class Faulty:
    """Breaks one in ``one_in`` calls that are not ``spared``; ``kinds`` are names of the methods below."""

    def __init__(
        self, folder: Path, kinds: tuple[str, ...], one_in: int, seed: int, timeout: float, spared: Container[str]
    ) -> None:
        self._game = ServedGame(folder)
        self._kinds, self._one_in, self._chance, self._timeout = kinds, one_in, random.Random(seed), timeout
        self._spared = spared
        self.faults: Counter[str] = Counter()
        self.calls = 0
        self._one = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection, suppress(OSError):
                self._serve(connection, read_call(connection))

    def _serve(self, connection: socket.socket, call: Json) -> None:
        self.calls += 1

        def answered() -> bytes:
            with self._one:
                return answer(self._game.call, json.dumps(call).encode())

        if call["method"] in self._spared or self._chance.randrange(self._one_in):
            connection.sendall(http(answered()))
            return
        kind = self._chance.choice(self._kinds)
        self.faults[kind] += 1
        getattr(self, kind)(connection, call, answered)

    def closed_before(self, connection: socket.socket, call: Json, answered: Answer) -> None:
        """Nothing is done."""

    def closed_after(self, connection: socket.socket, call: Json, answered: Answer) -> None:
        answered()

    def closed_later(self, connection: socket.socket, call: Json, answered: Answer) -> None:
        """It is done when the connection is closed, and some looks have shown nothing."""
        threading.Timer(0.5 * self._timeout, answered).start()

    def cut(self, connection: socket.socket, call: Json, answered: Answer) -> None:
        connection.sendall(http(answered())[:-200])

    def garbage(self, connection: socket.socket, call: Json, answered: Answer) -> None:
        answered()
        connection.sendall(http(b"\x00\xff garbage"))

    def failed_before(self, connection: socket.socket, call: Json, answered: Answer) -> None:
        connection.sendall(http(b"oops", "500 Internal Server Error"))

    def failed_after(self, connection: socket.socket, call: Json, answered: Answer) -> None:
        answered()
        connection.sendall(http(b"oops", "500 Internal Server Error"))

    def late(self, connection: socket.socket, call: Json, answered: Answer) -> None:
        answered()
        time.sleep(1.5 * self._timeout)

    def late_before(self, connection: socket.socket, call: Json, answered: Answer) -> None:
        """It is done when nobody waits any more."""
        time.sleep(1.5 * self._timeout)
        answered()

    def elsewhere(self, connection: socket.socket, call: Json, answered: Answer) -> None:
        method = call["method"]
        error(-32002, f"Method '{method}' requires one of these states: NOWHERE")(connection, call)

    def close(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


KINDS = (
    *("closed_before", "closed_after", "closed_later", "cut", "garbage"),
    *("failed_before", "failed_after", "late", "late_before"),
)


@contextmanager
def faulty(
    folder: Path,
    kinds: tuple[str, ...] = KINDS,
    *,
    one_in: int = 10,
    seed: int = 0,
    timeout: float = 0.5,
    spared: Container[str] = LOOKING,
) -> Iterator[Faulty]:
    server = Faulty(folder, kinds, one_in, seed, timeout, spared)
    threading.Thread(target=server.serve, daemon=True).start()
    try:
        yield server
    finally:
        server.close()
