"""The server over HTTP: on this machine alone, for programs that know its token, and for no page of a web browser."""

from __future__ import annotations

import hmac
import os
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import uvicorn
from mcp.server.mcpserver import MCPServer
from starlette.datastructures import Headers
from starlette.responses import JSONResponse

from jimbo.serve.callers import Callers

PATH = "/mcp"
HOST = "127.0.0.1"
MOST_BODY = 1 << 16
"""Bytes of a request; no tool takes as much."""
MOST_AT_ONCE = 64
"""Connections."""
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class TokenGuard:
    """An application behind the token, for callers from this machine that are no web pages."""

    def __init__(self, app: App, token: str) -> None:
        self._app, self._token, self._callers = app, token, Callers(HOST)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (refusal := self._refusal(Headers(scope=scope))):
            status, why = refusal
            headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
            await JSONResponse({"error": f"{why}."}, status, headers)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _refusal(self, headers: Headers) -> tuple[int, str] | None:
        if why := self._callers.refusal(headers.get("host"), headers.get("origin")):
            return 403, why
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not hmac.compare_digest(given.strip().encode(), self._token.encode()):
            return 401, "The header Authorization must be Bearer and the token that the server printed"
        return None


def application(server: MCPServer[Any], token: str) -> App:
    """The server as an ASGI application. Every request stands alone: there are no sessions to lose or to steal."""
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=MOST_BODY,
        host=HOST,
    )
    return TokenGuard(app, token)


def listening(port: int) -> socket.socket:
    """A socket on this machine; ValueError with a sentence for a port that is taken. 0: any free port."""
    try:
        made = socket.create_server((HOST, port))
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # of its connections, too: answers do not wait
        return made
    except OSError as error:
        why = os.strerror(error.errno or 0)
        raise ValueError(f"Port {port} of {HOST} cannot be used: {why}. Choose another with --port.") from None


def serve(server: MCPServer[Any], link: socket.socket, token: str) -> None:
    """Serve until the process is told to end."""
    config = uvicorn.Config(
        application(server, token),
        log_level="error",
        limit_concurrency=MOST_AT_ONCE,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=16_384,
        ws="none",
        server_header=False,
    )
    uvicorn.Server(config).run(sockets=[link])
