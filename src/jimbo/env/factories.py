"""Environments with one call."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gymnasium
from gymnasium.utils import seeding

from jimbo.env.base_wrapper import Observation
from jimbo.env.registration import RUN_ID
from jimbo.extras import require

if TYPE_CHECKING:
    from stable_baselines3.common.vec_env import VecEnv


def create_balatro_env(seed: int | None = None, **options: Any) -> gymnasium.Env[Observation, Any]:
    """``gymnasium.make("jimbo/Run-v0", **options)`` with the games that follow fixed by ``seed``.

    The options are those of ``RunOptions``. ``reset(seed=...)`` still sets another seed.
    """
    env: gymnasium.Env[Observation, Any] = gymnasium.make(RUN_ID, **options)
    if seed is not None:
        env.unwrapped.np_random, _ = seeding.np_random(seed)
    return env


def make_vectorized_env(env_fn: Callable[[], gymnasium.Env[Any, Any]], n_envs: int = 8) -> VecEnv:
    """``n_envs`` environments of ``env_fn`` as a vector environment of Stable-Baselines3, with its episode monitor.

    All environments play different games, even when ``env_fn`` gives each the same seed: the numbers that seed them are
    drawn from the first one. For gymnasium's own vector environment use ``gymnasium.make_vec("jimbo/Run-v0", ...)``,
    which steps all rows in one call of the compiled core.
    """
    if n_envs < 1:
        raise ValueError(f"n_envs must be at least 1, not {n_envs}")
    vec_env = require("stable_baselines3.common.vec_env", "train")
    monitor = require("stable_baselines3.common.monitor", "train")
    vector: VecEnv = vec_env.DummyVecEnv([lambda: monitor.Monitor(env_fn())] * n_envs)
    vector.seed(int(vector.get_attr("unwrapped", [0])[0].np_random.integers(2**31)))
    return vector
