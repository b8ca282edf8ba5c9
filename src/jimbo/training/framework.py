"""The base of trainers, trainers by the names of their algorithms, their checkpoints, and their settings in files."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jimbo.declared import check_values
from jimbo.extras import require
from jimbo.files import read_json, replacing, write_text
from jimbo.training.config import (
    HyperparameterConfig,
    TrainerConfig,
    campaign_config,
    get_default_config,
    set_hyperparameters,
    tuned_config,
)
from jimbo.training.metrics import BalatroMetrics
from jimbo.yaml_files import read_yaml

__all__ = [
    "CheckpointManager",
    "HyperparameterConfig",
    "RLTrainer",
    "TrainerConfig",
    "campaign_config",
    "create_trainer",
    "get_default_config",
    "known_algorithms",
    "register_trainer",
    "tuned_config",
]

BEST = "best_model.zip"
NOTES = "best_model.json"
_NAME = re.compile(r"checkpoint_(\d+)\.zip")
CONFIG = "trainer.json"


def write_beside(write: Callable[[str], Any], path: Path) -> None:
    """Let ``write`` make a file that is whole or absent."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as beside:
        write(str(beside))
        # Stable-Baselines3 adds .zip to names that end otherwise.
        renamed = beside.with_name(f"{beside.name}.zip")
        if renamed.exists():
            renamed.replace(beside)


def kept_in(folder: Path) -> str:
    """Return a sentence that names a folder and its files."""
    return f"Kept in {folder}: {', '.join(sorted(path.name for path in folder.iterdir()))}."


class CheckpointManager:
    """The last ``keep`` checkpoints of a folder, and the best by a number.

    >>> manager = CheckpointManager("models/PPO", keep=3)
    >>> manager.save(model.save, step=10_000)
    >>> manager.save_best(model.save, step=10_000, value=0.7)
    >>> manager.latest(), manager.best()
    """

    def __init__(self, folder: Path | str, keep: int = 5) -> None:
        if keep < 1:
            raise ValueError(f"keep must be at least 1, not {keep}")
        self.folder = Path(folder)
        self.keep = keep

    def save(self, write: Callable[[str], Any], step: int) -> Path:
        """Let ``write`` make the checkpoint of a step; delete those that are too old."""
        path = self.folder / f"checkpoint_{step}.zip"
        write_beside(write, path)
        for old in self.checkpoints()[: -self.keep]:
            old.unlink(missing_ok=True)
        return path

    def save_best(self, write: Callable[[str], Any], step: int, value: float) -> bool:
        """Keep a checkpoint if ``value`` is higher than that of the best so far; return whether it was."""
        known = self.best_value()
        if known is not None and value <= known:
            return False
        write_beside(write, self.folder / BEST)
        write_text(self.folder / NOTES, json.dumps({"step": step, "value": value}) + "\n")
        return True

    def forget(self) -> None:
        """Delete all, for a training that starts over."""
        for path in (*self.checkpoints(), self.folder / BEST, self.folder / NOTES):
            path.unlink(missing_ok=True)

    def checkpoints(self) -> list[Path]:
        """Return the checkpoints, the oldest first."""
        found = [(int(match[1]), path) for path in self.folder.glob("*.zip") if (match := _NAME.fullmatch(path.name))]
        return [path for _, path in sorted(found)]

    def latest(self) -> Path | None:
        return self.checkpoints()[-1] if self.checkpoints() else None

    def best(self) -> Path | None:
        path = self.folder / BEST
        return path if path.is_file() else None

    def best_value(self) -> float | None:
        notes = self.folder / NOTES
        return float(read_json(notes)["value"]) if notes.is_file() else None

    def __repr__(self) -> str:
        return f"<CheckpointManager of {self.folder}: {len(self.checkpoints())} checkpoints>"


class RLTrainer(ABC):
    """The base of all trainers. A new algorithm is a subclass with three methods, and a line that registers it.

    >>> class MyTrainer(RLTrainer):
    ...     def create_model(self): ...
    ...     def train(self, total_timesteps=None, callback=None): ...
    ...     def evaluate(self, n_episodes, deterministic=True): ...
    >>> register_trainer("MyAlgorithm", MyTrainer)
    """

    def __init__(self, env: Any, config: TrainerConfig) -> None:
        """``config`` is copied: what is changed in it later has no effect here."""
        self.env = env
        self.config = config.checked()
        self.model: Any = None
        self.metrics = BalatroMetrics()
        self.total_timesteps = 0
        """Steps trained so far."""
        self.updates: int | None = None
        """Updates of the model so far; None where they are not counted."""
        self.warnings: list[str] = []
        """Remarks on the last ``train`` that its result does not show."""
        name = self.config.run_name or f"{self.config.algorithm}_{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"
        self.save_path = Path(self.config.save_dir) / name

    @abstractmethod
    def create_model(self) -> Any:
        """Make ``self.model``."""

    @abstractmethod
    def train(self, total_timesteps: int | None = None, callback: Callable[..., Any] | Any = None) -> Any:
        """Learn for so many steps, ``config.total_timesteps`` by default."""

    @abstractmethod
    def evaluate(self, n_episodes: int, deterministic: bool = True) -> tuple[float, float]:
        """Return mean and standard deviation of the rewards of some episodes."""

    def save_model(self, path: Path | str | None = None) -> Path:
        """Write the model to a file, ``model.zip`` in ``save_path`` by default; return where it is."""
        if self.model is None:
            raise ValueError("there is no model to save yet: call train() or create_model() first")
        target = Path(path) if path is not None else self.save_path / "model.zip"
        write_beside(self.write_model, target)
        return target

    def write_model(self, path: str) -> None:
        """Write the model to this file; override it for a model without ``save``."""
        self.model.save(path)

    def save_config(self, path: Path | str | None = None) -> Path:
        """Write the config as JSON, ``trainer.json`` in ``save_path`` by default; return where it is."""
        target = Path(path) if path is not None else self.save_path / CONFIG
        target.parent.mkdir(parents=True, exist_ok=True)
        self.config.save(target)
        return target

    def get_metrics(self) -> dict[str, Any]:
        """Return every finished episode of the training, as lists: ``episode_rewards``, ``episode_antes``, ..."""
        return self.metrics.to_dict()

    def close(self) -> None:
        """Close the environments."""
        self.env.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.config.algorithm}, {self.total_timesteps:,} steps trained>"


Maker = Callable[[Any, TrainerConfig], RLTrainer]


def _sb3(env: Any, config: TrainerConfig) -> RLTrainer:
    require("sb3_contrib", "train")
    from jimbo.training.sb3_trainer import SB3Trainer  # torch takes seconds to import

    return SB3Trainer(env, config)


_MAKERS: dict[str, Maker] = dict.fromkeys(("PPO", "A2C", "DQN"), _sb3)


def register_trainer(algorithm: str, maker: Maker) -> None:
    """Add an algorithm to those of ``create_trainer``; ``maker`` is a subclass of RLTrainer, or a function.

    A name that is known already gets the new maker.
    """
    if not algorithm:
        raise ValueError("an algorithm needs a name")
    _MAKERS[algorithm] = maker


def known_algorithms() -> tuple[str, ...]:
    return tuple(_MAKERS)


def create_trainer(env: Any, config: TrainerConfig) -> RLTrainer:
    """Return the trainer for ``config.algorithm``, on environments like ``env``; ValueError for an unknown one."""
    check_algorithm(config.algorithm)
    return _MAKERS[config.algorithm](env, config)


def check_algorithm(algorithm: Any, where: str = "") -> None:
    if not isinstance(algorithm, str) or algorithm not in _MAKERS:
        names = ", ".join(_MAKERS)
        raise ValueError(f'{where}Unknown algorithm "{algorithm}": choose one of {names}, or register yours')


# --- Settings in files ------------------------------------------------------------------------------------------------

PRESETS = {"tuned": tuned_config, "campaign": campaign_config, "reference": get_default_config}
_OLD_PRESETS = {"document": "reference"}


def read_trainer_config(path: Path | None, preset: str | None, named: Mapping[str, Any]) -> TrainerConfig:
    """Return a preset, over it the settings of a file, over them those in ``named``; ValueError in words.

    ``named``: fields of TrainerConfig or HyperparameterConfig, or arguments of the algorithm. A file is a mapping with
    fields of TrainerConfig, ``hyperparams`` of which only some need be named, and ``preset``.
    """
    told = _read_file(path) if path else {}
    usual = "campaign" if named.get("env", told.get("env")) == "campaign" else "tuned"
    chosen = preset or told.get("preset", usual)
    chosen = _OLD_PRESETS.get(chosen, chosen) if isinstance(chosen, str) else chosen
    if not isinstance(chosen, str) or chosen not in PRESETS:
        raise ValueError(f'there is no preset "{chosen}": choose from {", ".join(PRESETS)}')
    algorithm = named.get("algorithm", told.get("algorithm", "PPO"))
    check_algorithm(algorithm)
    data = PRESETS[chosen](algorithm).to_dict()
    hyper, changed = data.pop("hyperparams"), told.get("hyperparams") or {}
    specific = {**hyper["algorithm_specific"], **changed.get("algorithm_specific", {})}
    hyper |= {**changed, "algorithm_specific": specific}
    data |= {name: value for name, value in {**told, **named}.items() if name in data}
    set_hyperparameters(hyper, {name: value for name, value in named.items() if name not in data})
    return TrainerConfig.from_dict({**data, "hyperparams": hyper})


def _read_file(path: Path) -> dict[str, Any]:
    """Return the settings of a file, each of them checked."""
    data = read_yaml(path)
    if not isinstance(data, Mapping):
        raise ValueError(f"config {path} must have named values, such as 'algorithm: PPO'")
    settings = {name: value for name, value in data.items() if name != "preset"}
    check_algorithm(data.get("algorithm", "PPO"), f"config {path}: ")
    check_values(TrainerConfig, settings, f"config {path}")
    return dict(data)
