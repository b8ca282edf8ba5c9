"""Golden decisions: public states, and what a packed agent decides there. Whoever has the package can ask it again.

The states are of games that ``fast`` plays from fixed starts; those of each phase are taken evenly from all of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from jimbo.agents import Agent, Decision, make_agent
from jimbo.agents.loading import error_text
from jimbo.backends import SimBackend
from jimbo.data.record_files import action_data
from jimbo.declared import Declared, declared, from_dict
from jimbo.engine import Action, PublicState
from jimbo.files import json_object
from jimbo.rollout import Rollout

STARTS = (
    ("b_red", "stake_white", "GOLDEN1"),
    ("b_blue", "stake_red", "GOLDEN2"),
    ("b_yellow", "stake_green", "GOLDEN3"),
    ("b_magic", "stake_black", "GOLDEN4"),
    ("b_checkered", "stake_blue", "GOLDEN5"),
    ("b_plasma", "stake_purple", "GOLDEN6"),
    ("b_abandoned", "stake_orange", "GOLDEN7"),
    ("b_ghost", "stake_gold", "GOLDEN8"),
)
"""Deck, stake and seed of the games."""
SHARES = {"blind_select": 30, "selecting_hand": 100, "round_eval": 10, "shop": 60, "pack_opening": 30}
"""States of each phase."""
FEWEST = 200
"""A package with fewer decisions proves too little."""
MOST = 10_000
TOLERANCE = 1e-6
"""A share of the value, for agents that the engine computes: machines differ in the last digits of an exponential."""
NETWORK_TOLERANCE = 2e-3
"""The same for ONNX Runtime, which adds in another order on other processors."""

Progress = Callable[[int, int], None]
"""Called with the number of decisions, and how many there will be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenDecision(Declared):
    """A line of golden.jsonl."""

    state: Mapping[str, Any]
    nonce: int = declared(min=0)
    action: Mapping[str, Any]
    value: float | None
    """The chance to win where the agent has one, else the value of what it chose."""
    tolerance: float = declared(min=0.0, max=1.0)
    """How far another machine may be from the value."""
    also: tuple[Mapping[str, Any], ...] = ()
    """Actions whose value is the same but for the tolerance: another machine may choose them."""


class NotTheSame(ValueError):
    """An agent that decides otherwise than it did; the sentence says where."""


def golden_states() -> list[PublicState]:
    """Those of all packages of this version."""
    states = sorted(_played(), key=lambda state: state.phase)
    chosen = []
    for phase, group in groupby(states, key=lambda state: str(state.phase)):
        there, share = list(group), SHARES.get(phase, 0)
        chosen += [there[place * len(there) // share] for place in range(min(share, len(there)))]
    return chosen


def _played() -> Iterator[PublicState]:
    player = make_agent("fast")
    for nonce, (deck, stake, seed) in enumerate(STARTS):
        rollout = Rollout(SimBackend())
        rollout.start(deck=deck, stake=stake, seed=seed)
        for moment in rollout.play(player, nonce):
            yield moment.before


def make_golden(agent: Agent, tolerance: float, progress: Progress = lambda done, of: None) -> str:
    """Return the lines of golden.jsonl; ValueError where the agent decides otherwise when it is asked again."""
    states = golden_states()
    lines = []
    for nonce, state in enumerate(states):
        data = state.to_data()
        first, again = (_decide(agent, data, nonce) for _ in range(2))
        if _of(first) != _of(again):
            raise ValueError(
                f"The agent {agent.name} decides otherwise when it is asked again, with the same nonce and the same "
                f"state, so nobody could check it: {_said(first)}, then {_said(again)}."
            )
        lines.append(json.dumps({"state": data, "nonce": nonce, **_line(first, tolerance)}, separators=(",", ":")))
        progress(nonce + 1, len(states))
    return "".join(f"{line}\n" for line in lines)


def _line(decision: Decision, tolerance: float) -> dict[str, Any]:
    value = _value(decision)
    chosen = next((one.value for one in decision.considered if one.action == decision.action), None)
    near = [
        action_data(one.action)
        for one in decision.considered
        if chosen is not None and one.action != decision.action and _near(one.value, chosen, tolerance)
    ]
    return {"action": action_data(decision.action), "value": value, "tolerance": tolerance, "also": near}


def _of(decision: Decision) -> tuple[Action, float | None]:
    return decision.action, _value(decision)


def _said(decision: Decision) -> str:
    return f"{decision.action.kind} at {_value(decision)}"


def _value(decision: Decision) -> float | None:
    if decision.win is not None:
        return float(decision.win)
    chosen = (one for one in decision.considered if one.chosen or one.action == decision.action)
    return next((float(one.value) for one in chosen), None)


def _near(one: float, other: float, tolerance: float) -> bool:
    return abs(one - other) <= tolerance * max(1.0, abs(one), abs(other))


# --- Asking again -----------------------------------------------------------------------------------------------------


def read_golden(data: bytes) -> list[GoldenDecision]:
    """ValueError in a few words, with the line that is wrong."""
    lines = data.splitlines()
    if len(lines) > MOST:
        raise ValueError(f"it holds more than {MOST:,} decisions")
    found = []
    for number, line in enumerate(lines, 1):
        try:
            found.append(from_dict(GoldenDecision, json_object(line, finite=True)))
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
    if len(found) < FEWEST:
        raise ValueError(f"it holds {len(found)} decisions, and {FEWEST} are needed")
    return found


def check_golden(agent: Agent, golden: Sequence[GoldenDecision], progress: Progress = lambda done, of: None) -> None:
    """NotTheSame for the first decision that is another one."""
    for number, one in enumerate(golden, 1):
        decision = _decide(agent, one.state, one.nonce)
        action, value = action_data(decision.action), _value(decision)
        if action not in (one.action, *one.also):
            raise NotTheSame(f"in state {number} the agent chooses {action}, not {one.action}")
        same = value == one.value or (
            value is not None and one.value is not None and _near(value, one.value, one.tolerance)
        )
        if not same and action == one.action:
            raise NotTheSame(f"in state {number} the agent's value is {value}, not {one.value}")
        progress(number, len(golden))


def _decide(agent: Agent, data: Mapping[str, Any], nonce: int) -> Decision:
    """The decision in a state, whatever came before."""
    state = PublicState.from_json(json.dumps(dict(data)))
    try:
        agent.reset(nonce)
        decision = agent.act(state)
    except Exception as error:
        raise ValueError(f"the agent {agent.name} fails in a golden state: {error_text(error)}") from error
    if refusal := state.refusal(decision.action):
        raise ValueError(f"the agent {agent.name} chooses what is not allowed: {refusal.sentence}") from None
    return decision
