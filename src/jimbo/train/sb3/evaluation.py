"""Episodes that judge a model: always the same games, nothing learnt from them."""

from __future__ import annotations

from itertools import islice
from typing import Any

import gymnasium
import numpy as np
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.vec_env import VecEnv

from jimbo.seeds.seed_sets import train_seeds
from jimbo.train.sb3.config import TrainerConfig
from jimbo.train.sb3.environments import evaluation_env
from jimbo.train.sb3.metrics import BalatroMetrics


def evaluate_model(
    model: BaseAlgorithm,
    env: gymnasium.Env[Any, Any] | VecEnv,
    config: TrainerConfig,
    n_episodes: int,
    *,
    deterministic: bool = True,
) -> BalatroMetrics:
    """Plays ``n_episodes`` games, the same each time, with rewards as they are."""
    if n_episodes < 1:
        raise ValueError(f"n_episodes must be at least 1, not {n_episodes}")
    seeds = list(islice(train_seeds("sb3-evaluation"), n_episodes))
    games = evaluation_env(env, config, seeds)
    try:
        return _play(model, games, n_episodes, deterministic)
    finally:
        games.close()


def _play(model: BaseAlgorithm, games: VecEnv, n_episodes: int, deterministic: bool) -> BalatroMetrics:
    """Row i of n plays the episodes i, i + n, ...: exactly those count, or short games would count more often."""
    normalize = model.get_vec_normalize_env()
    left = np.array([len(range(row, n_episodes, games.num_envs)) for row in range(games.num_envs)])
    metrics = BalatroMetrics()
    observations: Any = games.reset()
    while left.any():
        shown = observations if normalize is None else normalize.normalize_obs(observations)
        actions, _ = model.predict(shown, deterministic=deterministic)
        observations, _, dones, infos = games.step(actions)
        for row in np.flatnonzero(dones & (left > 0)):
            metrics.add_result(infos[row])
            left[row] -= 1
    return metrics
