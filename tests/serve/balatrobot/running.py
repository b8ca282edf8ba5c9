"""A server in a thread of the tests, and a client that writes its bytes by hand."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jimbo.serve.balatrobot import Servers

TIMEOUT = 20.0


@contextmanager
def running(folder: Path, instances: int = 1) -> Iterator[list[int]]:
    """Its ports."""
    servers = Servers("127.0.0.1", 0, instances, folder)
    ports = servers.ports
    thread = threading.Thread(target=servers.serve, daemon=True)
    thread.start()
    try:
        yield ports
    finally:
        servers.stop()
        thread.join(TIMEOUT)
        assert not thread.is_alive()


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT)


def request(method: str = "health", **params: Any) -> bytes:
    return post(json.dumps({"jsonrpc": "2.0", "method": method, "params": params, "id": 1}).encode())


def post(body: bytes, *headers: str) -> bytes:
    head = ["POST / HTTP/1.1", *(headers or ["Host: localhost"]), f"Content-Length: {len(body)}", "", ""]
    return "\r\n".join(head).encode("latin-1") + body


def received(connection: socket.socket) -> tuple[int, dict[str, str], Any]:
    """Status, headers and body of the answer, after which the connection must be closed."""
    data = b"".join(iter(lambda: connection.recv(1 << 16), b""))
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    assert int(headers["Content-Length"]) == len(body)
    return int(first.split()[1]), headers, json.loads(body)


def sent(port: int, data: bytes) -> tuple[int, dict[str, str], Any]:
    with connected(port) as connection:
        connection.sendall(data)
        return received(connection)


def called(port: int, method: str, **params: Any) -> Any:
    status, _, reply = sent(port, request(method, **params))
    assert status == 200
    return reply["result"]
