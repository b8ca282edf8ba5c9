"""What an agent is: it sees a public view and decides."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol

from jimbo.backends import PublicView
from jimbo.engine.run import Action

Measure = Literal["value", "score", "clear", "win"]
"""What the values of considered actions are: ``score``, the score that a play is expected to make; ``clear``, the
chance to clear the blind and a little for money; ``win``, percentage points that the chance to win gains; ``value``,
known to the agent alone."""


@dataclass(frozen=True, slots=True)
class Considered:
    """An action that was considered."""

    action: Action
    """The first, where several follow one another."""
    value: float
    """What the agent chose by; only comparable within one decision."""
    text: str
    """What the action itself does not tell."""
    clear: float | None = None
    """Probability of clearing the blind in play, where the agent has one."""
    error: float | None = None
    """Its standard error."""
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    action: Action
    considered: tuple[Considered, ...] = ()
    """Best first. The chosen one need not be the best: others may have been looked at too briefly to be trusted."""
    explanation: str = ""
    seconds: float = field(default=0.0, compare=False)
    measure: Measure = "value"


class Agent(Protocol):
    """Deterministic for a given nonce and sequence of views."""

    name: str
    clairvoyant: bool
    """It must be shown what is hidden. Such an agent cheats, and exists only to measure what cheating is worth."""

    def reset(self, nonce: int) -> None:
        """A new run begins. All chance an agent uses comes from the nonce."""

    def act(self, view: PublicView) -> Decision:
        """What to do now."""
