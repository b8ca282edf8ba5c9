"""How many steps a training makes, which need not be as many as were asked, and whether it learns from any of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import cast

from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.off_policy_algorithm import OffPolicyAlgorithm
from stable_baselines3.common.on_policy_algorithm import OnPolicyAlgorithm
from stable_baselines3.common.type_aliases import TrainFreq, TrainFrequencyUnit

WORTH_SAYING = 0.1
"""Share of the steps that were asked: so many more are a warning."""


def planned_steps(model: BaseAlgorithm, asked: int) -> int:
    """The steps that ``learn(asked)`` makes: rollouts are whole."""
    rollout = _rollout(model)
    return math.ceil(asked / rollout) * rollout


def warnings_before(model: BaseAlgorithm, asked: int, name: str) -> Iterator[str]:
    """What the result of ``asked`` further steps will not show by itself; ``name`` is that of the algorithm."""
    planned, rollout = planned_steps(model, asked), _rollout(model)
    if planned > asked * (1 + WORTH_SAYING):
        size, remedy = ("n_steps x n_envs", "n_steps or n_envs")
        if isinstance(model, OffPolicyAlgorithm):
            size, remedy = ("train_freq x n_envs", "train_freq or n_envs")
        yield (
            f"{name} makes {planned:,} steps, not {asked:,}: a rollout of {size} = {rollout:,} steps is always played "
            f"whole. Lower {remedy} for fewer."
        )
    if isinstance(model, OffPolicyAlgorithm) and model.num_timesteps + planned <= model.learning_starts:
        yield (
            f"{name} learns nothing in {planned:,} steps: learning_starts is {model.learning_starts:,}. "
            "Lower it, or raise total_timesteps."
        )


def updates_made(model: BaseAlgorithm) -> int:
    """Passes over a rollout (PPO, A2C) or steps of the optimizer (DQN), as Stable-Baselines3 counts them."""
    return model._n_updates


def _rollout(model: BaseAlgorithm) -> int:
    """Steps between two looks at whether it is over; 1 where episodes are counted, which have any length."""
    if isinstance(model, OffPolicyAlgorithm):
        frequency = cast(TrainFreq, model.train_freq)
        return frequency.frequency * model.n_envs if frequency.unit == TrainFrequencyUnit.STEP else 1
    return cast(OnPolicyAlgorithm, model).n_steps * model.n_envs
