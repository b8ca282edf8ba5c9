"""The other side of an aggregator: is it there, try it with the events of a game, and read its stream."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from itertools import count
from typing import Any
from urllib.parse import urlencode

from jimbo.agents import make_agent
from jimbo.backends.sim import SimBackend
from jimbo.extras import require
from jimbo.files import in_words, json_object, reason
from jimbo.rollout.events import GameEvents
from jimbo.rollout.games import nonce_of
from jimbo.rollout.loop import Rollout
from jimbo.telemetry.events import EventData
from jimbo.telemetry.messages import message_text
from jimbo.telemetry.source import ENDPOINT, ServerPlace, place_of

PATIENCE = 5.0
SILENT_FOR = 60.0
"""Seconds without a sign of life after which a stream is given up; there is one every 15."""
_LINE = 1 << 16
Headers = dict[str, str]


class NoAggregator(ConnectionError):
    """Nothing at an address behaves as an aggregator does; the sentence says what happened."""


def headers_of(token: str) -> Headers:
    return {"Authorization": f"Bearer {token}"} if token else {}


@contextmanager
def _told(url: str) -> Iterator[None]:
    """Make a sentence of whatever goes wrong in talking to an aggregator."""
    try:
        yield
    except (OSError, HTTPException, EOFError) as error:
        if isinstance(error, NoAggregator):
            raise
        why = reason(error) if isinstance(error, OSError) else in_words(error) or type(error).__name__
        raise NoAggregator(
            f"No event aggregator answers at {url}: {why.rstrip('.')}. Start one: jimbo events serve"
        ) from None


# --- Whether it is there ----------------------------------------------------------------------------------------------


def check_connection(url: str, token: str = "") -> dict[str, Any]:
    """Return the health of an aggregator to which a WebSocket was opened that answers a ping; NoAggregator."""
    place = place_of(url)
    with _told(url), _websocket(place, token) as link:
        began = time.perf_counter()
        if not link.ping().wait(PATIENCE):
            raise NoAggregator(f"{url} answers no ping within {PATIENCE:g} seconds.")
        milliseconds = round(1000 * (time.perf_counter() - began), 3)
        return {**health(place, token), "round_trip_ms": milliseconds}


def health(place: ServerPlace, token: str = "") -> dict[str, Any]:
    """Return what /health says."""
    with _told(place.http):
        link = place.connect(PATIENCE)
        link.request("GET", "/health", headers=headers_of(token))
        answer = link.getresponse()
        data = answer.read(1 << 16)
        link.close()
        found = _object(data, place.http)
        if "events_processed" not in found:
            raise NoAggregator(found.get("error") or _no_aggregator(place.http))
        return found


def _object(text: str | bytes, url: str) -> dict[str, Any]:
    """Return what an aggregator said; NoAggregator where it is no object."""
    try:
        return json_object(text)
    except ValueError:
        raise NoAggregator(_no_aggregator(url)) from None


def _no_aggregator(url: str) -> str:
    return f"What answers at {url} is no event aggregator."


def _websocket(place: ServerPlace, token: str) -> Any:
    connect = require("websockets.sync.client", "events").connect
    refused = require("websockets.exceptions", "events")
    address = f"{place.http.replace('http', 'ws', 1)}{ENDPOINT}"
    try:
        return connect(address, additional_headers=headers_of(token), open_timeout=PATIENCE, compression=None)
    except refused.InvalidStatus as error:
        body = error.response.body or b""
        try:
            why = json.loads(body)["error"]
        except (ValueError, KeyError, TypeError):
            why = f"status {error.response.status_code}"
        raise NoAggregator(f"{address} lets nobody in: {why}") from None
    except refused.InvalidHandshake as error:
        raise NoAggregator(f"{address} is no WebSocket: {error}") from None


# --- Events to try it with --------------------------------------------------------------------------------------------


class _Collected:
    """Keeps what is told, as messages."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def tell(self, event: EventData, game_id: str = "") -> None:
        self.texts.append(message_text(event, time.time(), game_id, source="jimbo events mock"))

    def skip(self, decisions: int) -> None:
        """Nothing is left out."""

    def may_tell(self) -> bool:
        return True

    @contextmanager
    def spending(self) -> Iterator[None]:
        yield


def mock_messages(agent: str = "greedy", seed: str | None = None) -> Iterator[str]:
    """Give the messages of one game after another, which an agent plays in the simulator."""
    player, collected, backend = make_agent(agent), _Collected(), SimBackend()
    rollout = Rollout(backend, [GameEvents(collected, agent=agent, seed=lambda: backend.seed)])
    for number in count():
        rollout.start(seed=seed)
        for _ in rollout.play(player, nonce_of(number)):
            yield from collected.texts
            collected.texts.clear()


@dataclass(slots=True)
class Sent:
    """What became of events that were sent."""

    sent: int = 0
    seconds: float = 0.0
    dropped: int = 0
    """As the aggregator told."""
    refused: int = 0
    complaints: list[str] = field(default_factory=list)
    """Different sentences of the aggregator, the first few."""


_MOST_COMPLAINTS = 5


def send_mock_events(
    url: str,
    rate: float,
    duration: float,
    token: str = "",
    *,
    messages: Iterator[str] | None = None,
    progress: Callable[[int], None] = lambda sent: None,
) -> Sent:
    """Send the events of games by WebSocket, ``rate`` in a second for ``duration`` seconds, 0 for ever; NoAggregator.

    Ctrl-C ends it early.
    """
    given, result = messages or mock_messages(), Sent()
    with _told(url), _websocket(place_of(url), token) as link:
        began = time.monotonic()
        try:
            while not duration or time.monotonic() - began < duration:
                due = int((time.monotonic() - began) * rate) + 1
                for _ in range(result.sent, due):
                    link.send(next(given))
                    result.sent += 1
                progress(result.sent)
                _listen(link, url, result, max(0.0, began + (result.sent / rate) - time.monotonic()))
            _listen(link, url, result, 1.0)  # what was lost at the end is told a moment later
        except KeyboardInterrupt:
            pass
        except require("websockets.exceptions", "events").ConnectionClosed as error:
            raise NoAggregator(f"{url} has closed the connection after {result.sent:,} events: {error}") from None
        result.seconds = time.monotonic() - began
    return result


def _listen(link: Any, url: str, result: Sent, seconds: float) -> None:
    """Wait, and read what the aggregator says meanwhile."""
    until = time.monotonic() + min(seconds, 1.0)
    while True:
        try:
            told = _object(link.recv(timeout=max(0.0, until - time.monotonic())), url).get("data")
        except TimeoutError:
            return
        if not isinstance(told, dict) or type(dropped := told.get("dropped", 0)) is not int:
            raise NoAggregator(_no_aggregator(url))
        result.dropped += dropped
        result.refused += not dropped
        sentence = str(told.get("message", ""))
        if len(result.complaints) < _MOST_COMPLAINTS and sentence not in result.complaints:
            result.complaints.append(sentence)


# --- The stream -------------------------------------------------------------------------------------------------------


def stream(
    url: str, token: str = "", *, types: Sequence[str] = (), games: Sequence[str] = (), recent: int = 0
) -> Iterator[dict[str, Any]]:
    """Give events as they are handed on, beginning with the last ``recent``; NoAggregator when the connection ends.

    A gap is an event of the type ``gap``: this reader was too slow.
    """
    place = place_of(url)
    query = urlencode([("recent", recent), *(("type", one) for one in types), *(("game_id", one) for one in games)])
    with _told(url):
        link = place.connect(SILENT_FOR)
        try:
            link.request("GET", f"/api/v1/events/stream?{query}", headers=headers_of(token))
            answer = link.getresponse()
            if answer.status != 200 or answer.headers.get_content_type() != "text/event-stream":
                raise NoAggregator(f"What answers at {url} gives no stream of events (status {answer.status}).")
            kind = ""
            while line := answer.readline(_LINE):
                name, _, value = line.decode("utf-8", "replace").rstrip("\r\n").partition(": ")
                if name == "event":
                    kind = value
                elif name == "data":
                    data = _object(value, url)
                    if kind != "gap" and not isinstance(data.get("type"), str):
                        raise NoAggregator(_no_aggregator(url))
                    yield {"type": "gap", "data": data} if kind == "gap" else data
        finally:
            link.close()
    raise NoAggregator(f"The event aggregator at {url} has ended.")
