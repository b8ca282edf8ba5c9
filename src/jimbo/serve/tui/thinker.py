"""The agent thinks in a thread of its own, so that the screen never waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue

from jimbo.engine import PublicState
from jimbo.rollout import AgentFailed
from jimbo.serve.assistant import Advice, Adviser


@dataclass(frozen=True, slots=True)
class Question:
    number: int
    """Answers to earlier questions are out of date."""
    state: PublicState
    follows: bool
    step: int


Answer = Advice | AgentFailed


class Thinker(threading.Thread):
    """Answers questions one after another, only the latest of those that wait. Nobody waits for it at the end."""

    def __init__(self, adviser: Adviser, tell: Callable[[int, Answer], object]) -> None:
        super().__init__(name="thinker", daemon=True)
        self._adviser = adviser
        self._tell = tell
        self._questions: SimpleQueue[Question] = SimpleQueue()

    def ask(self, question: Question) -> None:
        self._questions.put(question)

    def run(self) -> None:
        while True:
            question = self._questions.get()
            if self._questions.empty():
                self._tell(question.number, self._answer(question))

    def _answer(self, question: Question) -> Answer:
        try:
            return self._adviser.advise(question.state, follows=question.follows, step=question.step)
        except AgentFailed as error:
            return error
