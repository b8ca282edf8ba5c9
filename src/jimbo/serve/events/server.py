"""The aggregator as a server of its own."""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import os
import secrets
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Any, Literal

from jimbo.declared import Declared, declared
from jimbo.extras import check_installed, require
from jimbo.files import add_text, check_place, reason
from jimbo.serve.callers import Callers, is_loopback
from jimbo.serve.events.aggregator import Batch, EventAggregator
from jimbo.serve.events.intake import PER_MINUTE
from jimbo.telemetry.program import TOKEN
from jimbo.telemetry.source import ENDPOINT
from jimbo.train.core.settings import read_settings

DEFAULT_PORT = 8765
PING_EVERY, PING_WITHIN = 30.0, 10.0
"""Seconds between two pings of a WebSocket client, and for its answer."""
MOST_CONNECTIONS = 512
IDLE = 75.0
"""Seconds that a connection may be without a request."""
HEAD_WITHIN = 10.0
"""Seconds for the first request of a connection."""
BACKLOG = 1024
VARIABLE = "MCP_"
"""How environment variables with settings begin."""
_FORMAT = "%(asctime)s %(message)s"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings(Declared):
    """Where and how an aggregator works."""

    host: str = declared("127.0.0.1", "address to listen on", nonempty=True)
    port: int = declared(DEFAULT_PORT, "port to listen on; 0: any free one", min=0, max=65_535)
    batch_window_ms: float = declared(100.0, "milliseconds for which events are collected", min=0, max=60_000)
    max_queue_size: int = declared(10_000, "events that wait at most; more are dropped", min=1, max=1_000_000)
    max_batch_size: int = declared(1000, "events that are handed on together at most", min=1, max=100_000)
    log_level: Literal["debug", "info", "warning", "error", "critical"] = declared(
        "warning", "how much is told on the error stream"
    )
    per_minute: int = declared(
        PER_MINUTE, "events that a WebSocket client may send in a minute; 0: no limit", min=0, max=100_000_000
    )


class PortTaken(ValueError):
    """A port that cannot be had; the sentence says why."""


class Keeper:
    """Writes events into a file as JSON lines, whole or not at all."""

    def __init__(self, path: Path) -> None:
        check_place(path)
        self._path = path
        self._file: FileIO = FileIO(path, "ab")

    def __call__(self, batch: Batch) -> None:
        add_text(self._file, "".join(f"{json.dumps(event, ensure_ascii=False)}\n" for event in batch))

    def close(self) -> None:
        self._file.close()


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; PortTaken with a sentence where it cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        made = socket.create_server((host, port), family=family, backlog=BACKLOG)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # of its connections, too: answers do not wait
        return made
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortTaken(
                f"Port {port} of {host} is in use. Choose another with --port, or stop what uses it"
            ) from None
        raise PortTaken(f"Port {port} of {host} cannot be opened: {reason(error)}") from None


def settings_from(given: Mapping[str, Any]) -> ServerSettings:
    """Return the settings: what was typed, over the environment, over the defaults; ValueError."""
    return read_settings(ServerSettings, given, environ=os.environ, variable=VARIABLE)


def run_server(
    settings: ServerSettings,
    *,
    keep: Path | None = None,
    hand_on: Callable[[Batch], None] | None = None,
    started: Callable[[str, str], None] = lambda address, token: None,
) -> dict[str, Any]:
    """Serve until Ctrl-C, and return the last health. ``started`` is told the address, such as 127.0.0.1:8765, and the
    token that callers must show, if any: that of the environment, or a new one where other machines can come.
    ``hand_on`` is called with every batch."""
    check_installed(("starlette", "uvicorn", "websockets"), "events")
    logging.basicConfig(format=_FORMAT)
    logging.getLogger("jimbo.events").setLevel(settings.log_level.upper())
    token = os.environ.get(TOKEN, "") or ("" if is_loopback(settings.host) else secrets.token_urlsafe(18))
    with ExitStack() as stack:
        place = stack.enter_context(listen(settings.host, settings.port))
        keeper = Keeper(keep) if keep else None
        if keeper:
            stack.callback(keeper.close)
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        started(f"{host}:{place.getsockname()[1]}", token)
        handlers = [handler for handler in (keeper, hand_on) if handler is not None]
        return asyncio.run(_serve(settings, place, handlers, token))


async def _serve(
    settings: ServerSettings, place: socket.socket, handlers: Sequence[Callable[[Batch], None]], token: str
) -> dict[str, Any]:
    from jimbo.serve.events.app import MAX_BODY, EventApp  # it needs packages of the extra

    aggregator = EventAggregator(settings.batch_window_ms, settings.max_queue_size, settings.max_batch_size)
    for handler in handlers:
        aggregator.add_delivery_handler(handler)
    app = EventApp(aggregator, Callers(settings.host), per_minute=settings.per_minute, token=token)
    uvicorn = require("uvicorn", "events")
    config = uvicorn.Config(
        app,
        interface="asgi3",
        proxy_headers=False,
        http=_protocol(),
        ws=_websockets(),
        ws_max_size=MAX_BODY,
        ws_ping_interval=PING_EVERY,
        ws_ping_timeout=PING_WITHIN,
        ws_per_message_deflate=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=int(IDLE),
        timeout_graceful_shutdown=2,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
    )

    class Server(uvicorn.Server):  # type: ignore[misc, name-defined]
        async def shutdown(self, sockets: Any = None) -> None:
            app.stream.end()
            await super().shutdown(sockets)

    with suppress(KeyboardInterrupt):  # it has stopped in good order, and passes the signal on
        await Server(config).serve(sockets=[place])
    return app.health()


def greeting(address: str, token: str) -> list[str]:
    """Return what to say when an aggregator has started."""
    lines = [f"Events are taken at ws://{address}{ENDPOINT} and http://{address}/api/v1/events"]
    return [*lines, f"with the header Authorization: Bearer {token}"] if token else lines


def farewell(health: Mapping[str, Any]) -> str:
    """Return what an aggregator did."""
    taken, dropped, refused = (health[f"events_{name}"] for name in ("processed", "dropped", "refused"))
    return f"{taken:,} events handed on, {dropped:,} dropped, {refused:,} refused"


def _protocol() -> type[Any]:
    """Return uvicorn's HTTP, which closes a connection that has not made a request after a while."""
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class ImpatientProtocol(H11Protocol):
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self.loop.call_later(HEAD_WITHIN, self._close_if_silent, transport)

        def _close_if_silent(self, transport: Any) -> None:
            if getattr(self, "scope", None) is None and not transport.is_closing() and transport.get_protocol() is self:
                transport.close()

    return ImpatientProtocol


def _websockets() -> type[Any]:
    """Return uvicorn's WebSockets, which leave a client that answers no ping and sends nothing else either.

    The answer of one that sends much comes behind all that; while it is read more slowly, it may take any time.
    """
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

    class PatientProtocol(WebSocketsSansIOProtocol):
        heard_at = 0.0

        def data_received(self, data: bytes) -> None:
            self.heard_at = self.loop.time()
            super().data_received(data)

        def keepalive_timeout(self) -> None:
            if self.heard_at < self.ping_sent_at and self.transport.is_reading():
                super().keepalive_timeout()
                return
            self.pong_timer, self.pending_ping_payload = None, None
            self.schedule_ping()

    return PatientProtocol
