"""What learners are paid for where nobody says otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

BLINDS_TO_WIN = 24
"""Three blinds in each of eight antes."""

DEFAULT_REWARDS: Mapping[str, float] = MappingProxyType({"win": 1.0, "score": 1 / BLINDS_TO_WIN})
"""Winning pays 1, and so does the way there: each of the 24 blinds pays 1/24 when beaten, the scored share when not.

The sum of an episode lies between 0 and 2, is at least 1 only for a won run, and moves with every hand that brings a
blind closer, so that an agent that never wins still sees which of its runs went better. Score beyond a blind's target
pays nothing, as in the game. A skipped blind pays nothing either; ``{"win": 1, "ante": 1 / 8}`` is neutral about skips
and gives fewer signals.
"""
