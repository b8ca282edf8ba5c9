"""The application: its pages, its files, what stands behind them, and its server."""

from __future__ import annotations

import base64
import hashlib
import mimetypes
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from jimbo import __version__
from jimbo.data.notation_words import BadPosition
from jimbo.engine.catalog import CHALLENGES, DECKS, STAKES
from jimbo.rollout.loop import AgentFailed
from jimbo.seeds.starts import CHALLENGE_DECK
from jimbo.serve.game import BadInput
from jimbo.serve.web import (
    editor_routes,
    health,
    hunt_routes,
    models,
    play_routes,
    review_routes,
    seeds,
    training_routes,
)
from jimbo.serve.web.guard import Guard
from jimbo.serve.web.hunts import PageHunts
from jimbo.serve.web.reviews import Reviews
from jimbo.serve.web.state import Web, WebSettings, web_of
from jimbo.serve.web.wire import STATIC, Plain, index, page, tagged
from jimbo.wire.errors import WireError

_GRACE = 2
"""Seconds that open requests have at the end."""
PAGES = ("/", "/play", "/play/{id}", "/review", "/review/{id}", "/board", "/seeds", "/training", "/models")
"""Addresses of the page: all are the same file, which draws what its address says."""


def make_app(settings: WebSettings) -> Starlette:
    """Return the application."""
    web = Web(settings)

    @asynccontextmanager
    async def life(_app: Starlette) -> AsyncIterator[None]:
        web.begin()
        yield
        await web.end()

    mimetypes.add_type("text/javascript", ".mjs")
    mimetypes.add_type("text/javascript", ".js")
    routes: list[BaseRoute] = [
        *(Route(path, page) for path in PAGES),
        Route("/api/about", _about),
        *play_routes.ROUTES,
        *review_routes.ROUTES,
        *editor_routes.ROUTES,
        *health.ROUTES,
        *training_routes.ROUTES,
        *models.ROUTES,
        *seeds.ROUTES,
        *hunt_routes.ROUTES,
        Mount("/static", _StaticPages(directory=STATIC)),
        Route("/favicon.ico", _icon),
    ]
    guard = Middleware(Guard, host=settings.host, token=settings.token, scripts=_script_hash())
    refused: dict[Any, Any] = {
        BadPosition: editor_routes.refused,
        BadInput: _refused,
        AgentFailed: _refused,
        WireError: _refused,
        HTTPException: _http,
    }
    app = Starlette(routes=routes, middleware=[guard], exception_handlers={**refused, 500: _failed}, lifespan=life)
    app.state.web = web
    app.state.reviews = Reviews(web.games, settings.games / "sent", settings.judge)
    web.joined(app.state.reviews)
    app.state.hunts = PageHunts(settings.games / "searches")
    web.joined(app.state.hunts)
    app.state.trainings = training_routes.Trainings(web)
    return app


class _StaticPages(StaticFiles):
    """Files of the package: the browser asks whether they have changed, so that a new version counts at once."""

    def file_response(self, *args: Any, **options: Any) -> Response:
        response = super().file_response(*args, **options)
        response.headers["cache-control"] = "no-cache"
        return response


def _script_hash() -> str:
    """The hash of the import map, the one script that stands in the page itself."""
    text = index().split(b'<script type="importmap">')[1].split(b"</script>")[0]
    return f"'sha256-{base64.b64encode(hashlib.sha256(text).digest()).decode()}'"


async def _icon(request: Request) -> Response:
    return tagged(request, (STATIC / "icon.svg").read_bytes(), "image/svg+xml")


async def _about(request: Request) -> Response:
    settings = web_of(request).settings
    return Plain(
        {
            "version": __version__,
            "real": settings.real is not None,
            "armed": settings.armed,
            "decks": [_told(key, fact) for key, fact in DECKS.items() if key != CHALLENGE_DECK],
            "stakes": [{"key": key, "name": fact.name} for key, fact in STAKES.items()],
            "challenges": [_told(key, fact) for key, fact in CHALLENGES.items()],
        }
    )


def _told(key: str, fact: Any) -> dict[str, str]:
    return {"key": key, "name": fact.name, "text": fact.text}


async def _refused(_request: Request, error: Exception) -> Response:
    return Plain({"error": str(error)}, 400)


async def _http(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    sentence = (
        error.detail
        if " " in error.detail
        else {404: "There is no such page.", 405: "Not that way."}.get(error.status_code, error.detail)
    )
    return Plain({"error": sentence}, error.status_code, error.headers)


async def _failed(_request: Request, error: Exception) -> Response:
    """No path and no line of this machine leaves; the log of the server has them."""
    return Plain({"error": f"Something went wrong here ({type(error).__name__}). The server's output says what."}, 500)


# --- The server -------------------------------------------------------------------------------------------------------


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
        # asyncio does so only where a socket names its protocol. Connections take it over; without it the body of an
        # answer waits up to 40 ms for the headers to be acknowledged.
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
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
