"""Sends events to an aggregator, from a thread of its own and never at the expense of the program.

``tell`` only puts an event into a queue. The queue is bounded, and what does not fit is dropped and counted. Where many
games could be told of, ``may_tell`` says whether there is time for one more: everything that has to do with events
takes a small share of the program's time, and beyond it whole games are left out.
"""

from __future__ import annotations

import json
import threading
import time
import uuid
from collections import deque
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Protocol
from urllib.parse import urlsplit

from jimbo.files import in_words, reason
from jimbo.telemetry.events import EventData
from jimbo.telemetry.messages import MAX_EVENT, message_text

QUEUE = 10_000
AT_ONCE = 500
"""Events in one request."""
SHARE, WAITING_SHARE = 0.01, 0.0005
"""Of the program's processor time, and of all time, so that programs that mostly wait are told of, too."""
HEAD_START = 0.02
"""Seconds of processor time that may be spent before the share counts."""
EVERY = 0.1
"""Seconds between two requests."""
PATIENCE = 5.0
"""Seconds for an answer."""
LAST_PATIENCE = 2.0
"""Seconds for what is left at the end."""
SHORTEST_PAUSE, LONGEST_PAUSE = 0.5, 5.0
"""Seconds after which an aggregator that does not answer is asked again, at first and later."""
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
    wrong = f'"{url}" is no address of an event aggregator. Write it as {DEFAULT_URL} or http://127.0.0.1:8765.'
    try:
        parts = urlsplit(url)
        scheme, port = _SCHEMES[parts.scheme], parts.port
    except (ValueError, KeyError):
        raise ValueError(wrong) from None
    if not parts.hostname or parts.username or parts.query or parts.path.rstrip("/") not in ("", ENDPOINT):
        raise ValueError(wrong)
    return ServerPlace(scheme == "https", parts.hostname, port or _PORTS[scheme])


class Teller(Protocol):
    """Whoever takes events."""

    def tell(self, event: EventData, game_id: str = "") -> None: ...

    def may_tell(self) -> bool:
        """Whether there is time for one more game."""
        ...

    def spending(self) -> AbstractContextManager[None]:
        """Count the time of a block as spent on events."""
        ...


class EventSource:
    """A program's events, on their way to the aggregator at ``url``. ValueError for what is no address of one."""

    def __init__(self, url: str, *, name: str = "jimbo", token: str = "", size: int = QUEUE) -> None:
        self.url, self.name = url, name
        self.session_id = uuid.uuid4().hex[:12]
        self._place, self._token = place_of(url), token
        self._size = size
        self._queue: deque[tuple[float, str, EventData]] = deque()
        self._began, self._began_working = time.monotonic(), time.process_time()
        self._spent = self._spent_sending = 0.0
        self._sequence = 0
        self._lock = threading.Lock()
        self.told = 0
        """Events that were told, whatever became of them."""
        self.arrived = 0
        """Events that the aggregator took."""
        self.dropped = 0
        """Events that did not fit into the queue, here or there, or that were too large."""
        self.trouble = ""
        """Why the last request failed, in a few words."""
        self._link: HTTPConnection | None = None
        self._ends = threading.Event()
        self._deadline = float("inf")
        self._thread = threading.Thread(target=self._work, name="jimbo-events", daemon=True)
        self._thread.start()

    @property
    def left(self) -> int:
        """Events that have neither arrived nor been dropped."""
        return self.told - self.arrived - self.dropped

    # --- The program's side -------------------------------------------------------------------------------------------

    def tell(self, event: EventData, game_id: str = "") -> None:
        """Put an event into the queue, or drop it. This never waits."""
        with self._lock:  # nothing that takes time is done under it
            self.told += 1
            if len(self._queue) < self._size:
                self._queue.append((time.time(), game_id, event))
            else:
                self.dropped += 1

    def may_tell(self) -> bool:
        """Whether there is time to tell of one more game, and room in the queue."""
        if 2 * len(self._queue) >= self._size:
            return False
        worked, passed = time.process_time() - self._began_working, time.monotonic() - self._began
        return self._spent + self._spent_sending <= HEAD_START + SHARE * worked + WAITING_SHARE * passed

    @contextmanager
    def spending(self) -> Iterator[None]:
        """Count the processor time of a block as spent on events."""
        began = time.thread_time()
        try:
            yield
        finally:
            self._spent += time.thread_time() - began

    def close(self, patience: float = LAST_PATIENCE) -> None:
        """Send what is left, for at most ``patience`` seconds."""
        self._deadline = time.monotonic() + patience
        self._ends.set()
        self._thread.join(patience + 1.0)

    # --- The thread ---------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        batch, count, pause = b"", 0, EVERY
        while not self._is_over(bool(batch)):
            if self._ends.wait(pause) and pause > EVERY:
                time.sleep(EVERY)  # nobody answers; there is a little time left
            began = time.thread_time()
            if not batch:
                batch, count = self._gathered()
            if not batch or self._sent(batch, count):
                batch, pause = b"", 0.0 if len(self._queue) >= AT_ONCE else EVERY
            else:
                pause = min(max(2 * pause, SHORTEST_PAUSE), LONGEST_PAUSE)
            self._spent_sending += time.thread_time() - began
        self._hang_up()

    def _is_over(self, waits: bool) -> bool:
        return self._ends.is_set() and (not (waits or self._queue) or time.monotonic() >= self._deadline)

    def _gathered(self) -> tuple[bytes, int]:
        """Return the next events as the body of a request, and how many they are."""
        texts: list[bytes] = []
        while self._queue and len(texts) < AT_ONCE:
            timestamp, game_id, event = self._queue.popleft()
            self._sequence += 1
            numbered = {"source": self.name, "session_id": self.session_id, "sequence": self._sequence}
            text = message_text(event, timestamp, game_id, **numbered).encode()
            if len(text) > MAX_EVENT:
                self._drop(1)
            else:
                texts.append(text)
        return (b"[%s]" % b",".join(texts) if texts else b""), len(texts)

    def _sent(self, body: bytes, count: int) -> bool:
        """Whether the aggregator has answered. It knows events that come twice by their numbers, so that a request
        without an answer can be made again."""
        for _ in range(2):  # a connection that has not been used for a while may have been closed at the other end
            fresh = self._link is None
            try:
                arrived, message = self._answer(body)
            except (OSError, HTTPException, ValueError) as error:
                self._hang_up()
                self.trouble = reason(error) if isinstance(error, OSError) else in_words(error)
                if fresh:
                    return False
                continue
            arrived = min(arrived, count)
            self.arrived += arrived
            self._drop(count - arrived)
            if arrived < count:
                self.trouble = message
            return True
        return False

    def _answer(self, body: bytes) -> tuple[int, str]:
        """Return how many events arrived, and what the aggregator says; ValueError where that is no answer of one."""
        if self._link is None:
            self._link = self._place.connect()
        headers = {"Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        self._link.request("POST", _BATCH, body, headers)
        response = self._link.getresponse()
        data = response.read(_LONGEST_ANSWER)
        try:
            answer = json.loads(data)
            counts = [answer.get(name, 0) for name in ("accepted", "repeated")]
        except (ValueError, AttributeError):
            answer, counts = {}, []
        if "accepted" not in answer or not all(type(count) is int and count >= 0 for count in counts):
            told = answer.get("error") or f"the answer has status {response.status} and is not that of an aggregator"
            raise ValueError(str(told))
        return sum(counts), str(answer.get("message", ""))

    def _drop(self, count: int) -> None:
        with self._lock:
            self.dropped += count

    def _hang_up(self) -> None:
        if self._link is not None:
            with suppress(OSError):
                self._link.close()
            self._link = None
