"""The server of the page: its port, and how it ends."""

from __future__ import annotations

import socket
from typing import Any

import uvicorn

from jimbo.serve.web.app import make_app
from jimbo.serve.web.state import Web, WebSettings

_GRACE = 2
"""Seconds that open requests have at the end."""


class WebServer(uvicorn.Server):
    """Ends the streams before it waits for them."""

    def __init__(self, config: uvicorn.Config, web: Web) -> None:
        super().__init__(config)
        self._web = web

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._web.stop()
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket at an address; OSError where it is taken or not of this machine."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(128)
    except BaseException:
        made.close()
        raise
    return made


def serve(settings: WebSettings, listener: socket.socket, **options: Any) -> None:
    """Serve until Ctrl-C or a request to end."""
    app = make_app(settings)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=_GRACE,
        **options,
    )
    WebServer(config, app.state.web).run([listener])
