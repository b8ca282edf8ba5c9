"""An agent at the table: what its author left out is filled in, and what it answers is checked."""

from __future__ import annotations

from types import NoneType
from typing import Any, get_args

from jimbo.agents.protocol import BareAgent, Considered, Decision, Measure
from jimbo.declared import shown
from jimbo.engine import Action, PublicState

_NUMBER = (float, int)
_DECISION = {
    "action": Action,
    "explanation": str,
    "seconds": _NUMBER,
    "considered": (tuple, list),
    "win": (*_NUMBER, NoneType),
}
_CONSIDERED = {
    "action": Action,
    "value": _NUMBER,
    "text": str,
    "clear": (*_NUMBER, NoneType),
    "error": (*_NUMBER, NoneType),
    "chosen": bool,
}
_WORDS = {Action: "an Action", str: "a text", bool: "true or false", tuple: "a tuple", float: "a number"}


class Seat:
    """An ``Agent`` made of an object that has at least ``act``; it raises whatever that raises."""

    def __init__(self, agent: BareAgent, name: str) -> None:
        self.name = name
        self.clairvoyant = bool(getattr(agent, "clairvoyant", False))
        self._agent = agent

    def __repr__(self) -> str:
        return repr(self._agent)

    def reset(self, nonce: int) -> None:
        try:
            getattr(self._agent, "reset", _forget)(nonce)
        except SystemExit as end:
            raise _left(end) from end

    def act(self, state: PublicState, /) -> Decision:
        try:
            return _decision(self._agent.act(state))
        except SystemExit as end:
            raise _left(end) from end


def _left(end: SystemExit) -> RuntimeError:
    """In place of an exit, which would end the whole evaluation without a word."""
    return RuntimeError(f"the agent called sys.exit({end.code!r})")


def _forget(nonce: int) -> None:
    """For an agent that keeps nothing from run to run and leaves nothing to chance."""


def _decision(answer: object) -> Decision:
    if isinstance(answer, Action):
        return Decision(answer)
    if not isinstance(answer, Decision):
        raise TypeError(f"act must return an Action or a Decision, not {shown(answer)}")
    _check(answer, _DECISION)
    if answer.measure not in get_args(Measure):
        raise TypeError(f"measure of a Decision must be one of {', '.join(get_args(Measure))}")
    for considered in answer.considered:
        if not isinstance(considered, Considered):
            raise TypeError(f"considered of a Decision must hold Considered actions, not {shown(considered)}")
        _check(considered, _CONSIDERED)
    return answer


def _check(thing: object, kinds: dict[str, Any]) -> None:
    """TypeError for what cannot be shown or recorded, where it can still be told whose it is."""
    for name, kind in kinds.items():
        value = getattr(thing, name)
        if not isinstance(value, kind):
            wanted = _WORDS[kind[0] if isinstance(kind, tuple) else kind]
            raise TypeError(f"{name} of a {type(thing).__name__} must be {wanted}, not {shown(value)}")
