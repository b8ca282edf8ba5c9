"""What was decided, out of what, and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from jimbo.engine import Action

Measure = Literal["value", "score", "clear", "win", "choice"]
"""What the values of what was considered are: ``score``, the score that a play is expected to make; ``clear``, the
chance to clear the blind and what that leaves, money or a better run; ``win``, percentage points that the chance to win
gains; ``choice``, the probability with which a network would choose it; ``value``, known to the agent alone."""


@dataclass(frozen=True, slots=True)
class Considered:
    """An action that was considered."""

    action: Action
    """The first, where several follow one another."""
    value: float
    """What the agent chose by; only comparable within one decision."""
    text: str
    """What the action itself does not say."""
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
    win: float | None = None
    """The chance to win the run as things stand, where the agent has one."""
