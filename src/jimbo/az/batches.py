"""Rows of a store as arrays to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jimbo.az.schema import GameMetadata, SchemaError

Array = NDArray[Any]
LEARNT = ("action", "observation", "policy_probs", "mcts_value", "game_outcome")
"""The columns that rows must have."""


class Batch(NamedTuple):
    observations: Array
    """float32[B, obs_size]"""
    policies: Array
    """float32[B, num_actions]"""
    outcomes: Array
    """float32[B]: of the games, seen by who moved."""
    values: Array
    """float32[B]: what the search thought of the positions."""


def batch_of(rows: Sequence[tuple[Any, ...]], game: GameMetadata, place: str) -> Batch:
    actions, observations, policies, values, outcomes = zip(*rows, strict=True)
    if wrong := [len(data) for data in observations if len(data) != 4 * game.obs_size]:
        raise SchemaError(
            f"{place}: an observation has {wrong[0]} bytes, but those of {game.env_id} have {4 * game.obs_size}"
        )
    seen = np.frombuffer(b"".join(observations), "<f4").reshape(len(rows), game.obs_size)
    pairs = zip(policies, actions, strict=True)
    wanted = np.stack([_policy(policy, action, game.num_actions) for policy, action in pairs])
    thought = [value if value is not None else outcome or 0.0 for value, outcome in zip(values, outcomes, strict=True)]
    ended = [outcome if outcome is not None else value for value, outcome in zip(thought, outcomes, strict=True)]
    return Batch(np.array(seen, np.float32), wanted, np.array(ended, np.float32), np.array(thought, np.float32))


def _policy(policy: bytes | None, action: bytes, count: int) -> Array:
    """What the search thought of the moves or, where that is not known, the move that was made."""
    if policy is not None and len(policy) == 4 * count:
        return np.frombuffer(policy, "<f4")
    made = np.zeros(count, np.float32)
    made[int.from_bytes(action, "little") % count] = 1.0
    return made
