"""What every trainer offers, whatever its algorithm."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jimbo.train.sb3.checkpoints import write_beside
from jimbo.train.sb3.config import TrainerConfig
from jimbo.train.sb3.metrics import BalatroMetrics

CONFIG = "trainer.json"


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
