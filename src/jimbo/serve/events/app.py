"""The aggregator as an ASGI app: WebSocket, REST, a stream, health and metrics."""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from jimbo.extras import require
from jimbo.files import loads
from jimbo.serve.callers import Callers
from jimbo.serve.events.aggregator import EventAggregator
from jimbo.serve.events.intake import PER_MINUTE, Allowance, Intake, Loss
from jimbo.serve.events.metrics import CONTENT_TYPE, LIMITED, Counts, prometheus_text
from jimbo.serve.events.stream import KEPT, MOST_WATCHERS, Stream, WantedEvents
from jimbo.telemetry.messages import MAX_EVENT, BadMessage, check_size
from jimbo.telemetry.source import ENDPOINT

require("starlette", "events")

from starlette.applications import Starlette  # noqa: E402
from starlette.requests import ClientDisconnect, Request  # noqa: E402
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse  # noqa: E402
from starlette.routing import Route, WebSocketRoute  # noqa: E402

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

MAX_BODY = 1 << 20
MAX_BATCH = 1000
"""Events in a request."""
BODY_WITHIN = 10.0
"""Seconds for the body of a request."""
SEND_WITHIN = 10.0
"""Seconds for a client to read what it is told; one that does not is left."""
TELL_EVERY = 0.5
"""Seconds between two messages to a client about what it lost."""
MOST_CLIENTS = 256
NAMED = 10
"""Refused messages of a batch that are named in the answer."""
_log = logging.getLogger("jimbo.events")


@dataclass(slots=True, eq=False)
class EventClient:
    """A WebSocket client."""

    id: str
    allowance: Allowance
    send: Send
    loss: Loss = field(default_factory=Loss)
    told: asyncio.Task[None] | None = None
    """The message about losses that is under way."""


class _Endpoint:
    """An ASGI app as an endpoint, so that nothing more happens for each message."""

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]]) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)


class EventApp:
    """An aggregator and the doors to it: an ASGI app, with a lifespan."""

    def __init__(
        self, aggregator: EventAggregator, callers: Callers, *, per_minute: int = PER_MINUTE, token: str = ""
    ) -> None:
        """``per_minute``: events of a WebSocket client, 0 for no limit. ``token``: what callers must show."""
        self.aggregator, self.counts, self.stream = aggregator, Counts(), Stream()
        self._callers, self._per_minute, self._token = callers, per_minute, token
        self._intake = Intake(aggregator, self.counts)
        self._clients: set[EventClient] = set()
        self._began = time.monotonic()
        aggregator.add_delivery_handler(self.stream.deliver)
        aggregator.watch_batches(self.counts.batch)
        routes = [
            WebSocketRoute(ENDPOINT, _Endpoint(self._converse)),
            Route("/api/v1/events", self._one, methods=["POST"]),
            Route("/api/v1/events/batch", self._many, methods=["POST"]),
            Route("/api/v1/events/stream", self._stream, methods=["GET"]),
            Route("/api/v1/stats", self._stats, methods=["GET"]),
            Route("/health", self._health, methods=["GET"]),
            Route("/metrics", self._metrics, methods=["GET"]),
        ]
        self._app = Starlette(routes=routes, lifespan=self._lifespan)

    @property
    def clients(self) -> int:
        """Clients that are connected by WebSocket."""
        return len(self._clients)

    @asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        await self.aggregator.start()
        teller = asyncio.create_task(self._tell_losses(), name="jimbo-event-losses")
        try:
            yield
        finally:
            teller.cancel()
            await self.aggregator.stop()

    # --- Who may come in ----------------------------------------------------------------------------------------------

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
            refusal = self._callers.refusal(headers.get("host"), headers.get("origin"))
            if refusal is not None:
                await _refuse(scope, send, 403, refusal)
                return
            if self._token and not self._shows_token(headers.get("authorization", "")):
                await _refuse(scope, send, 401, "This aggregator wants a token: Authorization: Bearer TOKEN")
                return
        await self._app(scope, receive, send)  # type: ignore[arg-type]

    def _shows_token(self, text: str) -> bool:
        return hmac.compare_digest(text.encode(), f"Bearer {self._token}".encode())

    # --- WebSocket ----------------------------------------------------------------------------------------------------

    async def _converse(self, scope: Scope, receive: Receive, send: Send) -> None:
        if len(self._clients) >= MOST_CLIENTS:
            await _refuse(scope, send, 503, f"There are {MOST_CLIENTS} clients already; come back later")
            return
        await receive()
        await send({"type": "websocket.accept"})
        client = EventClient(secrets.token_hex(4), Allowance(self._per_minute), send)
        self._clients.add(client)
        _log.info("Client %s has come; there are %d.", client.id, len(self._clients))
        try:
            while (message := await receive())["type"] == "websocket.receive":
                text = message.get("text")
                await self.aggregator.room()
                try:
                    self._intake.from_client(
                        message.get("bytes") or b"" if text is None else text, client.id, client.allowance, client.loss
                    )
                except BadMessage as error:
                    await _tell(client, {"reason": error.reason, "message": str(error)})
        except (TimeoutError, OSError):
            _log.warning("Client %s does not read what it is told; it was left.", client.id)
            with suppress(Exception):
                await asyncio.wait_for(send({"type": "websocket.close", "code": 1008}), 1.0)
        finally:
            self._clients.discard(client)
            if client.told:
                client.told.cancel()
            _log.info("Client %s has gone; there are %d.", client.id, len(self._clients))

    async def _tell_losses(self) -> None:
        """Tell every client now and then what it has lost; nobody waits for one that does not read."""
        while True:
            await asyncio.sleep(TELL_EVERY)
            for client in list(self._clients):
                if (client.told is None or client.told.done()) and (loss := client.loss.taken()):
                    client.told = asyncio.create_task(self._tell_loss(client, loss))

    async def _tell_loss(self, client: EventClient, loss: Loss) -> None:
        with suppress(Exception):  # one that has gone needs to know nothing
            if loss.full:
                sentence = f"The queue of the aggregator was full: {loss.full} of your events were dropped."
                await _tell(client, {"reason": "queue_full", "dropped": loss.full, "message": sentence})
            if loss.limited:
                allowed = f"{self._per_minute} events a minute are allowed"
                sentence = f"{allowed}: {loss.limited} of yours were dropped. Send them more slowly."
                await _tell(client, {"reason": LIMITED, "dropped": loss.limited, "message": sentence})

    # --- REST ---------------------------------------------------------------------------------------------------------

    async def _one(self, request: Request) -> Response:
        body = await _body(request, MAX_EVENT)
        if isinstance(body, Response):
            if body.status_code == 413:
                self.counts.received += 1
                self.counts.refused["too_large"] += 1
            return body
        await self.aggregator.room()
        try:
            taken = self._intake.from_request(body, _caller(request))
        except BadMessage as error:
            return _error(400, str(error), reason=error.reason)
        if taken is False:
            return _error(503, "The queue is full; the event was dropped", reason="queue_full", dropped=1)
        told = {"message": "this event had come before"} if taken is None else {}
        return JSONResponse({"status": "accepted", **told})

    async def _many(self, request: Request) -> Response:
        body = await _body(request, MAX_BODY)
        if isinstance(body, Response):
            return body
        try:
            data = loads(body.decode("utf-8"), finite=True)
        except ValueError as error:
            why = "it is not UTF-8 text" if isinstance(error, UnicodeError) else str(error)
            return _error(400, f"The batch cannot be read: {why}")
        if isinstance(data, dict):
            data = data.get("events")
        if not isinstance(data, list):
            return _error(400, 'A batch is a list of events, or an object with the list "events"')
        if len(data) > MAX_BATCH:
            return _error(413, f"A batch has at most {MAX_BATCH:,} events, not {len(data):,}")
        caller, measure = _caller(request), check_size if len(body) > MAX_EVENT else None
        outcomes: Counter[bool | None] = Counter()
        errors: list[dict[str, Any]] = []
        for place, entry in enumerate(data):
            await self.aggregator.room()
            try:
                outcomes[self._intake.from_request(entry, caller, measure)] += 1
            except BadMessage as error:
                errors.append({"index": place, "reason": error.reason, "message": str(error)})
        accepted, repeated, dropped, refused = outcomes[True], outcomes[None], outcomes[False], len(errors)
        answer: dict[str, Any] = {"accepted": accepted, "repeated": repeated, "dropped": dropped, "refused": refused}
        if dropped or refused:
            full = f"the queue was full, and {dropped} were dropped" if dropped else ""
            bad = f"{refused} were refused" if refused else ""
            answer["message"] = f"Of {len(data)} events, {'; '.join(filter(None, (full, bad)))}."
            answer |= {"errors": errors[:NAMED]} if errors else {}
        status = "accepted" if accepted + repeated == len(data) else "partial" if accepted + repeated else "rejected"
        code = 200 if status != "rejected" else 503 if dropped else 400
        return JSONResponse({"status": status, **answer}, code)

    # --- What can be seen ---------------------------------------------------------------------------------------------

    async def _stream(self, request: Request) -> Response:
        if len(self.stream) >= MOST_WATCHERS:
            return _error(503, f"There are {MOST_WATCHERS} watchers already; come back later")
        query = request.query_params
        try:
            last = request.headers.get("last-event-id") or query.get("after")
            after, recent = _whole(last) if last else None, _whole(query.get("recent", "0"))
        except ValueError:
            return _error(400, "after and recent are whole numbers")
        wanted = WantedEvents.of(query.getlist("type"), query.getlist("game_id"))
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        texts = self.stream.watched(wanted, after, min(recent, KEPT))
        return StreamingResponse(texts, media_type="text/event-stream", headers=headers)

    def health(self) -> dict[str, Any]:
        """Return how it goes, in a few numbers."""
        stats, counts = self.aggregator.get_stats(), self.counts
        full = self.aggregator.queue_size >= self.aggregator.max_queue_size
        return {
            "status": "overloaded" if full else "healthy",
            "uptime": round(time.monotonic() - self._began, 3),
            "connections": len(self._clients),
            "events_processed": self.aggregator.processed,
            "avg_latency_ms": round(stats["avg_latency_ms"], 3),
            "events_received": counts.received,
            "events_dropped": self.aggregator.dropped,
            "events_refused": sum(counts.refused.values()),
            "queue_size": self.aggregator.queue_size,
        }

    async def _health(self, _request: Request) -> Response:
        return JSONResponse(self.health())

    async def _stats(self, _request: Request) -> Response:
        return JSONResponse(self.aggregator.get_stats())

    async def _metrics(self, request: Request) -> Response:
        base = request.query_params.get("units") == "base"
        text = prometheus_text(self.counts, self.aggregator, len(self._clients), len(self.stream), base_units=base)
        return PlainTextResponse(text, media_type=CONTENT_TYPE)


async def _tell(client: EventClient, data: dict[str, Any]) -> None:
    """Send a client a message of the type error; TimeoutError if it does not read."""
    text = json.dumps({"type": "error", "timestamp": time.time(), "data": data}, ensure_ascii=False)
    await asyncio.wait_for(client.send({"type": "websocket.send", "text": text}), SEND_WITHIN)


async def _refuse(scope: Scope, send: Send, status: int, sentence: str) -> None:
    """Answer somebody who may not come in."""
    body = json.dumps({"status": "error", "error": f"{sentence}."}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    kind = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    await send({"type": f"{kind}.start", "status": status, "headers": headers})
    await send({"type": f"{kind}.body", "body": body})


async def _body(request: Request, most: int) -> bytes | Response:
    """Return the body of a request, or the answer to one that is too large or comes too slowly."""
    body = b""
    try:
        async with asyncio.timeout(BODY_WITHIN):
            async for piece in request.stream():
                body += piece
                if len(body) > most:
                    return _error(413, f"The request has more than {most:,} bytes", reason="too_large")
    except TimeoutError:
        return _error(408, f"The request did not come within {BODY_WITHIN:g} seconds")
    except ClientDisconnect:
        return _error(400, "The request was not complete")
    return body


def _error(status: int, sentence: str, **more: Any) -> JSONResponse:
    return JSONResponse({"status": "error", "error": f"{sentence.rstrip('.')}.", **more}, status)


def _caller(request: Request) -> str:
    return request.client.host if request.client else "unknown"


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 16):
        raise ValueError(text)
    return int(text)
