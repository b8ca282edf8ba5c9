"""Games spread over instances of the real game: one thread for each; a game that one cannot finish goes to another."""

from __future__ import annotations

import pickle
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from queue import SimpleQueue
from typing import Any, Protocol

from jimbo.backends.protocol import Applied
from jimbo.backends.real import RealBackend
from jimbo.engine import Action
from jimbo.rollout.pool import Lost, WorkFailed
from jimbo.wire.client import ASK_FOR, SETTLE, TIMEOUT, Client
from jimbo.wire.errors import BadReply, NoReply, Unreachable, WireError

MAX_FAILURES_IN_A_ROW = 3
PATIENCE = 30.0
"""Seconds that a game which somebody else started may need until it answers again."""
ASK_EVERY = 0.5
_OF_THE_PLACE = (BadReply, NoReply, Unreachable)
"""Errors that say something about the instance, and not about one game."""


class GameServer(Protocol):
    """Where games are played; ``wire.launching.StartedGame`` is one, too."""

    url: str

    def answers(self) -> bool: ...

    def restart(self) -> None:
        """WireError or RuntimeError if it does not answer afterwards."""


class Elsewhere:
    """A game that somebody else has started: it can only be waited for."""

    def __init__(self, url: str) -> None:
        self._client = Client(url)
        self.url = self._client.url

    def answers(self) -> bool:
        return self._client.answers()

    def restart(self) -> None:
        end = time.monotonic() + PATIENCE
        while not self.answers():
            if time.monotonic() > end:
                self._client.health(timeout=ASK_FOR)  # raises what is wrong
                return
            time.sleep(ASK_EVERY)


class Seatable(Protocol):
    """What plays games by their numbers, at any backend."""

    def at(self, backend: RealBackend) -> Callable[[Any], Any]: ...


class _Unwanted(BaseException):
    """Nobody wants the game any more. Not an Exception: no agent may take it for its own."""


class _Stoppable(RealBackend):
    """Takes no step once its games are not wanted any more."""

    def __init__(self, client: Client, stopped: threading.Event) -> None:
        super().__init__(client)
        self._stopped = stopped

    def apply(self, action: Action) -> Applied:
        if self._stopped.is_set():
            raise _Unwanted
        return super().apply(action)


class Instances:
    """A way to spread games (``farm.Spread``)."""

    def __init__(self, places: Sequence[GameServer], *, timeout: float = TIMEOUT, settle: float = SETTLE) -> None:
        self._places, self._timeout, self._settle = places, timeout, settle

    def __call__(
        self, work: Seatable, tasks: Iterable[Any], workers: int, *, timeout: float | None = None, tries: int = 1
    ) -> Generator[tuple[Any, Any]]:
        """Results as they come, a Lost for a game that was tried often enough. WorkFailed when no place is left.

        There are as many workers as places.
        """
        shift = _Shift(tasks, tries)
        threads = [threading.Thread(target=shift.serve, args=(place, work), daemon=True) for place in self._places]
        for thread, place in zip(threads, self._places, strict=True):
            client = Client(place.url, timeout=self._timeout, settle=self._settle)
            shift.backends[place.url] = _Stoppable(client, shift.stopped)
            thread.start()
        try:
            yield from shift.results(len(threads))
        finally:
            shift.stopped.set()
            for thread in threads:
                thread.join(self._timeout)


class _Shift:
    """The games that wait, and those who play them."""

    def __init__(self, tasks: Iterable[Any], tries: int) -> None:
        self.stopped = threading.Event()
        self.backends: dict[str, RealBackend] = {}
        self._waiting = deque((task, tries) for task in tasks)
        self._left = len(self._waiting)
        self._playing = 0
        self._changed = threading.Condition()
        self._said: SimpleQueue[tuple[Any, Any] | str | BaseException] = SimpleQueue()

    def results(self, places: int) -> Generator[tuple[Any, Any]]:
        while self._left:
            said = self._said.get()
            if isinstance(said, BaseException):
                raise said
            if isinstance(said, str):
                places -= 1
                if not places:
                    raise WorkFailed(f"No instance of the game is left to play at. {said}")
                continue
            self._left -= 1
            yield said

    def serve(self, place: GameServer, work: Seatable) -> None:
        """The life of a thread."""
        try:
            self._serve(place, work.at(self.backends[place.url]))
        except _Unwanted:
            return
        except BaseException as error:
            self._said.put(error)

    def _serve(self, place: GameServer, play: Callable[[Any], Any]) -> None:
        failures = 0
        while (entry := self._next()) is not None:
            task, tries = entry
            try:
                # As processes send it: a player may use the memory of one game again for the next.
                result = pickle.loads(pickle.dumps(play(task)))
            except WireError as error:
                self._given_back(task, tries - 1)
                if tries == 1:
                    self._said.put((task, Lost(str(error).rstrip("."), "real_game")))
                failures = failures + 1 if isinstance(error, _OF_THE_PLACE) else 0
                if trouble := self._trouble(place, failures, error):
                    self._said.put(trouble)
                    return
            else:
                failures = 0
                self._given_back(task, 0)
                self._said.put((task, result))

    def _next(self) -> tuple[Any, int] | None:
        """None when nothing is left; a game that is being played elsewhere may still come back."""
        with self._changed:
            while not self._waiting and self._playing and not self.stopped.is_set():
                self._changed.wait(ASK_EVERY)
            if not self._waiting or self.stopped.is_set():
                return None
            self._playing += 1
            return self._waiting.popleft()

    def _given_back(self, task: Any, tries: int) -> None:
        with self._changed:
            self._playing -= 1
            if tries:
                self._waiting.appendleft((task, tries))
            self._changed.notify_all()

    def _trouble(self, place: GameServer, failures: int, error: WireError) -> str:
        """Why a place cannot be played at any more; empty if it can. One that fails again is restarted."""
        if self.stopped.is_set():
            raise _Unwanted
        if failures >= MAX_FAILURES_IN_A_ROW:
            return f"{failures} games in a row failed at {place.url}: {error}"
        if not failures or (failures == 1 and place.answers()):
            return ""
        try:
            place.restart()
        except (WireError, RuntimeError) as trouble:
            return str(trouble)
        return ""
