"""Trainings of a few hundred steps with a network of a few numbers."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jimbo.training.config import HyperparameterConfig, TrainerConfig

SPECIFIC: dict[str, dict[str, Any]] = {
    "PPO": {"n_steps": 16, "batch_size": 32, "n_epochs": 2},
    "A2C": {"n_steps": 4},
    "DQN": {"buffer_size": 256, "learning_starts": 32, "batch_size": 16, "train_freq": 4, "target_update_interval": 64},
}

MakeConfig = Callable[..., TrainerConfig]


@pytest.fixture
def config_of(tmp_path: Path) -> MakeConfig:
    def make(algorithm: str = "PPO", specific: dict[str, Any] | None = None, **more: Any) -> TrainerConfig:
        hyperparams = HyperparameterConfig(
            features_dim=16,
            policy_net_arch=[16],
            value_net_arch=[16],
            algorithm_specific={**SPECIFIC[algorithm], **(specific or {})},
        )
        quiet = {"n_envs": 4, "eval_freq": 0, "checkpoint_freq": 0, "tensorboard": False, "device": "cpu"}
        given = {**quiet, "save_dir": str(tmp_path), "run_name": "run", **more}
        return TrainerConfig(algorithm=algorithm, hyperparams=hyperparams, **given)

    return make
