"""One run, decision by decision, on any backend."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from jimbo.agents import Agent
from jimbo.agents.loading import error_text
from jimbo.backends.protocol import Backend, StartingBackend, UnsupportedAction
from jimbo.data.record import BadRecord, Decision, Ending, Header, Snapshot, ending_of
from jimbo.data.record_files import RecordFile
from jimbo.engine import Event, IllegalAction, PublicState

MAX_STEPS = 20_000
"""More decisions than any run needs; an agent that only rearranges cards is stopped by it."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One decision and its outcome."""

    step: int
    """From 1."""
    before: PublicState
    decision: Decision
    events: Sequence[Event]
    after: PublicState
    processor_seconds: float = 0.0
    """What the decision cost; 0 where nobody had to think."""


class Observer:
    """Follows a run: a recorder, statistics, a screen. Subclasses override what they need."""

    def started(self, state: PublicState) -> None:
        """A run begins, or is taken up again."""

    def happened(self, moment: Moment) -> None:
        """A decision was taken."""

    def left(self, state: PublicState, steps: int, why: str) -> None:
        """Nobody goes on with a run that is neither won nor lost. ``why`` is empty where nothing went wrong."""


class Recorder(Observer):
    """Writes every decision at once, and what the player saw every few decisions, if asked to."""

    def __init__(self, file: RecordFile, *, snapshot_every: int = 0) -> None:
        self._file = file
        self._every = snapshot_every

    def started(self, state: PublicState) -> None:
        self._keep(0, state)

    def happened(self, moment: Moment) -> None:
        self._file.add(moment.step, moment.decision)
        self._keep(moment.step, moment.after)

    def _keep(self, step: int, state: PublicState) -> None:
        if self._every and step % self._every == 0:
            self._file.snapshot(Snapshot(step, state.to_data()))


class AgentFailed(RuntimeError):
    """An agent could not go on."""

    def __init__(self, agent: str, step: int, error: Exception, processor_seconds: float = 0.0) -> None:
        illegal = isinstance(error, IllegalAction)
        self.reason: Literal["agent_error", "illegal_action"] = "illegal_action" if illegal else "agent_error"
        self.what = str(error) if illegal else error_text(error)
        self.processor_seconds = processor_seconds
        super().__init__(f"The agent {agent} failed in decision {step}: {self.what}")


class Rollout:
    """A run on a backend. Whoever decides, every decision goes through ``take``."""

    def __init__(self, backend: Backend, observers: Iterable[Observer] = ()) -> None:
        self._backend = backend
        self._observers = tuple(observers)
        self.steps = 0
        """Decisions taken so far."""
        self.state: PublicState | None = None
        """What the player sees now; None before the start."""

    def start(
        self, *, deck: str | None = None, stake: str = "white", seed: str | None = None, challenge: str | None = None
    ) -> PublicState:
        return self.go_on(self._backend.reset(deck=deck, stake=stake, seed=seed, challenge=challenge))

    def start_as(self, header: Header) -> PublicState:
        """The run of a record; ValueError where the backend cannot begin there, or nobody could."""
        if header.start is not None:
            if not isinstance(self._backend, StartingBackend):
                raise ValueError("The record begins in the middle of a run, which only the simulator can go on from.")
            return self.go_on(self._backend.begin(header.start))
        return self.start(deck=header.deck, stake=header.stake, seed=header.seed, challenge=header.challenge)

    def go_on(self, state: PublicState) -> PublicState:
        """From a state that the backend is in already."""
        self.steps, self.state = 0, state
        for observer in self._observers:
            observer.started(state)
        return state

    def take(self, decision: Decision, processor_seconds: float = 0.0) -> Moment:
        """IllegalAction if it is not allowed; nothing has happened then."""
        before = self._now()
        state, events = self._backend.apply(decision.action)
        self.steps, self.state = self.steps + 1, state
        moment = Moment(self.steps, before, decision, events, state, processor_seconds)
        for observer in self._observers:
            observer.happened(moment)
        return moment

    def play(
        self, agent: Agent, nonce: int, *, max_steps: int = MAX_STEPS, until_ante: int | None = None
    ) -> Iterator[Moment]:
        """Lets an agent play until the run is won or lost, an ante begins, or it has taken too many steps.

        AgentFailed if the agent raises anything, or chooses what is not allowed.
        """
        try:
            agent.reset(nonce)
        except Exception as error:
            raise AgentFailed(agent.name, self.steps + 1, error) from error
        while self._goes_on(until_ante) and self.steps < max_steps:
            yield self._let_decide(agent)

    def _let_decide(self, agent: Agent) -> Moment:
        """Asks the agent again for as long as it chooses what the world turns out to be unable to do."""
        while True:
            began = time.process_time()
            try:
                decision = agent.act(self._now())
            except Exception as error:
                raise AgentFailed(agent.name, self.steps + 1, error, time.process_time() - began) from error
            seconds = time.process_time() - began
            try:
                return self.take(decision, seconds)
            except IllegalAction as error:
                raise AgentFailed(agent.name, self.steps + 1, error, seconds) from error
            except UnsupportedAction:
                continue

    def replay(self, decisions: Iterable[Decision]) -> Iterator[Moment]:
        """Takes recorded decisions again; BadRecord names the first that is not allowed."""
        for decision in decisions:
            if refusal := self._now().refusal(decision.action):
                raise BadRecord(f"Decision {self.steps + 1} of the record is not allowed: {refusal.sentence}.")
            yield self.take(decision)

    def leave(self, why: str = "") -> None:
        """Say that nobody goes on with this run; nothing where it has come to its end."""
        state = self._now()
        if not (state.over or state.won):
            for observer in self._observers:
                observer.left(state, self.steps, why)

    def ending(self) -> Ending:
        """How the run stands, to be kept with its record."""
        return ending_of(self._now(), self.steps, self._backend.full_state())

    def _now(self) -> PublicState:
        if self.state is None:
            raise RuntimeError("no run has been started: call start() first")
        return self.state

    def _goes_on(self, until_ante: int | None) -> bool:
        state = self._now()
        return not state.over and not state.won and (until_ante is None or state.ante < until_ante)
