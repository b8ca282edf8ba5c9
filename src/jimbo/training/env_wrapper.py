"""Wrappers around one environment."""

from jimbo.env.balatro_wrapper import BalatroGymWrapper, wrap_balatro_env
from jimbo.env.wrappers import ActionMaskWrapper, CurriculumWrapper, EnvironmentWrapper, RewardScalingWrapper

__all__ = [
    "ActionMaskWrapper",
    "BalatroGymWrapper",
    "CurriculumWrapper",
    "EnvironmentWrapper",
    "RewardScalingWrapper",
    "wrap_balatro_env",
]
