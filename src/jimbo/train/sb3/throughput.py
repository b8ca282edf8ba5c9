"""How fast an algorithm trains with more or fewer environments, and where the time goes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from tempfile import TemporaryDirectory
from typing import Any

from stable_baselines3.common.vec_env import VecEnv

from jimbo.env import create_balatro_env
from jimbo.train.sb3.algorithms import check_argument
from jimbo.train.sb3.config import TrainerConfig
from jimbo.train.sb3.memory import resident_bytes
from jimbo.train.sb3.sb3_trainer import SB3Trainer

SIZES = (1, 4, 8, 16, 64, 256)


@dataclass(frozen=True, slots=True)
class Throughput:
    algorithm: str
    n_envs: int
    steps: int
    seconds: float
    steps_per_second: float
    cpu_steps_per_second: float
    """Steps per second of processor time: what a busy machine does not change."""
    memory_mb: float
    env_share: float
    """Of the time: games; the rest is choosing and learning."""
    learner_share: float

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def measure_throughput(
    config: TrainerConfig, n_envs: int, steps: int, env_maker: Callable[[], Any] = create_balatro_env
) -> Throughput:
    """Trains for about so many steps, after a first rollout that does not count.

    PPO keeps the size of its rollouts: with more environments each takes fewer steps.
    """
    with TemporaryDirectory() as folder:
        quiet = _resized(config, n_envs)
        quiet.save_dir = folder
        trainer = SB3Trainer(env_maker(), quiet)
        try:
            trainer.create_model()
            trainer.model.learn(1)
            with _timed(trainer.vec_env, "step_wait") as games, _timed(trainer.model, "train") as learning:
                before, began, cpu = trainer.model.num_timesteps, time.perf_counter(), time.process_time()
                trainer.model.learn(steps, reset_num_timesteps=False)
                seconds, used = time.perf_counter() - began, time.process_time() - cpu
            done = trainer.model.num_timesteps - before
            return Throughput(
                config.algorithm,
                n_envs,
                done,
                round(seconds, 2),
                round(done / seconds, 1),
                round(done / used, 1),
                round(resident_bytes() / 1e6, 1),
                round(games[0] / seconds, 3),
                round(learning[0] / seconds, 3),
            )
        finally:
            trainer.close()


def _resized(config: TrainerConfig, n_envs: int) -> TrainerConfig:
    specific = config.specific()
    if config.algorithm == "PPO":
        check_argument("n_steps", specific["n_steps"])
        specific["n_steps"] = max(2, specific["n_steps"] * config.n_envs // n_envs)
    if config.algorithm == "DQN":
        specific["learning_starts"] = 0  # or a short measurement would be over before anything is learnt
    hyperparams = replace(config.hyper, algorithm_specific=specific)
    return replace(config, n_envs=n_envs, hyperparams=hyperparams, tensorboard=False, eval_freq=0, checkpoint_freq=0)


@contextmanager
def _timed(thing: VecEnv | Any, name: str) -> Iterator[list[float]]:
    """Adds up the seconds that a method takes."""
    spent = [0.0]
    method = getattr(thing, name)

    def timed(*args: Any, **kwargs: Any) -> Any:
        began = time.perf_counter()
        try:
            return method(*args, **kwargs)
        finally:
            spent[0] += time.perf_counter() - began

    setattr(thing, name, timed)
    try:
        yield spent
    finally:
        delattr(thing, name)
