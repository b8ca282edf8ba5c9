"""The stream of events for pages and programs that watch: server-sent events, each watcher with a bounded queue."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass

from jimbo.serve.events.aggregator import Batch, Message

KEPT = 1000
"""Events that are kept for watchers that come later or come back."""
WAITING = 5000
"""Events that wait for one watcher; the oldest go first."""
KEEP_ALIVE = 15.0
MOST_WATCHERS = 64


@dataclass(frozen=True, slots=True)
class WantedEvents:
    """Which events a watcher wants: types, or the beginnings of types that end with ``*``; and games. Empty: all."""

    types: frozenset[str] = frozenset()
    topics: tuple[str, ...] = ()
    games: frozenset[str] = frozenset()

    @classmethod
    def of(cls, types: Iterable[str], games: Iterable[str]) -> WantedEvents:
        given = [part for text in types for part in text.split(",") if part]
        topics = tuple(part[:-1] for part in given if part.endswith("*"))
        return cls(frozenset(part for part in given if not part.endswith("*")), topics, frozenset(games))

    def has(self, event: Message) -> bool:
        kind = event["type"]
        if (
            (self.types or self.topics)
            and kind not in self.types
            and not (self.topics and kind.startswith(self.topics))
        ):
            return False
        return not self.games or event["game_id"] in self.games


@dataclass(frozen=True, slots=True)
class Numbered:
    """An event on the stream."""

    number: int
    event: Message

    def text(self) -> str:
        data = json.dumps(self.event, ensure_ascii=False, separators=(",", ":"))
        return f"id: {self.number}\nevent: {self.event['type']}\ndata: {data}\n\n"


class EventWatcher:
    """Somebody who reads the stream."""

    def __init__(self, wanted: WantedEvents, waiting: int) -> None:
        self._wanted = wanted
        self._queue: deque[Numbered] = deque()
        self._most = waiting
        self._missed = 0
        self._ended = False
        self._there = asyncio.Event()

    def add(self, event: Numbered) -> None:
        if not self._wanted.has(event.event):
            return
        if len(self._queue) >= self._most:
            self._queue.popleft()
            self._missed += 1
        self._queue.append(event)
        self._there.set()

    def end(self) -> None:
        self._ended = True
        self._there.set()

    async def texts(self) -> AsyncIterator[str]:
        """Give the stream, with a comment now and then while nothing happens."""
        yield ": events\n\n"
        while not self._ended:
            try:
                await asyncio.wait_for(self._there.wait(), KEEP_ALIVE)
            except TimeoutError:
                yield ": still here\n\n"
                continue
            self._there.clear()
            while self._queue:
                if self._missed:
                    missed, self._missed = self._missed, 0
                    yield f'event: gap\ndata: {{"missed":{missed}}}\n\n'
                yield self._queue.popleft().text()


class Stream:
    """Everything that was handed on, to whoever watches."""

    def __init__(self, waiting: int = WAITING) -> None:
        self._waiting = waiting
        self._number = 0
        self._recent: deque[Numbered] = deque(maxlen=KEPT)
        self._watchers: set[EventWatcher] = set()

    def __len__(self) -> int:
        return len(self._watchers)

    async def deliver(self, batch: Batch) -> None:
        """Hand a batch to every watcher; nobody is waited for."""
        for event in batch:
            self._number += 1
            numbered = Numbered(self._number, event)
            self._recent.append(numbered)
            for watcher in self._watchers:
                watcher.add(numbered)

    def end(self) -> None:
        """Let every watcher go."""
        for watcher in self._watchers:
            watcher.end()

    async def watched(self, wanted: WantedEvents, after: int | None = None, recent: int = 0) -> AsyncIterator[str]:
        """Give the events from now on, those after number ``after`` that are still known, or the last ``recent``."""
        watcher = EventWatcher(wanted, self._waiting)
        known = [one for one in self._recent if after is None or one.number > after]
        if after is None:
            known = known[len(known) - min(recent, len(known)) :]
        for event in known:
            watcher.add(event)
        self._watchers.add(watcher)
        try:
            async for text in watcher.texts():
                yield text
        finally:
            self._watchers.discard(watcher)
