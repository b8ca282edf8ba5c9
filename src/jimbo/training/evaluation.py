"""Episodes that judge a model: always the same games, nothing learnt from them."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.vec_env import VecEnv

from jimbo.seeds.seed_sets import train_seeds
from jimbo.training.config import TrainerConfig
from jimbo.training.environments import evaluation_env
from jimbo.training.metrics import BalatroMetrics
from jimbo.training.policies import any_allowed


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
    circles = _Circles(games.num_envs)
    observations: Any = games.reset()
    while left.any():
        shown = observations if normalize is None else normalize.normalize_obs(observations)
        actions, _ = model.predict(shown, deterministic=deterministic)
        if deterministic:
            _let_out(model, games, shown, actions, circles.before(observations))
        observations, _, dones, infos = games.step(actions)
        circles.left(dones)
        for row in np.flatnonzero(dones & (left > 0)):
            metrics.add_result(infos[row])
            left[row] -= 1
    return metrics


def _let_out(model: BaseAlgorithm, games: VecEnv, shown: Any, actions: Any, before: NDArray[np.int64]) -> None:
    """Other actions for games that show what they showed ``before``, so many times.

    At first the policy draws. DQN seldom draws, and a policy may be so sure that its draws are always the same: after
    that it is any allowed action.
    """
    drawn, lost = before == 1, before > 1
    if drawn.any():
        actions[drawn], _ = model.predict(_rows(shown, drawn), deterministic=False)
    if lost.any():
        assert isinstance(games.action_space, spaces.Discrete)
        actions[lost] = any_allowed(_rows(shown, lost), (int(lost.sum()),), int(games.action_space.n))


class _Circles:
    """How often games have shown what they show: whoever always chooses the same there would never get on.

    Small steps allow it, such as taking a card up and putting it down again.
    """

    def __init__(self, rows: int) -> None:
        self._seen: list[Counter[int]] = [Counter() for _ in range(rows)]

    def before(self, observations: Any) -> NDArray[np.int64]:
        shown = [hash(_bytes(observations, row)) for row in range(len(self._seen))]
        found = np.array([seen[key] for key, seen in zip(shown, self._seen, strict=True)])
        for key, seen in zip(shown, self._seen, strict=True):
            seen[key] += 1
        return found

    def left(self, dones: NDArray[np.bool_]) -> None:
        for row in np.flatnonzero(dones):
            self._seen[row].clear()


def _rows(observations: Any, rows: NDArray[np.bool_]) -> Any:
    if isinstance(observations, dict):
        return {name: part[rows] for name, part in observations.items()}
    return observations[rows]


def _bytes(observations: Any, row: int) -> bytes:
    parts = observations.values() if isinstance(observations, dict) else [observations]
    return b"".join(part[row].tobytes() for part in parts)
