"""The games as RLlib plays them: the native vector environment, with as little told of each step as is needed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jimbo.env.vector_env import RunVectorEnv
from jimbo.train.rllib.config import EnvConfig
from jimbo.train.rllib.tasks import read_schedule, task_at

ENV_NAME = "jimbo_balatro"
TIMESTEPS = "timesteps"
"""The entry of an env_config that says how many decisions were made before, for the schedule."""


class BalatroVectorEnv(RunVectorEnv):
    """Runs side by side.

    ``info`` holds nothing but the ``result`` of episodes that end, because RLlib takes every entry of every step apart.
    """

    def _status(self) -> dict[str, Any]:
        return {}

    def reset(self, **arguments: Any) -> tuple[Any, dict[str, Any]]:
        return super().reset(**arguments)[0], {}


def run_options(config: EnvConfig) -> dict[str, Any]:
    """The options of an environment, whole runs."""
    return {
        "actions": "candidates",
        "observation": "packed",
        "deck": config.deck,
        "stake": config.stake,
        "candidates": config.candidates,
        "max_ante": config.max_ante,
        "max_steps": config.max_steps,
        "rewards": dict(config.rewards),
    }


def make_env(context: Mapping[str, Any]) -> BalatroVectorEnv:
    """What RLlib calls in each of its processes: options, ``num_envs``, and the task that the schedule says."""
    options = dict(context)
    rows = options.pop("num_envs", 1)
    schedule, timesteps = options.pop("difficulty_schedule", {}), options.pop(TIMESTEPS, 0)
    if task := task_at(read_schedule(schedule), timesteps):
        options["max_ante"] = min(options["max_ante"], task.max_ante)
    return BalatroVectorEnv(rows, **options)
