"""What an agent is: it sees what a player may know, and decides."""

from __future__ import annotations

from typing import Protocol

from jimbo.data import Considered, Decision, Measure
from jimbo.engine import Action, PublicState

__all__ = ["Agent", "BareAgent", "Considered", "Decision", "Measure"]


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
