"""Trainers by the names of their algorithms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jimbo.extras import require
from jimbo.train.sb3.config import TrainerConfig
from jimbo.train.sb3.trainer import RLTrainer

Maker = Callable[[Any, TrainerConfig], RLTrainer]


def _sb3(env: Any, config: TrainerConfig) -> RLTrainer:
    require("sb3_contrib", "train")
    from jimbo.train.sb3.sb3_trainer import SB3Trainer  # torch takes seconds to import

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
