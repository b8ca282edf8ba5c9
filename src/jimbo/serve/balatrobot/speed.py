"""What the wire adds to a call: the same calls over the wire and without it."""

from __future__ import annotations

import json
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jimbo import system
from jimbo.serve.balatrobot.game import ServedGame
from jimbo.serve.balatrobot.rpc import answer

GAMES = 60
Send = Callable[[bytes], bytes]


@dataclass(frozen=True, slots=True)
class Overhead:
    """Milliseconds per call, medians; ``load`` is that of the machine."""

    calls: int
    overhead_ms: float
    """The median of the differences, call by call."""
    over_the_wire_ms: float
    without_ms: float
    health_ms: float
    processor_ms: float | None
    """Processor time that the wire adds, of both ends and on average; None where the system does not tell it."""
    load: float | None


def measure(games: int = GAMES) -> Overhead:
    """Play the same games over the wire, each call on a connection of its own, and in this process."""
    load = system.load()
    with tempfile.TemporaryDirectory() as folder:
        game, start = ServedGame(Path(folder)), time.process_time()
        alone = list(_played(lambda body: answer(game.call, body), games))
        alone_cpu = time.process_time() - start
        over, health, over_cpu = _over_the_wire(folder, games)
    differences = [there - here for there, here in zip(over, alone, strict=True)]
    processor = None if over_cpu is None else round(1000 * (over_cpu - alone_cpu) / len(over), 3)
    return Overhead(len(over), _ms(differences), _ms(over), _ms(alone), _ms(health), processor_ms=processor, load=load)


def _ms(seconds: list[float]) -> float:
    return round(1000 * statistics.median(seconds), 3)


def _over_the_wire(folder: str, games: int) -> tuple[list[float], list[float], float | None]:
    """Return seconds of the calls of the games, of as many calls that do nothing, and the games' processor time."""
    command = [sys.executable, "-m", "jimbo", "serve", "balatrobot", "--port", "0", "--json", "--folder", folder]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            url = urlsplit(json.loads(server.stdout.readline())["urls"][0])
            address = (str(url.hostname), int(url.port or 0))
            before = _processor(server.pid)
            over = list(_played(lambda body: _sent(address, body), games))
            after = _processor(server.pid)
            health = [_timed(lambda body: _sent(address, body), "health")[1] for _ in over]
        finally:
            server.terminate()
    return over, health, None if before is None or after is None else after - before


def _processor(server: int) -> float | None:
    """Seconds that the server and this process have used."""
    try:
        nanoseconds = int(Path(f"/proc/{server}/schedstat").read_text().split()[0])
    except (OSError, ValueError):
        return None
    return nanoseconds / 1e9 + time.process_time()


def _sent(address: tuple[str, int], body: bytes) -> bytes:
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    with socket.create_connection(address) as connection:
        connection.sendall(head % len(body) + body)
        reply = b"".join(iter(lambda: connection.recv(1 << 15), b""))
    return reply.partition(b"\r\n\r\n")[2]


def _played(send: Send, games: int) -> Iterator[float]:
    """Yield the seconds of each call of some games that are won round after round, then lost."""
    for number in range(games):
        _timed(send, "menu")
        state, seconds = _timed(send, "start", deck="RED", stake="WHITE", seed=f"SPEED{number}")
        yield seconds
        while state["state"] != "GAME_OVER":
            cards = {"cards": list(range(min(5, state["hand"]["count"])))} if state["state"] == "SELECTING_HAND" else {}
            state, seconds = _timed(send, _MOVES[state["state"]], **cards)
            yield seconds


_MOVES = {"BLIND_SELECT": "select", "SELECTING_HAND": "play", "ROUND_EVAL": "cash_out", "SHOP": "next_round"}


def _timed(send: Send, method: str, **params: Any) -> tuple[Any, float]:
    body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, "id": 1}).encode()
    start = time.perf_counter()
    reply = send(body)
    seconds = time.perf_counter() - start
    return json.loads(reply)["result"], seconds
