"""Wrappers around one environment."""

from jimbo.env import (
    ActionMaskWrapper,
    BalatroGymWrapper,
    CurriculumWrapper,
    EnvironmentWrapper,
    RewardScalingWrapper,
    wrap_balatro_env,
)

__all__ = [
    "ActionMaskWrapper",
    "BalatroGymWrapper",
    "CurriculumWrapper",
    "EnvironmentWrapper",
    "RewardScalingWrapper",
    "wrap_balatro_env",
]
