"""Sends events from a thread of its own, never at the expense of the program.

``tell`` only puts an event into a queue. The queue is bounded, and what does not fit is dropped and counted. Where many
games could be told of, ``may_tell`` says whether there is time for one more: everything that has to do with events
takes a small share of the program's time, and beyond it whole games are left out. A place that does not answer is left
alone for a while, longer each time; what is told meanwhile waits.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from jimbo.files import in_words, reason
from jimbo.telemetry.events import EventData, GamesSkipped
from jimbo.telemetry.vitals import vitals

QUEUE = 10_000
SHARE, WAITING_SHARE = 0.01, 0.002
"""Shares of the program's processor time, or of all time if that is more, which helps programs that mostly wait."""
HEAD_START = 0.02
"""Seconds of processor time that may be spent before the share counts."""
SOON = 0.1
"""Seconds between two tries at the end."""
VITALS_EVERY = 5.0
"""Seconds between two signs of life of a process."""
LAST_PATIENCE = 2.0
"""Seconds for what is left at the end."""
SHORTEST_PAUSE, LONGEST_PAUSE = 0.5, 5.0
"""Seconds after which a place that does not answer is tried again, at first and later."""


class TimedEvent(NamedTuple):
    """An event, with when it happened and in which run."""

    timestamp: float
    game_id: str
    event: EventData | Mapping[str, Any]
    """An event, or a message about one that came from another program."""


@dataclass(frozen=True, slots=True)
class Packed:
    """A batch as it will be sent, once or until it arrives."""

    body: Any
    """Nothing where there is nothing to send."""
    events: int
    """Events that it stands for."""
    lost: int = 0
    """Events that cannot be sent to this place."""


class Destination(Protocol):
    """A place where events go."""

    at_once: int
    """Events in one batch."""
    every: float
    """Seconds for which events are collected, unless there are enough for a batch before."""

    def pack(self, told: Sequence[TimedEvent], last: bool) -> Packed:
        """Return a batch of these events; with ``last``, also of what was held back."""
        ...

    def send(self, packed: Packed) -> tuple[int, str]:
        """Return how many of its events were taken, and what is said about the others.

        OSError or ValueError where it should be tried again later.
        """
        ...

    def hang_up(self) -> None:
        """Let go of connections and files; they are opened again where more is sent."""
        ...


class Teller(Protocol):
    """Whoever takes events."""

    def tell(self, event: EventData, game_id: str = "") -> None: ...

    def may_tell(self) -> bool:
        """Whether there is time for one more game."""
        ...

    def skip(self, decisions: int) -> None:
        """Note a game of which nothing is told, to save time."""
        ...

    def spending(self) -> AbstractContextManager[None]:
        """Count the time of a block as spent on events."""
        ...


class Breaker:
    """How long a place is left alone: not at all while it answers, then longer with each failure."""

    def __init__(self) -> None:
        self.pause = 0.0

    def note(self, answered: bool) -> None:
        self.pause = 0.0 if answered else min(max(2 * self.pause, SHORTEST_PAUSE), LONGEST_PAUSE)


class Sender:
    """A program's events, on their way to a sink."""

    def __init__(self, sink: Destination, url: str, *, size: int = QUEUE) -> None:
        self.url = url
        self._sink, self._size = sink, size
        self._queue: deque[TimedEvent] = deque()
        self._began, self._began_working = time.monotonic(), time.process_time()
        self._spent = self._spent_sending = 0.0
        self._lock = threading.Lock()
        self._skipped = 0, 0
        self.told = 0
        """Events that were told, whatever became of them."""
        self.arrived = 0
        """Events that were taken."""
        self.dropped = 0
        """Events that did not fit into the queue, here or there, or that cannot be sent."""
        self.beats = False
        """Whether a heartbeat is told: by the process in which the program began, until it ends."""
        self.trouble = ""
        """Why the last batch failed, in a few words."""
        self._ends, self._wake = threading.Event(), threading.Event()
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
        self.put(TimedEvent(time.time(), game_id, event))

    def put(self, told: TimedEvent) -> None:
        """As ``tell``, for an event that has its time already."""
        with self._lock:  # nothing that takes time is done under it
            self.told += 1
            if len(self._queue) < self._size:
                self._queue.append(told)
                if len(self._queue) == self._sink.at_once:
                    self._wake.set()
            else:
                self.dropped += 1

    def may_tell(self) -> bool:
        """Whether there is time to tell of one more game, and room in the queue."""
        if 2 * len(self._queue) >= self._size:
            return False
        worked, passed = time.process_time() - self._began_working, time.monotonic() - self._began
        return self._spent + self._spent_sending <= HEAD_START + max(SHARE * worked, WAITING_SHARE * passed)

    def skip(self, decisions: int) -> None:
        """Note a game of which nothing is told; how many there were is told within a few seconds."""
        with self._lock:
            self._skipped = self._skipped[0] + 1, self._skipped[1] + decisions

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
        self._wake.set()
        self._thread.join(patience + 1.0)

    # --- The thread ---------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        breaker, batch, is_last = Breaker(), Packed(b"", 0), False
        next_vitals = self._began + VITALS_EVERY
        while not (self._ends.is_set() and self._is_over(batch, is_last)):
            if breaker.pause:
                if self._ends.wait(breaker.pause):
                    time.sleep(SOON)  # nobody answers; there is a little time left
            elif len(self._queue) < self._sink.at_once and not self._ends.is_set():
                self._wake.wait(self._sink.every)
            self._wake.clear()
            began = time.thread_time()
            if time.monotonic() >= next_vitals:
                next_vitals = time.monotonic() + VITALS_EVERY
                for sign in vitals(self.beats):
                    self.tell(sign)
                self.tell_skipped()
            if self._ends.is_set():
                self.tell_skipped()
            if not batch.body:
                batch, is_last = self._gathered()
            if not batch.body or self._sent(batch, breaker):
                batch = Packed(b"", 0)
            self._spent_sending += time.thread_time() - began
        self._sink.hang_up()

    def tell_skipped(self) -> None:
        """Tell of the games that were left out since this was last told."""
        with self._lock:
            (games, decisions), self._skipped = self._skipped, (0, 0)
        if games:
            self.tell(GamesSkipped(games=games, decisions=decisions))

    def _is_over(self, batch: Packed, is_last: bool) -> bool:
        return (is_last and not batch.body and not self._queue) or time.monotonic() >= self._deadline

    def _gathered(self) -> tuple[Packed, bool]:
        """Return the next events as a batch, and whether it is the last."""
        told: list[TimedEvent] = []
        while self._queue and len(told) < self._sink.at_once:
            told.append(self._queue.popleft())
        is_last = self._ends.is_set() and not self._queue
        packed = self._sink.pack(told, is_last)
        with self._lock:
            self.dropped += packed.lost
            self.arrived += 0 if packed.body else packed.events
        return packed, is_last

    def _sent(self, batch: Packed, breaker: Breaker) -> bool:
        try:
            taken, message = self._sink.send(batch)
        except (OSError, ValueError) as error:
            self._sink.hang_up()
            self.trouble = reason(error) if isinstance(error, OSError) else in_words(error)
            breaker.note(answered=False)
            return False
        taken = min(taken, batch.events)
        with self._lock:
            self.arrived += taken
            self.dropped += batch.events - taken
        if taken < batch.events:
            self.trouble = message
        breaker.note(answered=True)
        return True


def new_session() -> str:
    """Return what tells the events of one process from those of another."""
    return os.urandom(6).hex()
