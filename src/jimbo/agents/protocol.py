"""What an agent is: it sees a public state and decides."""

from __future__ import annotations

from typing import Protocol

from jimbo.data import Considered, Decision, Measure
from jimbo.engine import Action, PublicState

__all__ = ["Agent", "Considered", "Decision", "Measure"]


class Agent(Protocol):
    """Deterministic for a given nonce and sequence of states."""

    name: str
    clairvoyant: bool
    """It must be shown what is hidden. Such an agent cheats, and exists only to measure what cheating is worth."""

    def reset(self, nonce: int) -> None:
        """A new run begins. All chance an agent uses comes from the nonce."""

    def act(self, state: PublicState) -> Decision | Action:
        """What to do now."""
