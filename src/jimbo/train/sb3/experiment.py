"""Experiments: which algorithm, how long, with what changed; and what came of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jimbo.declared import Declared, declared
from jimbo.files import write_text
from jimbo.train.sb3.config import HyperparameterConfig, TrainerConfig, get_default_config, known_fields, read_json

DEFAULT_NAME = "default_experiment"
_TAKEN_OVER = (
    "algorithm", "total_timesteps", "seed", "n_envs", "use_curriculum", "use_behavioral_cloning", "use_wandb",
    "wandb_project", "wandb_tags", "save_dir",
)  # fmt: skip


def _now() -> str:
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}"


def check_folder_name(name: str) -> None:
    """ValueError for a name that would lead elsewhere."""
    if Path(name).name != name or name in ("", ".."):
        raise ValueError(f"name {name} cannot be the name of a folder: use letters, digits, - and _")


@dataclass(slots=True, kw_only=True)
class ExperimentConfig(Declared):
    """One experiment: the defaults of an algorithm, and what is changed in them."""

    name: str = declared(DEFAULT_NAME, "what it is called in results", nonempty=True)
    description: str = declared("", "what it is for")
    timestamp: str = declared(default_factory=_now, help="when it was made")
    algorithm: str = declared("PPO", "PPO, A2C, DQN or one that was registered", nonempty=True)
    total_timesteps: int = declared(1_000_000, "total timesteps over all environments", min=1)
    seed: int = declared(42, "random seed for games, weights and sampling", min=0, max=2**31 - 1)
    n_envs: int = declared(8, "parallel games", min=1, max=100_000)
    use_curriculum: bool = declared(False, "short games first")
    use_behavioral_cloning: bool = declared(False, "start from a behaviour clone of the player in bc_data")
    use_wandb: bool = declared(False, "log to Weights & Biases")
    wandb_project: str = declared("balatro-rl", "its project", nonempty=True)
    wandb_tags: list[str] = declared(default_factory=list, help="its tags")
    hyperparams_override: Mapping[str, Any] = declared(
        default_factory=dict, help="fields of HyperparameterConfig, or arguments of the algorithm such as n_steps"
    )
    trainer_override: Mapping[str, Any] = declared(default_factory=dict, help="further fields of TrainerConfig")
    save_dir: str = declared("models", "folder of trainings", nonempty=True)

    def to_trainer_config(self) -> TrainerConfig:
        """The algorithm's defaults, with what this experiment changes; ValueError for a name that nobody knows."""
        data = get_default_config(self.algorithm).to_dict()
        known = {entry.name for entry in fields(HyperparameterConfig)}
        for name, value in self.hyperparams_override.items():
            (data["hyperparams"] if name in known else data["hyperparams"]["algorithm_specific"])[name] = value
        data |= {name: getattr(self, name) for name in _TAKEN_OVER}
        return TrainerConfig.from_dict({**data, **self.trainer_override})

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ExperimentConfig:
        """ValueError names what is unknown or does not fit."""
        return known_fields(cls, data)

    def save(self, path: Path | str) -> None:
        write_text(Path(path), json.dumps(self.to_dict(), indent=2) + "\n")

    @classmethod
    def load(cls, path: Path | str) -> ExperimentConfig:
        return cls.from_dict(read_json(Path(path)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentResult:
    """What an experiment came to, judged on games that are the same for all."""

    algorithm: str
    name: str
    asked_timesteps: int
    total_timesteps: int
    """Steps that were made: rollouts are whole."""
    updates: int | None
    """Passes over a rollout (PPO, A2C) or steps of the optimizer (DQN); None where they are not counted."""
    mean_reward: float
    std_reward: float
    mean_antes: float
    mean_scores: float
    """Of the best hands."""
    win_rate: float
    illegal_actions: int
    """In training and judging; 0 unless something is wrong."""
    training_duration: float
    """Seconds."""
    save_path: str
    warnings: Sequence[str]
    """What these numbers do not show by themselves."""
    metrics: Mapping[str, Any]
    """Every episode of the training, as ``get_metrics`` gives them."""

    def to_dict(self) -> dict[str, Any]:
        """Without the single episodes."""
        return {entry.name: getattr(self, entry.name) for entry in fields(self) if entry.name != "metrics"}

    def __repr__(self) -> str:
        return f"<ExperimentResult {self.name} ({self.algorithm}): mean reward {self.mean_reward:.3f}>"
