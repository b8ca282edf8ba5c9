"""A training so small that it takes seconds, and the command."""

from typing import Any

from click.testing import Result
from typer.testing import CliRunner

from jimbo.cli.main import app

TINY: dict[str, Any] = {
    "num_env_runners": 0,
    "num_envs_per_env_runner": 8,
    "train_batch_size_per_learner": 256,
    "minibatch_size": 128,
    "num_epochs": 1,
    "lr": 0.001,
    "evaluation_interval": 1,
    "evaluation_duration": 5,
    "env_config": {"candidates": 16},
}

WITH_RUNNER = {**TINY, "num_env_runners": 1}
"""A process of its own plays, which takes a while to start."""


def jimbo(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "200"})
