"""What the screen must not wait for: the agent, and a game that is played elsewhere."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue

from textual.message import Message

from jimbo.engine import PublicState
from jimbo.rollout.loop import AgentFailed
from jimbo.serve.assistant import Advice, Adviser


@dataclass(frozen=True, slots=True)
class AdviceQuestion:
    number: int
    """Answers to earlier questions are out of date."""
    state: PublicState
    follows: bool
    step: int


class Advised(Message):
    """The agent has answered, or failed."""

    def __init__(self, number: int, answer: Advice | AgentFailed) -> None:
        super().__init__()
        self.number = number
        self.answer = answer


class Thinker(threading.Thread):
    """The agent thinks in a thread of its own.

    Of the questions that wait only the latest is answered. Nobody waits for the thread at the end.
    """

    def __init__(self, adviser: Adviser, tell: Callable[[Advised], object]) -> None:
        super().__init__(name="thinker", daemon=True)
        self._adviser = adviser
        self._tell = tell
        self.questions: SimpleQueue[AdviceQuestion] = SimpleQueue()

    def run(self) -> None:
        while True:
            asked = self.questions.get()
            if not self.questions.empty():
                continue
            try:
                answer: Advice | AgentFailed
                answer = self._adviser.advise(asked.state, follows=asked.follows, step=asked.step)
            except AgentFailed as error:
                answer = error
            self._tell(Advised(asked.number, answer))


@dataclass(frozen=True, slots=True)
class PlayedElsewhere:
    """A game that is played elsewhere and followed here."""

    every: float
    """Seconds between two looks."""
    warnings: Callable[[], Sequence[str]] = tuple
    """Sentences on the present state."""
    acts: bool = False
    """Steps may be carried out from here."""


class GameWatcher(threading.Thread):
    """A game that is played elsewhere: looked at again and again, and acted on from here, one thing at a time.

    The first failure of either ends it.
    """

    def __init__(self, every: float, look: Callable[[], object], failed: Callable[[Exception], object]) -> None:
        super().__init__(name="watcher", daemon=True)
        self._every, self._look, self._failed = every, look, failed
        self.stopped = False
        """Nobody is there any more who could be told."""
        self._acts: SimpleQueue[Callable[[], object]] = SimpleQueue()

    def put(self, act: Callable[[], object]) -> None:
        self._acts.put(act)

    def run(self) -> None:
        while not self.stopped:
            act: Callable[[], object] = self._look
            with suppress(Empty):
                act = self._acts.get(timeout=self._every)
            try:
                act()
            except Exception as error:
                if not self.stopped:
                    self._failed(error)
                return
