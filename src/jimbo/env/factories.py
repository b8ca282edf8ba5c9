"""Environments with one call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import gymnasium
from gymnasium.utils import seeding
from gymnasium.wrappers import OrderEnforcing, PassiveEnvChecker

from jimbo.engine import MAX_ROWS
from jimbo.env.base_wrapper import Observation
from jimbo.env.run_env import RunEnv
from jimbo.extras import require
from jimbo.registration import RUN_ID

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
    """``n_envs`` environments like that of ``env_fn`` as a vector environment of Stable-Baselines3.

    A plain ``jimbo/Run-v0`` becomes a ``RunVecEnv``, which steps all rows in one call of the compiled core; others,
    with wrappers for example, are stepped one after another. Both report episodes as SB3's ``Monitor`` does.

    All environments play different games, even when ``env_fn`` gives each the same seed: the numbers that seed them are
    drawn from the first one.
    """
    if not 1 <= n_envs <= MAX_ROWS:
        raise ValueError(f"n_envs must be at least 1 and at most {MAX_ROWS:,}, not {n_envs}")
    first = env_fn()
    seed = int(first.unwrapped.np_random.integers(2**31))
    vector = _native(first, n_envs) or _one_by_one(env_fn, n_envs)
    first.close()
    vector.seed(seed)
    return vector


def plain_run_env(env: gymnasium.Env[Any, Any]) -> RunEnv | None:
    """The ``RunEnv`` behind gymnasium's own checks; None where any other wrapper stands between, or it is no RunEnv."""
    while isinstance(env, OrderEnforcing | PassiveEnvChecker):
        env = env.env
    return env if isinstance(env, RunEnv) else None


def _native(env: gymnasium.Env[Any, Any], n_envs: int) -> VecEnv | None:
    run_env = plain_run_env(env)
    if run_env is None:
        return None
    sb3 = require("jimbo.env.sb3", "train")
    options = {entry.name: getattr(run_env.options, entry.name) for entry in fields(run_env.options)}
    vector: VecEnv = sb3.RunVecEnv(n_envs, **options)
    return vector


def _one_by_one(env_fn: Callable[[], gymnasium.Env[Any, Any]], n_envs: int) -> VecEnv:
    vec_env = require("stable_baselines3.common.vec_env", "train")
    monitor = require("stable_baselines3.common.monitor", "train")
    vector: VecEnv = vec_env.DummyVecEnv([lambda: monitor.Monitor(env_fn())] * n_envs)
    return vector
