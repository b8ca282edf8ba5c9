"""Decisions judged one by one: the chance before each, and what it gave up against what an agent would have done.

Each is judged by itself, so that it does not matter which process judges which.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jimbo.agents import make_agent
from jimbo.engine import Action, Phase, PublicState
from jimbo.rollout.loop import AgentFailed
from jimbo.serve.assistant.advice import Adviser, chosen_of
from jimbo.serve.assistant.reasons import THEN
from jimbo.serve.assistant.what_if import ONWARD
from jimbo.serve.review.chances import FREE, HIDES, Chances, ComparedChoices
from jimbo.serve.review.played import RunPosition

EFFORT = 0.2
"""The usual one of a review, which judges very many decisions."""
_TRADING = (Phase.shop, Phase.pack_opening)
_LONGEST = 24
"""Actions that an agent may prepare a play with: a hand put in order."""


@dataclass(frozen=True, slots=True)
class PositionJudgement:
    """What is to be said of one position by itself."""

    step: int
    win: float
    """The calibrated chance to win, the best done."""
    given_up: float = 0.0
    error: float = 0.0
    """The standard error of what was given up."""
    better: tuple[Action, ...] = ()
    """What the agent would have done, where something was given up."""
    sure: bool = False
    """Nothing hidden came of what was done, so the chance is the same after it but for what was given up."""


@dataclass(slots=True)
class Judge:
    """Judges positions by what an agent would do; goes to worker processes as it is."""

    agent: str
    options: Mapping[str, Any]
    effort: float
    """How many worlds are looked at."""
    _made: tuple[Adviser, Chances] | None = field(default=None, init=False, repr=False, compare=False)

    def __getstate__(self) -> tuple[str, Mapping[str, Any], float]:
        return self.agent, self.options, self.effort  # a process makes the agent for itself

    def __setstate__(self, state: tuple[str, Mapping[str, Any], float]) -> None:
        self.agent, self.options, self.effort = state
        self._made = None

    def __call__(self, positions: Sequence[RunPosition]) -> list[PositionJudgement] | str:
        """Judge some positions; or say why the agent could not go on."""
        try:
            return [self.judge(position) for position in positions]
        except AgentFailed as error:
            return str(error)

    def judge(self, position: RunPosition) -> PositionJudgement:
        """Judge one position."""
        step, state, action = position
        _, chances = self._parts()
        if action is None or state.over or state.won:
            return PositionJudgement(step, chances.at(state))
        sure = chances.is_sure(state, action)
        if action.kind in FREE or state.phase == Phase.round_eval:
            return PositionJudgement(step, chances.of(state, [action]), sure=sure)
        better = self.line(state, step)
        found = self.compared(state, [action], better)
        return PositionJudgement(step, found.win, found.given_up, found.error, better if found.given_up else (), sure)

    def compared(self, state: PublicState, own: Sequence[Action], better: Sequence[Action]) -> ComparedChoices:
        """Compare a way to go on with what the agent would do; the agent's own, or a part of it, is no worse."""
        _, chances = self._parts()
        if tuple(better[: len(own)]) == tuple(own):
            return ComparedChoices(chances.of(state, better))
        return chances.compare(state, own, better)

    def line(self, state: PublicState, step: int) -> tuple[Action, ...]:
        """What the agent would do, with the moves that prepare it and what it prepares itself."""
        adviser, _ = self._parts()
        actions: list[Action] = []
        run = state.imagine(0)
        while len(actions) < _LONGEST:
            decision, _ = adviser.decide(run.public_state(), follows=bool(actions), step=step)
            actions.append(decision.action)
            run.step(decision.action)
            chosen = chosen_of(decision)
            if decision.action.kind not in FREE and not (chosen and chosen.text.startswith(THEN)):
                break
        return tuple(actions)

    def plan(self, state: PublicState, step: int) -> tuple[Action, ...]:
        """What the agent would do, and in a shop or a pack what it would go on with, as far as that can be known."""
        actions: list[Action] = []
        run = state.imagine(0)
        while len(actions) < _LONGEST:
            here = run.public_state()
            line = self.line(here, step) if not actions or run.phase in _TRADING else ()
            if not line or (actions and line[-1].kind in ONWARD):
                break
            actions += line
            if line[-1].kind in HIDES or not all(self._parts()[1].is_sure(here, action) for action in line[:1]):
                break
            for action in line:
                run.step(action)
        return tuple(actions)

    def adviser(self) -> Adviser:
        """Return the one who would have done better."""
        return self._parts()[0]

    def _parts(self) -> tuple[Adviser, Chances]:
        if self._made is None:
            self._made = Adviser(make_agent(self.agent, **self.options)), Chances(self.effort)
        return self._made
