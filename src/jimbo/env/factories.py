"""Environments made by one call, and checked by one."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import OrderEnforcing, PassiveEnvChecker

from jimbo.engine import MAX_ROWS
from jimbo.env.campaign import CampaignEnv
from jimbo.env.layouts import Observation
from jimbo.env.run_env import RunEnv
from jimbo.extras import require
from jimbo.registration import CAMPAIGN_ID, RUN_ID

if TYPE_CHECKING:
    from stable_baselines3.common.vec_env import VecEnv

TRIED_STEPS = 200

# --- Made -------------------------------------------------------------------------------------------------------------


def create_balatro_env(seed: int | None = None, **options: Any) -> gymnasium.Env[Observation, Any]:
    """``gymnasium.make("jimbo/Run-v0", **options)`` with the games that follow fixed by ``seed``.

    The options are those of ``RunOptions``. ``reset(seed=...)`` still sets another seed.
    """
    return _made(RUN_ID, seed, options)


def create_campaign_env(seed: int | None = None, **options: Any) -> gymnasium.Env[Observation, Any]:
    """Return ``jimbo/Campaign-v0``; its options are those of ``CampaignOptions``."""
    return _made(CAMPAIGN_ID, seed, options)


def _made(name: str, seed: int | None, options: Mapping[str, Any]) -> gymnasium.Env[Observation, Any]:
    env: gymnasium.Env[Observation, Any] = gymnasium.make(name, **options)
    if seed is not None:
        env.unwrapped.np_random, _ = seeding.np_random(seed)
    return env


def make_vectorized_env(env_fn: Callable[[], gymnasium.Env[Any, Any]], n_envs: int = 8) -> VecEnv:
    """``n_envs`` environments like that of ``env_fn`` as a vector environment of Stable-Baselines3.

    A plain ``jimbo/Run-v0`` becomes a ``RunVecEnv``, a plain ``jimbo/Campaign-v0`` a ``CampaignVecEnv``: these step
    all rows in one call of the compiled core. Others, with wrappers for example, are stepped one after another. Both
    report episodes as SB3's ``Monitor`` does.

    All environments play different games, even when ``env_fn`` gives each the same seed: the numbers that seed them are
    drawn from the first one.
    """
    if not 1 <= n_envs <= MAX_ROWS:
        raise ValueError(f"n_envs must be at least 1 and at most {MAX_ROWS:,}, not {n_envs}")
    first = env_fn()
    seed = int(first.unwrapped.np_random.integers(2**31))
    vector: VecEnv
    if run_env := plain_run_env(first):
        sb3 = require("jimbo.env.sb3", "train")
        kind = sb3.CampaignVecEnv if isinstance(run_env, CampaignEnv) else sb3.RunVecEnv
        vector = kind(n_envs, **vars(run_env.options))
    else:
        monitor = require("stable_baselines3.common.monitor", "train").Monitor
        vec_env = require("stable_baselines3.common.vec_env", "train")
        vector = vec_env.DummyVecEnv([lambda: monitor(env_fn())] * n_envs)
    first.close()
    vector.seed(seed)
    return vector


def plain_run_env(env: gymnasium.Env[Any, Any]) -> RunEnv | None:
    """Return the ``RunEnv``, or ``CampaignEnv``, behind gymnasium's own checks.

    None for another one, or where another wrapper is around.
    """
    while isinstance(env, OrderEnforcing | PassiveEnvChecker):
        env = env.env
    return env if isinstance(env, RunEnv) else None


# --- Checked ----------------------------------------------------------------------------------------------------------


def validate_environment(env: gymnasium.Env[Any, Any]) -> bool:
    """Check an environment and print each error in full; True if there is none.

    It plays a few hundred steps, so use an environment of its own. ``environment_errors`` says what is checked.
    """
    errors = environment_errors(env)
    if errors:
        print(f"{env}: {len(errors)} error(s)")
        for number, error in enumerate(errors, 1):
            print(f"  {number}. {error}")
    else:
        print(f"{env}: no errors")
    return not errors


def environment_errors(env: gymnasium.Env[Any, Any]) -> list[str]:
    """Return what is wrong with an environment: gymnasium's own check, seeds, masks and random episodes."""
    checks: list[Callable[[gymnasium.Env[Any, Any]], list[str]]] = [_gymnasium_check, _seed_check, _mask_check]
    errors = []
    for check in checks:
        try:
            errors += check(env)
        except Exception as error:  # whatever a broken environment raises is the finding
            errors.append(f"{check.__name__.strip('_').replace('_', ' ')}: {type(error).__name__}: {error}")
    return errors


def _gymnasium_check(env: gymnasium.Env[Any, Any]) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check_env(env, skip_render_check=True)
    texts = [str(warning.message) for warning in caught if warning.category is UserWarning]
    return [f"gymnasium: {text}" for text in texts if "different from the unwrapped version" not in text]


def _seed_check(env: gymnasium.Env[Any, Any]) -> list[str]:
    first, _ = env.reset(seed=7)
    again, _ = env.reset(seed=7)
    if not _equal(first, again):
        return ["reset(seed=7) gave two different observations"]
    return []


def _mask_check(env: gymnasium.Env[Any, Any]) -> list[str]:
    """Play random episodes, drawn from the masks."""
    try:
        action_masks = env.get_wrapper_attr("action_masks")
    except AttributeError:
        return ["the environment has no action_masks(), so learners cannot know what is allowed"]
    space = env.action_space
    whole = isinstance(space, gymnasium.spaces.MultiDiscrete)
    flags = gymnasium.spaces.flatdim(space)  # one for each value of each number
    random = np.random.default_rng(7)
    observation, info = env.reset(seed=7)
    for step in range(TRIED_STEPS):
        masks = np.asarray(action_masks())
        if masks.shape != (flags,):
            return [f"action_masks() has shape {masks.shape}, but the actions need {flags} flags"]
        if not masks.any():
            return [f"action_masks() allows nothing in step {step}, although the episode goes on"]
        # Numbers of a whole action that are allowed one by one need not be allowed together.
        action = env.get_wrapper_attr("sample_action")(step) if whole else int(random.choice(np.flatnonzero(masks)))
        observation, _, terminated, truncated, info = env.step(action)
        if observation not in env.observation_space:
            return [f"the observation of step {step} is not in the observation space"]
        if info.get("illegal", 0):
            return [f"an action that action_masks() allowed was refused in step {step}"]
        if terminated or truncated:
            observation, info = env.reset()
    return []


def _equal(first: Any, second: Any) -> bool:
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(_equal(first[key], second[key]) for key in first)
    return np.array_equal(first, second)
