"""Wrappers around one environment.

They are plain ``gymnasium.Wrapper`` objects, can be stacked in any order and keep ``action_masks()`` reachable.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from jimbo.env.balatro_wrapper import BalatroGymWrapper
from jimbo.env.base_wrapper import EnvironmentWrapper, Observation
from jimbo.env.curriculum import CurriculumWrapper

__all__ = [
    "ActionMaskWrapper",
    "BalatroGymWrapper",
    "CurriculumWrapper",
    "EnvironmentWrapper",
    "RewardScalingWrapper",
    "wrap_balatro_env",
]


class RewardScalingWrapper(EnvironmentWrapper):
    """Turns every reward into ``scale * reward + offset``."""

    def __init__(self, env: gymnasium.Env[Observation, Any], scale: float = 1.0, offset: float = 0.0) -> None:
        super().__init__(env)
        self.scale = scale
        self.offset = offset

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        observation, reward, terminated, truncated, info = self.env.step(action)
        return observation, self.scale * float(reward) + self.offset, terminated, truncated, info


class ActionMaskWrapper(EnvironmentWrapper):
    """Makes every action legal, for learners that do not know masks.

    An action that is not allowed is replaced by the next allowed one: counting up from it, and on from 0 after the
    last. ``info["action_replaced"]`` says whether this happened, ``replaced`` counts how often since the start.
    """

    def __init__(self, env: gymnasium.Env[Observation, Any]) -> None:
        super().__init__(env)
        if not isinstance(env.action_space, gymnasium.spaces.Discrete):
            raise ValueError(
                'ActionMaskWrapper replaces numbers: make the environment with actions="steps" or "candidates"'
            )
        self.replaced = 0

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        legal = self.legal_action(int(action))
        replaced = legal != int(action)
        self.replaced += replaced
        observation, reward, terminated, truncated, info = self.env.step(legal)
        return observation, float(reward), terminated, truncated, {**info, "action_replaced": replaced}

    def legal_action(self, action: int) -> int:
        """The action itself where it is allowed, else the next one that is; itself when none is."""
        allowed: NDArray[np.intp] = np.flatnonzero(self.action_masks())
        if not len(allowed):
            return action
        place = int(np.searchsorted(allowed, action))
        return int(allowed[place % len(allowed)])


def wrap_balatro_env(
    env: gymnasium.Env[Observation, Any],
    use_curriculum: bool = False,
    curriculum_config: Mapping[str, Any] | None = None,
) -> BalatroGymWrapper:
    """A ``BalatroGymWrapper`` around ``env``, with a ``CurriculumWrapper(**curriculum_config)`` between them if wanted.

    >>> config = {"initial_max_ante": 1, "eval_interval": 50}
    >>> env = wrap_balatro_env(create_balatro_env(seed=1), use_curriculum=True, curriculum_config=config)
    """
    if curriculum_config is not None and not use_curriculum:
        raise ValueError("curriculum_config has no effect without use_curriculum=True")
    if use_curriculum:
        env = CurriculumWrapper(env, **(curriculum_config or {}))
    return BalatroGymWrapper(env)
