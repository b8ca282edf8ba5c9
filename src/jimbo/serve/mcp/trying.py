"""What would come of a line of actions: tried in worlds that look like the present state, what is hidden drawn anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from jimbo.agents import Agent
from jimbo.data.record import Decision
from jimbo.engine import Action, Phase, PublicState
from jimbo.serve.assistant.advice import chosen_of
from jimbo.serve.assistant.what_if import error_of
from jimbo.serve.game import BadInput, check
from jimbo.serve.terminal.input import read_action

WORLDS = 8
_MOST_PREPARED = 5
"""Steps that an agent takes before it says how a blind stands, such as using a consumable."""


@dataclass(frozen=True, slots=True)
class TriedChances:
    """What an agent says of a state; None where it says nothing."""

    clear: float | None = None
    """The chance to clear the blind in play."""
    win: float | None = None


@dataclass(frozen=True, slots=True)
class World:
    """Where the line led in one of the worlds."""

    state: PublicState
    stopped: str = ""
    """Why an action was not possible there; it ended the line."""
    step: int = 0
    """Which action that was, from 1."""
    chances: TriedChances = TriedChances()


@dataclass(frozen=True, slots=True)
class Trial:
    """A line of actions in all worlds."""

    now: TriedChances
    worlds: tuple[World, ...]

    @property
    def certain(self) -> bool:
        """It leads to the same state in all worlds."""
        return len({world.state for world in self.worlds}) == 1

    def chance(self, name: str) -> tuple[float, float] | tuple[None, None]:
        """The mean of a chance and its standard error, where the agent tells it in every world."""
        told = [getattr(world.chances, name) for world in self.worlds]
        return (None, None) if None in told else (fmean(told), error_of(told))


def try_line(state: PublicState, lines: Sequence[str], agent: Agent, decision: Decision, worlds: int = WORLDS) -> Trial:
    """Take the actions one after the other in each world; BadInput if none of the worlds gets to the end.

    ``decision`` is what the agent would do in the state.
    """
    tried = [_try(state, lines, nonce) for nonce in range(worlds)]
    if all(world.stopped for world in tried):
        world = tried[0]
        raise BadInput(f"Action {world.step}, {lines[world.step - 1][:80]!r}: {world.stopped}")
    playing = state.phase == Phase.selecting_hand
    rated = tuple(replace(world, chances=_after(world.state, agent, playing=playing)) for world in tried)
    return Trial(_chances(state, agent, decision), rated)


def _try(state: PublicState, lines: Sequence[str], nonce: int) -> World:
    run, seen = state.imagine(nonce), state
    for step, line in enumerate(lines, 1):
        try:
            action = read_action(line, seen)
            check(action, seen)
        except BadInput as wrong:
            return World(seen, str(wrong), step)
        run.step(action)
        seen = run.public_state()
    return World(seen)


def _after(state: PublicState, agent: Agent, *, playing: bool) -> TriedChances:
    """Say how a state stands. ``playing``: the line began during a blind, which is beaten or not if it has ended."""
    if state.over:
        return TriedChances(0.0 if playing else None, 1.0 if state.won else 0.0)
    ended = playing and state.phase != Phase.selecting_hand
    if state.phase == Phase.round_eval:
        shop = state.imagine(0)
        shop.step(Action("cash_out"))
        state = shop.public_state()
    agent.reset(0)
    told = _chances(state, agent, agent.act(state))
    return TriedChances(1.0 if ended else told.clear, 1.0 if state.won else told.win)


def _chances(state: PublicState, agent: Agent, decision: Decision) -> TriedChances:
    """What an agent says; while it only prepares a hand, it is asked again after that."""
    if state.phase != Phase.selecting_hand:
        return TriedChances(None, decision.win)
    win, world = decision.win, state.imagine(0)
    for _ in range(_MOST_PREPARED):
        best = chosen_of(decision)
        if best and best.clear is not None:
            return TriedChances(best.clear, win)
        world.step(decision.action)
        state = world.public_state()
        if state.phase != Phase.selecting_hand:
            break
        decision = agent.act(state)
    return TriedChances(None, win)
