"""What would become of a run: its next blinds played through, and what the package's value says of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean, stdev

from jimbo.engine import Action, ActionKind, Phase, PublicState, Run, forecast, solve_blind
from jimbo.engine.value import ValueNet, judge_options, value_inputs
from jimbo.models.value_file import load_value

DEALS = 32
"""In which the next blinds are played through."""
BLINDS_AHEAD = 6
WORLDS = 24
"""In which an action is tried that nobody has considered."""
SOLVED_DEALS = 16
"""In which it is asked how often a blind is beaten."""
_SOLVED_ROLLOUTS = 40
VALUE_ROLLOUTS = 160
_VALUE_WORLDS = 8
"""Worlds of the forecast that the value reads."""
_ON = {
    Phase.round_eval: Action("cash_out"),
    Phase.pack_opening: Action("skip_pack"),
    Phase.shop: Action("leave_shop"),
}
ONWARD = (ActionKind.leave_shop, ActionKind.skip_pack, ActionKind.select_blind)
"""What goes on without doing anything."""


@dataclass(frozen=True, slots=True)
class Trials:
    """The next blinds as a run stands, nothing bought."""

    run: Run
    logs: tuple[tuple[float, ...], ...]
    """Logarithm of what all hands of each blind make together, [blind][deal]."""
    dollars: tuple[tuple[float, ...], ...]
    """After the cash-out of each, [blind][deal]."""

    def score(self, blind: int) -> float:
        return math.exp(min(fmean(self.logs[min(blind, len(self.logs) - 1)]), 700.0))

    def gain(self, blind: int, before: Trials, least: float = 0.0) -> float:
        """The logarithm of what scores are multiplied by; 0 where it is less, or no more than its error."""
        blind = min(blind, len(self.logs) - 1, len(before.logs) - 1)
        changes = [after - old for after, old in zip(self.logs[blind], before.logs[blind], strict=True)]
        gain = fmean(changes)
        return gain if abs(gain) > max(least, 2 * error_of(changes)) else 0.0


def error_of(values: Sequence[float]) -> float:
    """Return the standard error of their mean."""
    return stdev(values) / math.sqrt(len(values))


def trials(run: Run, blinds: int = BLINDS_AHEAD) -> Trials:
    """Play the next blinds of a run in some deals, the same for all runs that are compared."""
    deals = DEALS
    made = [forecast(run, blinds, 1, deal) for deal in range(deals)]
    blinds = min(map(len, made))  # fewer where a run cannot go on
    if not blinds:
        return Trials(run, ((0.0,) * deals,), ((float(run.dollars),) * deals,))
    return Trials(
        run,
        tuple(tuple(one[blind].log_score for one in made) for blind in range(blinds)),
        tuple(tuple(one[blind].dollars for one in made) for blind in range(blinds)),
    )


def beaten(run: Run, slot: str, deals: int = SOLVED_DEALS, nonce: int = 0) -> list[float]:
    """Say how often the solver beats a blind of this ante if it comes now, deal by deal."""
    state = run.public_state()
    if state.phase != Phase.selecting_hand:
        data = onward(run).public_state().to_data() | {"on_deck": slot}
        state = PublicState.from_data(data)
    chances = []
    for deal in range(1, deals + 1):
        world = state.imagine(nonce + deal)
        if world.phase == Phase.blind_select:
            world.step(Action("select_blind"))
        if world.phase == Phase.selecting_hand:
            chances.append(solve_blind(world, _SOLVED_ROLLOUTS, nonce=deal)[0].clear)
        else:  # it ended before a hand could be played
            chances.append(float(world.phase == Phase.round_eval))
    return chances


def onward(run: Run) -> Run:
    """Return the run before its next blind."""
    gone = run.clone()
    while step := _ON.get(gone.phase):
        gone.step(step)
    return gone


def inputs_of(run: Run) -> list[tuple[int, float]]:
    """Return what the value reads of a run that plays its next blind, nothing bought."""
    return value_inputs(onward(run), VALUE_ROLLOUTS, _VALUE_WORLDS)


def points(inputs: list[tuple[int, float]]) -> float:
    """Return the chance to win, in points."""
    return 100 * own_value().chances(inputs)[-1]


@cache
def own_value() -> ValueNet:
    """The value that comes with the package."""
    return load_value()[0]


def chance_to_win(run: Run) -> float:
    """What the package's value says of a run that goes on to its next blind, nothing bought."""
    options = judge_options(own_value(), onward(run), VALUE_ROLLOUTS, 0, 1)
    wins = [one.win for one in options if not one.actions or one.actions[0].kind in ONWARD]
    return wins[0] if wins else 0.0  # none: the run is over


def worth(state: PublicState, action: Action, worlds: int = WORLDS) -> list[float]:
    """Say what the chance to win is after an action, world by world, by the package's value."""
    return [_best_chance(_after(state.imagine(nonce), action), nonce) for nonce in range(1, worlds + 1)]


def _after(run: Run, action: Action) -> Run:
    run.step(action)
    if run.phase == Phase.round_eval:
        run.step(_ON[run.phase])
    return run


def _best_chance(run: Run, nonce: int) -> float:
    """The chance to win with the best of what can be done next."""
    state = run.public_state()
    if run.won or state.over:
        return float(run.won)
    if run.phase == Phase.selecting_hand:  # the solver's value is what becomes of the chance as it stands
        solved = solve_blind(state.imagine(nonce), _SOLVED_ROLLOUTS, nonce=nonce, value=own_value())
        return min(1.0, chance_to_win(run) * solved[0].value)
    return max(option.win for option in judge_options(own_value(), run, VALUE_ROLLOUTS, 0, 1))
