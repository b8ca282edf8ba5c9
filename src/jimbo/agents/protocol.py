"""What an agent is: it sees what a player may know, and decides. ``Seat`` makes one of what an author wrote."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import NoneType
from typing import Any, Protocol, get_args

from jimbo.agents.loading import error_text, exit_call, guest
from jimbo.data.record import Considered, Decision, Measure
from jimbo.declared import short_repr
from jimbo.engine import Action, PublicState

__all__ = ["Agent", "BareAgent", "Considered", "Decision", "Measure", "Seat"]


class BareAgent(Protocol):
    """All that an author must write; ``reset`` and ``clairvoyant`` may be there, too, as they are in ``Agent``."""

    def act(self, state: PublicState, /) -> Decision | Action:
        """What to do now; a Decision tells the reasons, too."""


class Agent(Protocol):
    """What plays: deterministic for a given nonce and sequence of states. ``make_agent`` makes it of a BareAgent."""

    name: str
    """What it was asked for by."""
    clairvoyant: bool
    """It must be shown what is hidden. Such an agent cheats, and exists only to measure what cheating is worth."""

    def reset(self, nonce: int) -> None:
        """A new run begins. All chance an agent uses comes from the nonce."""

    def act(self, state: PublicState, /) -> Decision:
        """What to do now."""


# --- The seat: what an author left out is filled in, and answers are checked ------------------------------------------

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
_CHANCES = ("win", "clear")
_WORDS = {Action: "an Action", str: "a text", bool: "true or false", tuple: "a tuple", float: "a number"}


class Seat:
    """An ``Agent`` made of an object that has at least ``act``; it raises whatever that raises, as an Exception."""

    def __init__(self, agent: BareAgent, name: str) -> None:
        self.name = name
        self.clairvoyant = bool(getattr(agent, "clairvoyant", False))
        self._agent = agent

    @property
    def seated(self) -> BareAgent:
        """The object that an author wrote."""
        return self._agent

    def __repr__(self) -> str:
        return repr(self._agent)

    def reset(self, nonce: int) -> None:
        with _kept_seated():
            getattr(self._agent, "reset", _forget)(nonce)

    def act(self, state: PublicState, /) -> Decision:
        with _kept_seated():
            return _decision(self._agent.act(state))


@contextmanager
def _kept_seated() -> Iterator[None]:
    """What would end the whole evaluation becomes an error like any other, raised where it was. Ctrl-C stays."""
    try:
        with guest():
            yield
    except (Exception, KeyboardInterrupt):
        raise
    except BaseException as end:
        did = f"called {exit_call(end)}" if isinstance(end, SystemExit) else f"raised {error_text(end)}"
        raise RuntimeError(f"the agent {did}").with_traceback(end.__traceback__) from end


def _forget(nonce: int) -> None:
    """The ``reset`` of an agent that keeps nothing from run to run and leaves nothing to chance."""


def _decision(answer: object) -> Decision:
    if isinstance(answer, Action):
        return Decision(answer)
    if not isinstance(answer, Decision):
        raise TypeError(f"act must return an Action or a Decision, not {short_repr(answer)}")
    _check(answer, _DECISION)
    if answer.measure not in get_args(Measure):
        raise TypeError(f"measure of a Decision must be one of {', '.join(get_args(Measure))}")
    for considered in answer.considered:
        if not isinstance(considered, Considered):
            raise TypeError(f"considered of a Decision must hold Considered actions, not {short_repr(considered)}")
        _check(considered, _CONSIDERED)
    return answer


def _check(thing: object, kinds: dict[str, Any]) -> None:
    """TypeError for what cannot be shown or recorded, while it is still known whose it is."""
    for name, kind in kinds.items():
        value = getattr(thing, name)
        if not isinstance(value, kind):
            wanted = _WORDS[kind[0] if isinstance(kind, tuple) else kind]
            raise TypeError(f"{name} of a {type(thing).__name__} must be {wanted}, not {short_repr(value)}")
        if name in _CHANCES and value is not None and not 0 <= value <= 1:
            what = f"{name} of a {type(thing).__name__}"
            raise TypeError(f"{what} must be a chance between 0 and 1, not {short_repr(value)}")
