"""The base of trainers, trainers by the names of their algorithms, and the checkpoints they keep."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jimbo.extras import require
from jimbo.files import replacing, write_text
from jimbo.training.config import HyperparameterConfig, TrainerConfig, get_default_config, read_json, tuned_config
from jimbo.training.metrics import BalatroMetrics

__all__ = [
    "CheckpointManager",
    "HyperparameterConfig",
    "RLTrainer",
    "TrainerConfig",
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
    """Lets ``write`` write a file that is whole or absent."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as beside:
        write(str(beside))
        # Stable-Baselines3 adds .zip to names that end otherwise.
        renamed = beside.with_name(f"{beside.name}.zip")
        if renamed.exists():
            renamed.replace(beside)


class CheckpointManager:
    """Keeps the last ``keep`` checkpoints of a folder, and the best by a number.

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
        """Lets ``write`` write a checkpoint to the file it is given; deletes those that are too old."""
        path = self.folder / f"checkpoint_{step}.zip"
        write_beside(write, path)
        for old in self.checkpoints()[: -self.keep]:
            old.unlink(missing_ok=True)
        return path

    def save_best(self, write: Callable[[str], Any], step: int, value: float) -> bool:
        """Writes it if ``value`` is higher than that of the best so far; says whether it was."""
        known = self.best_value()
        if known is not None and value <= known:
            return False
        write_beside(write, self.folder / BEST)
        write_text(self.folder / NOTES, json.dumps({"step": step, "value": value}) + "\n")
        return True

    def forget(self) -> None:
        """Deletes all, for a training that begins anew."""
        for path in (*self.checkpoints(), self.folder / BEST, self.folder / NOTES):
            path.unlink(missing_ok=True)

    def checkpoints(self) -> list[Path]:
        """Oldest first."""
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
    """The base of all trainers. A new algorithm is a subclass with three methods, and a line that registers it:

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
        """Of the model so far; None where they are not counted."""
        self.warnings: list[str] = []
        """What the result of the last ``train`` does not show by itself."""
        self.save_path = Path(self.config.save_dir) / (self.config.run_name or _name_of(self.config.algorithm))

    @abstractmethod
    def create_model(self) -> Any:
        """Makes ``self.model``."""

    @abstractmethod
    def train(self, total_timesteps: int | None = None, callback: Callable[..., Any] | Any = None) -> Any:
        """Learns for so many steps, ``config.total_timesteps`` by default."""

    @abstractmethod
    def evaluate(self, n_episodes: int, deterministic: bool = True) -> tuple[float, float]:
        """Mean and standard deviation of the rewards of some episodes."""

    def save_model(self, path: Path | str | None = None) -> Path:
        """Writes the model to a file, ``model.zip`` in ``save_path`` by default; returns where it is."""
        if self.model is None:
            raise ValueError("there is no model to save yet: call train() or create_model() first")
        target = Path(path) if path is not None else self.save_path / "model.zip"
        write_beside(self.write_model, target)
        return target

    def write_model(self, path: str) -> None:
        """Writes the model to this file; override it for a model without ``save``."""
        self.model.save(path)

    def save_config(self, path: Path | str | None = None) -> Path:
        """Writes the config as JSON, ``trainer.json`` in ``save_path`` by default; returns where it is."""
        target = Path(path) if path is not None else self.save_path / CONFIG
        target.parent.mkdir(parents=True, exist_ok=True)
        self.config.save(target)
        return target

    def get_metrics(self) -> dict[str, Any]:
        """Every finished episode of the training, as lists: ``episode_rewards``, ``episode_antes``, ..."""
        return self.metrics.to_dict()

    def close(self) -> None:
        """Gives back what the trainer holds."""
        self.env.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.config.algorithm}, {self.total_timesteps:,} steps trained>"


def _name_of(algorithm: str) -> str:
    return f"{algorithm}_{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"


Maker = Callable[[Any, TrainerConfig], RLTrainer]


def _sb3(env: Any, config: TrainerConfig) -> RLTrainer:
    require("sb3_contrib", "train")
    from jimbo.training.sb3_trainer import SB3Trainer  # torch takes seconds to import

    return SB3Trainer(env, config)


_MAKERS: dict[str, Maker] = dict.fromkeys(("PPO", "A2C", "DQN"), _sb3)


def register_trainer(algorithm: str, maker: Maker) -> None:
    """Lets ``create_trainer`` make trainers of one more algorithm; ``maker`` is a subclass of RLTrainer, or a function.

    A name that is known already gets the new maker.
    """
    if not algorithm:
        raise ValueError("an algorithm needs a name")
    _MAKERS[algorithm] = maker


def known_algorithms() -> tuple[str, ...]:
    return tuple(_MAKERS)


def create_trainer(env: Any, config: TrainerConfig) -> RLTrainer:
    """The trainer for ``config.algorithm``, on environments like ``env``; ValueError for an unknown algorithm."""
    check_algorithm(config.algorithm)
    return _MAKERS[config.algorithm](env, config)


def check_algorithm(algorithm: Any) -> None:
    if not isinstance(algorithm, str) or algorithm not in _MAKERS:
        names = ", ".join(_MAKERS)
        raise ValueError(f'Unknown algorithm "{algorithm}": choose one of {names}, or register yours')
