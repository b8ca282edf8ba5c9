"""Events on their way to an aggregator, over HTTP."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

from jimbo.files import in_words
from jimbo.telemetry.events import EventData
from jimbo.telemetry.messages import MAX_EVENT, message_text
from jimbo.telemetry.sender import QUEUE, Packed, Sender, TimedEvent, new_session

AT_ONCE = 500
"""Events in one request."""
EVERY = 0.1
"""Seconds between two requests."""
PATIENCE = 5.0
"""Seconds for an answer."""
_PORTS = {"http": 80, "https": 443}
_SCHEMES = {"ws": "http", "wss": "https", "http": "http", "https": "https"}
ENDPOINT = "/events"
DEFAULT_URL = "ws://127.0.0.1:8765/events"
_BATCH = "/api/v1/events/batch"
_LONGEST_ANSWER = 1 << 20


@dataclass(frozen=True, slots=True)
class ServerPlace:
    """Where an aggregator is."""

    secure: bool
    host: str
    port: int

    @property
    def http(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http{'s' if self.secure else ''}://{host}:{self.port}"

    def connect(self, timeout: float = PATIENCE) -> HTTPConnection:
        """Return a connection that is open; OSError where it cannot be opened."""
        made = (HTTPSConnection if self.secure else HTTPConnection)(self.host, self.port, timeout=timeout)
        made.connect()
        return made


def place_of(url: str) -> ServerPlace:
    """Return where a URL leads, ``ws://127.0.0.1:8765/events`` or ``http://127.0.0.1:8765``; ValueError for others."""
    wrong = f'"{url}" is not an address of an event aggregator. Write it as {DEFAULT_URL} or http://127.0.0.1:8765.'
    try:
        parts = urlsplit(url)
        scheme, port = _SCHEMES[parts.scheme], parts.port
    except (ValueError, KeyError):
        raise ValueError(wrong) from None
    if not parts.hostname or parts.username or parts.query or parts.path.rstrip("/") not in ("", ENDPOINT):
        raise ValueError(wrong)
    return ServerPlace(scheme == "https", parts.hostname, port or _PORTS[scheme])


class HttpLink:
    """A connection to a server that is opened when it is needed, and again when the server has closed it."""

    def __init__(self, place: ServerPlace, headers: Mapping[str, str]) -> None:
        self._place, self._headers = place, dict(headers)
        self._link: HTTPConnection | None = None

    def post(self, path: str, body: bytes) -> tuple[int, bytes]:
        """Return status and body of the answer; OSError or ValueError where there is none."""
        fresh = self._link is None
        try:
            return self._post(path, body)
        except (OSError, HTTPException) as error:
            self.hang_up()
            if fresh:
                raise error if isinstance(error, OSError) else ValueError(in_words(error)) from None
        try:
            return self._post(path, body)  # one that rested for a while may have been closed at the other end
        except HTTPException as error:
            raise ValueError(in_words(error)) from None

    def _post(self, path: str, body: bytes) -> tuple[int, bytes]:
        if self._link is None:
            self._link = self._place.connect()
        self._link.request("POST", path, body, self._headers)
        response = self._link.getresponse()
        return response.status, response.read(_LONGEST_ANSWER)

    def hang_up(self) -> None:
        if self._link is not None:
            with suppress(OSError):
                self._link.close()
            self._link = None


class AggregatorSink:
    """An aggregator of events. It knows events that come twice by their numbers, so that a request without an answer
    can be made again."""

    at_once, every = AT_ONCE, EVERY

    def __init__(self, place: ServerPlace, *, name: str, session_id: str, token: str) -> None:
        self._name, self._session_id = name, session_id
        self._sequence = 0
        headers = {"Content-Type": "application/json"}
        self._link = HttpLink(place, headers | ({"Authorization": f"Bearer {token}"} if token else {}))

    def pack(self, told: Sequence[TimedEvent], last: bool) -> Packed:
        texts: list[bytes] = []
        for timestamp, game_id, event in told:
            self._sequence += 1
            numbered = {"source": self._name, "session_id": self._session_id, "sequence": self._sequence}
            assert isinstance(event, EventData), "an aggregator hands on to other places"
            text = message_text(event, timestamp, game_id, **numbered).encode()
            if len(text) <= MAX_EVENT:
                texts.append(text)
        return Packed(b"[%s]" % b",".join(texts) if texts else b"", len(texts), len(told) - len(texts))

    def send(self, packed: Packed) -> tuple[int, str]:
        status, data = self._link.post(_BATCH, packed.body)
        try:
            answer = json.loads(data)
            counts = [answer.get(name, 0) for name in ("accepted", "repeated")]
        except (ValueError, AttributeError):
            answer, counts = {}, []
        if "accepted" not in answer or not all(type(count) is int and count >= 0 for count in counts):
            told = answer.get("error") or f"the answer has status {status} and is not that of an aggregator"
            raise ValueError(str(told))
        return sum(counts), str(answer.get("message", ""))

    def hang_up(self) -> None:
        self._link.hang_up()


class EventSource(Sender):
    """A program's events, on their way to the aggregator at ``url``. ValueError for what is not an address of one."""

    def __init__(self, url: str, *, name: str = "jimbo", token: str = "", size: int = QUEUE) -> None:
        self.name, self.session_id = name, new_session()
        place = place_of(url)
        super().__init__(AggregatorSink(place, name=name, session_id=self.session_id, token=token), url, size=size)
