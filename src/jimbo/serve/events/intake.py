"""The way of a message into the queue: read, checked, counted, and refused with a sentence where it must be."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jimbo.serve.events.aggregator import EventAggregator
from jimbo.serve.events.metrics import LIMITED, Counts
from jimbo.telemetry.messages import BadMessage, checked_message, read_message

PER_MINUTE = 600
MINUTE = 60.0
SESSIONS = 4096
"""Senders whose last number is remembered."""


class Allowance:
    """How many events a client may send in a minute, counted from its first. 0: as many as it likes."""

    def __init__(self, per_minute: int) -> None:
        self._per_minute = per_minute
        self._count, self._ends = 0, 0.0

    def take(self) -> bool:
        if not self._per_minute:
            return True
        now = time.monotonic()
        if now >= self._ends:
            self._count, self._ends = 0, now + MINUTE
        self._count += 1
        return self._count <= self._per_minute


@dataclass(slots=True)
class Loss:
    """Events of a client that were lost and of which it has not been told."""

    full: int = 0
    limited: int = 0

    def taken(self) -> Loss | None:
        """Return what there is to tell, once."""
        if not (self.full or self.limited):
            return None
        told = Loss(self.full, self.limited)
        self.full = self.limited = 0
        return told


class Intake:
    """Where every message comes in."""

    def __init__(self, aggregator: EventAggregator, counts: Counts) -> None:
        self._aggregator, self._counts = aggregator, counts
        self._last: OrderedDict[str, int] = OrderedDict()
        """The number of the last event of each sender that numbers them."""

    def from_client(self, text: str | bytes, client: str, allowance: Allowance, loss: Loss) -> None:
        """Take the message of a WebSocket client; BadMessage for one that is refused."""
        self._counts.received += 1
        if not allowance.take():
            self._counts.refused[LIMITED] += 1
            loss.limited += 1
        elif self._queued(lambda: read_message(text), client) is False:
            loss.full += 1

    def from_request(self, data: Any, client: str, measure: Callable[[Any], None] | None = None) -> bool | None:
        """Take a message of a request: whether it was queued, or None for one that came before. BadMessage for one
        that is refused."""
        self._counts.received += 1

        def read() -> dict[str, Any]:
            if measure:
                measure(data)
            return read_message(data) if isinstance(data, bytes) else checked_message(data)

        return self._queued(read, client)

    def _queued(self, read: Callable[[], dict[str, Any]], client: str) -> bool | None:
        try:
            message = read()
        except BadMessage as error:
            self._counts.refused[error.reason] += 1
            raise
        if self._came_before(message):
            self._counts.repeated += 1
            return None
        message["_client_id"], message["_received_at"] = client, time.time()
        taken = self._aggregator.add_event(message)
        self._counts.accepted += taken
        return taken

    def _came_before(self, message: dict[str, Any]) -> bool:
        session, sequence = message.get("session_id"), message.get("sequence")
        if session is None or sequence is None:
            return False
        if sequence <= self._last.get(session, sequence - 1):
            return True
        self._last[session] = sequence
        self._last.move_to_end(session)
        if len(self._last) > SESSIONS:
            self._last.popitem(last=False)
        return False
