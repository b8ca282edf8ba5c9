"""The face that every world shows to rollouts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from jimbo.engine import Action, Event, PublicState


class Applied(NamedTuple):
    """The outcome of an action."""

    state: PublicState
    events: Sequence[Event]


class UnsupportedAction(Exception):
    """The rules allow the action, but this world cannot do it. Nothing has happened, and ``cannot`` knows it now."""


class Backend(Protocol):
    """One run at a time. Its states are public, and nobody else knows the run behind them.

    Events are for observers, never for agents: they name even cards that lie face down.
    """

    def reset(
        self, *, deck: str | None = None, stake: str = "white", seed: str | None = None, challenge: str | None = None
    ) -> PublicState:
        """Starts a new run; a backend that cannot choose seeds takes only None. A challenge brings its own deck."""

    def state(self) -> PublicState:
        """What the player sees now."""

    def cannot(self, action: Action) -> str | None:
        """Why this world cannot do what the rules allow; None where it can."""

    def apply(self, action: Action) -> Applied:
        """Takes an action. IllegalAction if it is not allowed, UnsupportedAction if this world turns out to be unable
        to do it; nothing changes then."""

    def full_state(self) -> Mapping[str, Any] | None:
        """Everything, hidden things included (state_v1), for records and checks; None where nobody knows it."""

    def close(self) -> None:
        """Releases what the backend holds."""


@runtime_checkable
class RewindableBackend(Backend, Protocol):
    """A world that can be left and gone back to: for people, who save games and undo steps."""

    @property
    def seed(self) -> str:
        """The seed of the run."""

    def save(self) -> bytes:
        """The run as bytes."""

    def load(self, data: bytes) -> PublicState:
        """Goes on with a saved run; ValueError with a sentence for bytes that are not one."""


@runtime_checkable
class StartingBackend(Protocol):
    """A world that can begin anywhere."""

    def begin(self, start: Mapping[str, Any]) -> PublicState:
        """Goes on from a whole state (state_v1); ValueError with a sentence for anything else."""
