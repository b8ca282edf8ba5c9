"""What an agent is: it sees a public view and decides."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from jimbo.backends import PublicView
from jimbo.engine.run import Action


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action that was considered."""

    action: Action
    value: float
    """What the agent chose by; only comparable within one decision."""
    text: str
    clear: float | None = None
    """Probability of clearing the blind in play, where the agent has one."""
    error: float | None = None
    """Its standard error."""


@dataclass(frozen=True, slots=True)
class Decision:
    action: Action
    candidates: tuple[Candidate, ...] = ()
    """Best first."""
    explanation: str = ""
    seconds: float = field(default=0.0, compare=False)


class Agent(Protocol):
    """Deterministic for a given nonce and sequence of views."""

    name: str
    clairvoyant: bool
    """It must be shown what is hidden. Such an agent cheats, and exists only to measure what cheating is worth."""

    def reset(self, nonce: int) -> None:
        """A new run begins. All chance an agent uses comes from the nonce."""

    def act(self, view: PublicView) -> Decision:
        """What to do now."""
