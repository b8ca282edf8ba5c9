"""What goes over the wire: JSON in and out with limits and sentences, files with a tag, and events as they come."""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
from collections.abc import AsyncIterator, Callable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from jimbo.files import json_object
from jimbo.serve.game import BadInput

STATIC = Path(str(files("jimbo.serve.web") / "static"))
MAX_BODY = 1 << 16
"""Bytes of a request: none of the page comes near it."""
KEEP_ALIVE = 15.0
"""Seconds after which a stream says that it is still there."""


class Plain(JSONResponse):
    """JSON that any browser reads: no infinities, and nothing that is kept."""

    def render(self, content: Any) -> bytes:
        return json.dumps(plain(content), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")

    def __init__(self, content: Any, status_code: int = 200, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(content, status_code, {"cache-control": "no-store", **(headers or {})})


def plain(value: Any) -> Any:
    """Return data with null for what is no number."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return value


async def read_body(request: Request, most: int = MAX_BODY) -> bytes:
    """Return what was sent; BadInput if it is too much."""
    length = request.headers.get("content-length", "0")
    if not (length.isdecimal() and len(length) < 16 and int(length) <= most):
        raise BadInput(f"More than {most:,} bytes are not read.")
    data = bytearray()
    try:
        async for piece in request.stream():
            data += piece
            if len(data) > most:
                raise BadInput(f"More than {most:,} bytes are not read.")
    except ClientDisconnect:
        raise BadInput("The sender has gone.") from None
    return bytes(data)


async def read_object(request: Request, most: int = MAX_BODY) -> dict[str, Any]:
    """Return the JSON object that was sent; BadInput with a sentence for anything else.

    Only ``application/json`` counts: no form of another page can send it without being asked about first.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise BadInput("Send JSON, with the content type application/json.")
    try:
        return json_object(await read_body(request, most), finite=True)
    except BadInput:
        raise
    except ValueError as error:
        raise BadInput(f"What was sent cannot be used: {error}.") from None


def tagged(request: Request, data: bytes, kind: str = "application/json") -> Response:
    """Answer with data and its tag; with 304 alone where the caller has it already."""
    tag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
    headers = {"etag": tag, "cache-control": "no-cache"}
    known = {part.strip().removeprefix("W/") for part in request.headers.get("if-none-match", "").split(",")}
    if tag in known or "*" in known:
        return Response(status_code=304, headers=headers)
    return Response(data, media_type=kind, headers=headers)


async def page(request: Request) -> Response:
    """Answer with the page: all its addresses are the same file, which draws what its address says."""
    return tagged(request, index(), "text/html; charset=utf-8")


@cache
def index() -> bytes:
    """The page, with all modules named so that they are asked for at once, not one after another."""
    modules = sorted([*STATIC.glob("js/*.js"), *STATIC.glob("vendor/*.*js")])
    lines = [f'<link rel="modulepreload" href="/static/{one.relative_to(STATIC).as_posix()}">' for one in modules]
    named = "\n".join(line for line in lines if "/js/theme.js" not in line)
    return (STATIC / "index.html").read_bytes().replace(b"<!--modules-->", named.encode())


class ChangeCount:
    """A count of changes that many can wait for. Nobody is told what changed: each looks how far it had come."""

    def __init__(self) -> None:
        self.count = 0
        self.watchers = 0
        self._next = asyncio.Event()

    def note(self) -> None:
        """Note a change, in the loop of the server."""
        self.count += 1
        self._next.set()
        self._next = asyncio.Event()

    async def after(self, seen: int, seconds: float) -> bool:
        """Wait for a change after the one that was seen; return whether there was one within some seconds."""
        if self.count != seen:
            return True
        try:
            await asyncio.wait_for(self._next.wait(), seconds)
        except TimeoutError:
            return False
        return True


Event = tuple[str, str, Any]
"""An id, a name and data."""


def stream(
    changes: ChangeCount,
    news: Callable[[], list[Event]],
    stopped: Callable[[], bool],
    watched: Callable[[int], None] = lambda by: None,
) -> StreamingResponse:
    """Answer with events: what ``news`` returns now, and again after every change.

    ``news`` remembers how far this watcher is, so that a slow one gets more at once and none loses anything.
    ``watched`` is told 1 when somebody begins to watch, and -1 at the end.
    """

    async def body() -> AsyncIterator[bytes]:
        changes.watchers += 1
        watched(1)
        try:
            yield b"retry: 1000\n\n"
            while not stopped():
                seen = changes.count
                for event in news():
                    yield event_bytes(*event)
                if not await changes.after(seen, KEEP_ALIVE):
                    yield b": still here\n\n"
        finally:
            changes.watchers -= 1
            watched(-1)

    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(body(), media_type="text/event-stream", headers=headers)


def event_bytes(number: str, name: str, data: Any) -> bytes:
    text = json.dumps(plain(data), ensure_ascii=False, separators=(",", ":"))
    return f"id: {number}\nevent: {name}\ndata: {text}\n\n".encode("utf-8", "replace")
