"""Events in a bounded queue, handed on in batches."""

from __future__ import annotations

import asyncio
import inspect
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

Message = dict[str, Any]
Batch = list[Message]
Handler = Callable[[Batch], Awaitable[Any] | Any]
"""Takes a batch. One that is no coroutine runs in a thread."""

KEPT_STATS = 100
WARN_EVERY = 1.0
"""Seconds between two warnings of a full queue."""
ROOM_EVERY, STUCK_AFTER = 0.005, 1.0
"""Seconds between two looks at a queue that is half full, and without progress until nobody waits any more."""
_log = logging.getLogger("jimbo.events")


@dataclass(frozen=True, slots=True)
class BatchStats:
    """How a batch went."""

    size: int
    latency_ms: float
    """From the arrival of its first event to the end of its delivery."""
    processing_time_ms: float
    """What the handlers took of that."""


class EventAggregator:
    """Collects events for ``batch_window_ms``, or until there are ``max_batch_size``, and hands them to the handlers.

    All of it belongs to one event loop. A queue that is full takes nothing more: ``add_event`` says so, and counts it.
    """

    def __init__(self, batch_window_ms: float = 100, max_queue_size: int = 10_000, max_batch_size: int = 1000) -> None:
        if batch_window_ms < 0 or max_queue_size < 1 or max_batch_size < 1:
            raise ValueError("The window must be at least 0 ms, and the queue and the batches hold at least one event.")
        self.batch_window_ms, self.max_queue_size, self.max_batch_size = batch_window_ms, max_queue_size, max_batch_size
        self.processed = 0
        """Events that were handed on."""
        self.dropped = 0
        """Events that found the queue full."""
        self.failures = 0
        """Batches that a handler failed to take."""
        self.batches = 0
        self._queue: deque[tuple[float, Message]] = deque()
        self._there = asyncio.Event()
        self._full = asyncio.Event()
        self._stops = False
        self._stuck_at = -1
        """Events that had been handed on when waiting for more was given up."""
        self._recent: deque[BatchStats] = deque(maxlen=KEPT_STATS)
        self._batch_handler: Handler | None = None
        self._handlers: list[Handler] = []
        self._watchers: list[Callable[[BatchStats], None]] = []
        self._warned, self._unwarned = 0.0, 0
        self._task: asyncio.Task[None] | None = None

    # --- Who gets batches ---------------------------------------------------------------------------------------------

    def set_batch_handler(self, handler: Handler | None) -> None:
        """Have every batch go through a handler first; what it returns, if anything, is handed on in its place."""
        self._batch_handler = handler

    def add_delivery_handler(self, handler: Handler) -> None:
        """Hand every batch to one more handler. One that fails does not keep a batch from the others."""
        self._handlers.append(handler)

    def watch_batches(self, watcher: Callable[[BatchStats], None]) -> None:
        """Tell somebody how each batch went."""
        self._watchers.append(watcher)

    # --- Events -------------------------------------------------------------------------------------------------------

    @property
    def queue_size(self) -> int:
        return len(self._queue)

    def add_event(self, event: Message) -> bool:
        """Queue an event; False where the queue is full and it was dropped."""
        if len(self._queue) >= self.max_queue_size or self._stops:
            self.dropped += 1
            self._warn()
            return False
        self._queue.append((time.monotonic(), event))
        self._there.set()
        if len(self._queue) >= self.max_batch_size:
            self._full.set()
        return True

    async def room(self) -> None:
        """Wait for a queue that is more than half full to be handed on, but not for handlers that have got stuck.

        Whoever reads events from a connection waits here before each, so that senders slow down before any is lost.
        """
        if 2 * len(self._queue) < self.max_queue_size or self._stuck_at == self.processed:
            return
        seen, since = self.processed, time.monotonic()
        while 2 * len(self._queue) >= self.max_queue_size and self._stuck_at != self.processed:
            await asyncio.sleep(ROOM_EVERY)
            if self.processed != seen:
                seen, since = self.processed, time.monotonic()
            elif time.monotonic() - since >= STUCK_AFTER:
                self._stuck_at = self.processed

    def _warn(self) -> None:
        self._unwarned += 1
        if time.monotonic() - self._warned >= WARN_EVERY:
            _log.warning("The queue is full (%d events): %d dropped.", len(self._queue), self._unwarned)
            self._warned, self._unwarned = time.monotonic(), 0

    async def start(self) -> None:
        if self._task is None:
            self._stops = False
            self._task = asyncio.create_task(self._work(), name="jimbo-event-batches")

    async def stop(self) -> None:
        """Hand on what is there, and stop. Events that come later are dropped."""
        if self._task is None:
            return
        self._stops = True
        self._there.set()
        self._full.set()
        task, self._task = self._task, None
        await task

    # --- Batches ------------------------------------------------------------------------------------------------------

    async def _work(self) -> None:
        while True:
            await self._there.wait()
            if not self._queue and self._stops:
                return
            if not self._stops:
                await self._window()
            size = min(len(self._queue), self.max_batch_size)
            taken = [self._queue.popleft() for _ in range(size)]
            if not self._queue and not self._stops:
                self._there.clear()
            if len(self._queue) < self.max_batch_size and not self._stops:
                self._full.clear()
            if taken:
                await self._process(taken[0][0], [event for _, event in taken])

    async def _window(self) -> None:
        """Wait until the first event is old enough, or there are enough for a batch."""
        if self._queue:
            left = self._queue[0][0] + self.batch_window_ms / 1000 - time.monotonic()
            if left > 0:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._full.wait(), left)

    async def _process(self, came: float, batch: Batch) -> None:
        began = time.monotonic()
        if self._batch_handler is not None:
            changed = await self._handed(self._batch_handler, batch)
            batch = changed if isinstance(changed, list) else batch
        await asyncio.gather(*(self._handed(handler, batch) for handler in self._handlers))
        ended = time.monotonic()
        stats = BatchStats(len(batch), 1000 * (ended - came), 1000 * (ended - began))
        self.processed += len(batch)
        self.batches += 1
        self._recent.append(stats)
        for watcher in self._watchers:
            watcher(stats)

    async def _handed(self, handler: Handler, batch: Batch) -> Any:
        try:
            if inspect.iscoroutinefunction(handler):
                return await handler(batch)
            return await asyncio.get_running_loop().run_in_executor(None, handler, batch)
        except Exception:
            self.failures += 1
            _log.exception("A handler failed to take a batch of %d events.", len(batch))
            return None

    # --- How it goes --------------------------------------------------------------------------------------------------

    def get_stats(self) -> dict[str, Any]:
        """Return numbers about the last hundred batches, and all since the start."""
        recent = [*self._recent]
        times = [one.processing_time_ms for one in recent] or [0.0]
        return {
            "batch_count": self.batches,
            "avg_batch_size": sum(one.size for one in recent) / max(1, len(recent)),
            "avg_processing_time_ms": sum(times) / len(times),
            "max_processing_time_ms": max(times),
            "avg_latency_ms": sum(one.latency_ms for one in recent) / max(1, len(recent)),
            "current_queue_size": len(self._queue),
            "events_processed": self.processed,
            "events_dropped": self.dropped,
            "handler_failures": self.failures,
            "recent_batches": [asdict(one) for one in recent],
        }
