"""What would come of a line of actions: tried in worlds that look like the present state, what is hidden drawn anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from jimbo.agents import Agent
from jimbo.engine import Action, Phase, PublicState
from jimbo.serve.assistant.advice import chosen_of
from jimbo.serve.assistant.what_if import error_of
from jimbo.serve.game import BadInput, check
from jimbo.serve.mcp.runs import read_action

WORLDS = 8


@dataclass(frozen=True, slots=True)
class Chances:
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
    chances: Chances = Chances()


@dataclass(frozen=True, slots=True)
class Trial:
    """A line of actions in all worlds."""

    now: Chances
    worlds: tuple[World, ...]

    @property
    def certain(self) -> bool:
        """It leads to the same state in all worlds."""
        return len({world.state for world in self.worlds}) == 1

    def chance(self, name: str) -> tuple[float, float] | tuple[None, None]:
        """The mean of a chance and its standard error, where the agent tells it in every world."""
        told = [getattr(world.chances, name) for world in self.worlds]
        return (None, None) if None in told else (fmean(told), error_of(told))


def try_line(state: PublicState, lines: Sequence[str], agent: Agent, worlds: int = WORLDS) -> Trial:
    """Take the actions one after the other in each world; BadInput if none of the worlds gets to the end."""
    tried = [_try(state, lines, nonce) for nonce in range(worlds)]
    if all(world.stopped for world in tried):
        world = tried[0]
        raise BadInput(f"Action {world.step}, {lines[world.step - 1][:80]!r}: {world.stopped}")
    began = state.phase
    rated = tuple(World(one.state, one.stopped, one.step, chances_of(one.state, agent, began)) for one in tried)
    return Trial(chances_of(state, agent, began), rated)


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


def chances_of(state: PublicState, agent: Agent, began: Phase) -> Chances:
    """Ask an agent. ``began``: the phase of the first state; a hand that ends its blind has cleared it or not."""
    playing = began == Phase.selecting_hand
    if state.over:
        return Chances(0.0 if playing else None, 1.0 if state.won else 0.0)
    if playing and state.phase != Phase.selecting_hand:
        playing_cleared: float | None = 1.0
    else:
        playing_cleared = None
    if state.phase == Phase.round_eval:
        shop = state.imagine(0)
        shop.step(Action("cash_out"))
        state = shop.public_state()
    agent.reset(0)
    decision = agent.act(state)
    best = chosen_of(decision)
    clear = playing_cleared if playing_cleared is not None else best.clear if best else None
    return Chances(clear, 1.0 if state.won else decision.win)
