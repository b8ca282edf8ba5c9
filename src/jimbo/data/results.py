"""What came of a decision and of a game: one vocabulary for records, rollouts and evaluations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from jimbo.engine import PublicState
from jimbo.files import finite

Result = Literal["win", "loss", "open"]
"""How a game ended; ``open`` where it did not come to an end: it was left, stopped by a limit, or broke off."""
RESULTS: tuple[Result, ...] = get_args(Result)
LARGEST = 3.4e38
"""In place of larger rewards and values: nearly the largest number of the type float32."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """How a game ended, or how it stands where it was left."""

    result: Result
    ante: int
    """At the end; beating a boss begins the next."""
    round: int
    """At the end."""
    steps: int
    """Decisions."""


def result_of(state: PublicState) -> Result:
    """The result of a game that goes no further than this state."""
    return "win" if state.won else "loss" if state.over else "open"


class Outcome(NamedTuple):
    """What came of a decision."""

    reward: float
    """Chips scored. That a new round begins at 0 again costs nothing."""
    beaten: bool
    """The decision beat a blind."""
    done: bool
    """The decision ended the game."""


def outcome_of(before: PublicState, after: PublicState) -> Outcome:
    reward = max(0.0, finite(after.chips - before.chips, LARGEST))  # infinity less infinity scores nothing
    beaten = before.phase == "selecting_hand" and after.phase == "round_eval"
    return Outcome(reward, beaten, after.over or after.won)
