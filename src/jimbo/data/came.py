"""What came of a decision, as far as records tell."""

from __future__ import annotations

from typing import NamedTuple

from jimbo.data.samples import Result
from jimbo.engine import PublicState

LARGEST = 3.4e38
"""In place of scores that are beyond numbers: nearly the largest number of the type float32."""


class Came(NamedTuple):
    reward: float
    """Chips scored by it. That a new round begins at 0 again is no loss."""
    beaten: bool
    """It beat a blind."""
    done: bool
    """It ended the game."""


def came_of(before: PublicState, after: PublicState) -> Came:
    scored = after.chips - before.chips
    reward = min(scored, LARGEST) if scored > 0 else 0.0  # 0 for NaN, which infinity less infinity is
    beaten = before.phase == "selecting_hand" and after.phase == "round_eval"
    return Came(reward, beaten, after.over or after.won)


def result_of(state: PublicState) -> Result:
    """How a game stands that goes no further."""
    return "win" if state.won else "loss" if state.over else "open"
