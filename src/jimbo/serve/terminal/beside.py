"""The assistant beside a game that is played elsewhere: it suggests as the game goes on, or acts there with care."""

from __future__ import annotations

import time
from collections.abc import Iterable

import typer
from rich.console import Console, Group
from rich.text import Text

from jimbo.agents import Agent
from jimbo.backends import RealBackend
from jimbo.colours import GREEN
from jimbo.engine import PublicState
from jimbo.rollout import Observer
from jimbo.rollout.player import RestrictedAgent
from jimbo.serve.assistant import Session
from jimbo.serve.game import Game
from jimbo.serve.terminal.advice import advice_text
from jimbo.serve.terminal.lines import advice_line
from jimbo.serve.terminal.story import story, words
from jimbo.wire.codec import ValueDifference
from jimbo.wire.errors import Surprise

LOOK_EVERY = 0.5
"""Seconds between two looks at a game that somebody plays."""
ACT_EVERY, ACT_AT_LEAST_EVERY = 2.0, 0.5
"""Seconds between two actions: usually, and at least."""


class Beside:
    """Suggestions of an agent for one game; ``observers`` are told of what is carried out."""

    def __init__(
        self,
        backend: RealBackend,
        agent: Agent,
        console: Console,
        *,
        topk: int,
        nonce: int,
        as_json: bool,
        observers: Iterable[Observer] = (),
        armed: bool = False,
    ) -> None:
        self._backend, self._agent, self._console = backend, RestrictedAgent(agent, backend), console
        self._topk, self._nonce, self._as_json = topk, nonce, as_json
        self._observers, self._armed = tuple(observers), armed
        self._warned = ""
        self.session = self._seated()

    def _seated(self) -> Session:
        game = Game(self._backend, self._observers, armed=self._armed)
        return Session(game, self._agent, topk=self._topk, nonce=self._nonce)

    def suggest(self, *, once: bool, interval: float = LOOK_EVERY) -> None:
        """For every new state, until the run is over."""
        self._tell()
        while not once and not self._over(self.session.state):
            time.sleep(interval)
            if self._backend.look() != self.session.state:
                self.session = self._seated()
                self._tell()

    def execute(self, steps: int, interval: float) -> None:
        """Carries out the first suggestion, again and again; Surprise at the first that does something else."""
        self._tell()
        for number in range(steps):
            if self._over(self.session.state):
                return
            if number:
                time.sleep(interval)
            if self._backend.look() != self.session.state:
                raise self._surprise("somebody else has moved")
            self.session.accept()
            self._told()
            if found := self._backend.surprises:
                raise self._surprise(f"the game went another way than foreseen: {_words(found)}")

    def _over(self, state: PublicState) -> bool:
        return state.over or state.won

    def _surprise(self, what: str) -> Surprise:
        client = self._backend.client
        return Surprise(what, method="gamestate", url=client.url, state=str(self._backend.state().phase))

    def _tell(self) -> None:
        self._warn()
        if self._as_json:
            typer.echo(advice_line(self.session))
        else:
            self._console.print(advice_text(self.session.ask(), self.session.suggestions(), self._console.width))

    def _warn(self) -> None:
        """Once for each thing that may be wrong."""
        said = str(self._backend.other_language or "")
        if said and said != self._warned:
            typer.echo(f"jimbo: {said}", err=True)
        self._warned = said

    def _told(self) -> None:
        entry = self.session.log[-1]
        if self._as_json:
            typer.echo(advice_line(self.session, [entry]))
            return
        done = Text.assemble(("▶ ", f"bold {GREEN}"), words(entry.words, "bold"))
        self._console.print(Group(done, *story(entry.told, self._console.width), Text()))
        if not self._over(self.session.state):
            self._tell()


def _words(found: tuple[ValueDifference, ...]) -> str:
    first, *others = found
    more = f", and {len(others)} more" if others else ""
    return f"{first.path} is {first.there}, not {first.here}{more}"
