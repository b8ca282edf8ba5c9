"""Configs, the base of trainers, and trainers by name."""

from jimbo.train.sb3.checkpoints import CheckpointManager
from jimbo.train.sb3.config import HyperparameterConfig, TrainerConfig, get_default_config, tuned_config
from jimbo.train.sb3.registry import create_trainer, known_algorithms, register_trainer
from jimbo.train.sb3.trainer import RLTrainer

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
