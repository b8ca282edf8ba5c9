"""One call over HTTP: a connection of its own, a deadline for all of it, and errors that say how far it came."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from jimbo.files import reason
from jimbo.wire.errors import REFUSALS, BadReply, Late, NoReply, Refused, Unreachable
from jimbo.wire.methods import DEFAULT_PORT, LOOKING

Json = dict[str, Any]

MAX_REPLY = 32 * 2**20
"""Bytes; a gamestate has some 40 thousand."""
_CHUNK = 2**16
_RESTART = {"remedy": "Make sure that the game runs there, and restart it if it does not answer"}
_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
_locks: dict[tuple[str, int], threading.Lock] = {}
_locks_made = threading.Lock()


def address(url: str) -> tuple[str, int]:
    """Host and port of ``http://127.0.0.1:12346``; ValueError with a sentence for anything else."""
    parts = urlsplit(url if "//" in url else f"http://{url}")
    try:
        port = parts.port
    except ValueError:
        port = 0
    if parts.scheme != "http" or not parts.hostname or port == 0 or parts.path.strip("/"):
        raise ValueError(f'"{url}" is not an address such as http://127.0.0.1:{DEFAULT_PORT}.')
    return parts.hostname, port or DEFAULT_PORT


def url_of(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def game_at(host: str, port: int) -> tuple[str, int]:
    """What addresses of one game have in common: this machine has several names."""
    return ("localhost" if host in _THIS_MACHINE else host), port


class Transport:
    """Calls to one address, one at a time: the game serves one, and would lose a second."""

    def __init__(self, url: str) -> None:
        self.host, self.port = address(url)
        self.url = url_of(self.host, self.port)
        with _locks_made:
            self._lock = _locks.setdefault(game_at(self.host, self.port), threading.Lock())
        self._id = 0

    def call(self, method: str, params: Mapping[str, Any], *, timeout: float, state: str | None) -> Any:
        """The result; Unreachable, NoReply, BadReply or a Refused."""
        about = {"method": method, "url": self.url, "state": state}
        with self._lock:
            self._id += 1
            request = {"jsonrpc": "2.0", "method": method, "params": dict(params), "id": self._id}
            status, body = self._exchange(json.dumps(request).encode(), time.monotonic() + timeout, about)
        return self._result(status, body, about)

    def _exchange(self, body: bytes, deadline: float, about: dict[str, Any]) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection(self.host, self.port, timeout=_left(deadline))
        # What only looks has changed nothing.
        silence = about | (_RESTART if about["method"] in LOOKING else {})
        try:
            try:
                connection.connect()
                connection.sock = _Link(connection.sock, deadline)
            except OSError as error:
                raise Unreachable(f"nobody answers there ({_why(error)})", **about) from None
            try:
                connection.request("POST", "/", body, {"Content-Type": "application/json"})
                return self._read(connection)
            except TimeoutError:
                raise Late("no answer came in time", **silence) from None
            except (OSError, http.client.IncompleteRead, http.client.RemoteDisconnected) as error:
                why = f" ({reason(error)})" if isinstance(error, OSError) and error.errno else ""
                raise NoReply(f"the connection was closed before the answer{why}", **silence) from None
            except http.client.HTTPException as error:
                raise BadReply(f"the answer is not HTTP ({type(error).__name__})", **about) from None
            except _TooLong:
                raise BadReply(f"the answer has more than {MAX_REPLY} bytes", **about) from None
        finally:
            connection.close()

    def _read(self, connection: http.client.HTTPConnection) -> tuple[int, bytes]:
        response = connection.getresponse()
        body = bytearray()
        while piece := response.read1(_CHUNK):
            body += piece
            if len(body) > MAX_REPLY:
                raise _TooLong
        if response.length:
            raise http.client.IncompleteRead(bytes(body), response.length)
        return response.status, bytes(body)

    def _result(self, status: int, body: bytes, about: dict[str, Any]) -> Any:
        try:
            reply = json.loads(body)
        except (ValueError, RecursionError):
            what = f"HTTP {status}" if status != http.client.OK else "not JSON"
            raise BadReply(f"the answer is {what}", **about) from None
        if not isinstance(reply, dict) or not ("result" in reply or isinstance(reply.get("error"), dict)):
            raise BadReply("the answer has neither a result nor an error", **about)
        if "error" in reply and "result" not in reply:
            code, message = reply["error"].get("code"), reply["error"].get("message")
            kind = REFUSALS.get(code, Refused) if isinstance(code, int) else Refused
            raise kind(str(message or "refused without a reason"), **about)
        if reply.get("id") != self._id:
            raise BadReply("the answer belongs to another call", **about)
        return reply["result"]


class _Link(socket.socket):
    """Takes the place of a connected socket: one that brings a little now and then must end in time, too."""

    def __init__(self, link: socket.socket, deadline: float) -> None:
        super().__init__(link.family, link.type, link.proto, fileno=link.detach())
        self._deadline = deadline
        self.settimeout(_left(deadline))

    def recv_into(self, *given: Any) -> int:
        self.settimeout(_left(self._deadline))
        return super().recv_into(*given)


class _TooLong(Exception):
    pass


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _why(error: OSError) -> str:
    if isinstance(error, TimeoutError):
        return "timed out"
    if isinstance(error, socket.gaierror):
        return "there is no such host"
    return reason(error)
