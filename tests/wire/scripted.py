"""A server that does as a test tells it, call by call."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

Json = dict[str, Any]
Reply = Callable[[socket.socket, Json], None]

STATE: Json = {"state": "SHOP", "round_num": 1, "ante_num": 1, "money": 4}


def http(body: bytes, status: str = "200 OK", length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    return f"HTTP/1.1 {status}\r\nContent-Length: {size}\r\nConnection: close\r\n\r\n".encode() + body


def result(value: Any) -> Reply:
    def reply(connection: socket.socket, call: Json) -> None:
        connection.sendall(http(json.dumps({"jsonrpc": "2.0", "result": value, "id": call["id"]}).encode()))

    return reply


def error(code: int, message: str) -> Reply:
    def reply(connection: socket.socket, call: Json) -> None:
        said = {"code": code, "message": message, "data": {"name": "?"}}
        connection.sendall(http(json.dumps({"jsonrpc": "2.0", "error": said, "id": call["id"]}).encode()))

    return reply


def raw(data: bytes) -> Reply:
    return lambda connection, call: connection.sendall(data)


def closes(connection: socket.socket, call: Json) -> None:
    """Without a word."""


def waits(seconds: float) -> Reply:
    return lambda connection, call: time.sleep(seconds)


def drips(connection: socket.socket, call: Json) -> None:
    """A byte now and then, without an end."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    for _ in range(100):
        time.sleep(0.05)
        connection.sendall(b" ")


def drips_head(connection: socket.socket, call: Json) -> None:
    """So slow that the body is not even begun."""
    for byte in b"HTTP/1.1 200 OK\r\nX: " + b"x" * 40:
        connection.sendall(bytes([byte]))
        time.sleep(0.05)


class Scripted:
    """Answers calls by the replies it was given, one after the other; the last is given again and again."""

    def __init__(self, *replies: Reply) -> None:
        self._replies = list(replies)
        self.calls: list[Json] = []
        self.connections = 0
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    @property
    def methods(self) -> list[str]:
        return [call["method"] for call in self.calls]

    def serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection:
            with self._lock:
                self.connections += 1
            call = read_call(connection)
            with self._lock:
                self.calls.append(call)
                reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
            with suppress(OSError):  # the client has gone
                reply(connection, call)

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


def read_call(connection: socket.socket) -> Json:
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(65536)
    head, _, body = data.partition(b"\r\n\r\n")
    size = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length"))
    while len(body) < size:
        body += connection.recv(65536)
    call: Json = json.loads(body)
    return call


@contextmanager
def scripted(*replies: Reply) -> Iterator[Scripted]:
    server = Scripted(*replies)
    threading.Thread(target=server.serve, daemon=True).start()
    try:
        yield server
    finally:
        server.close()
