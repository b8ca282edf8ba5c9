"""Whether an environment keeps its promises."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env

TRIED_STEPS = 200


def validate_environment(env: gymnasium.Env[Any, Any]) -> bool:
    """Checks an environment and prints each error in full; True if there is none.

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
    """What is wrong with an environment, one sentence each: gymnasium's own check, masks, seeds, a random episode."""
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
    told = [str(warning.message) for warning in caught if warning.category is UserWarning]
    return [f"gymnasium: {text}" for text in told if "different from the unwrapped version" not in text]


def _seed_check(env: gymnasium.Env[Any, Any]) -> list[str]:
    first, _ = env.reset(seed=7)
    again, _ = env.reset(seed=7)
    if not _equal(first, again):
        return ["reset(seed=7) gave two different observations"]
    return []


def _mask_check(env: gymnasium.Env[Any, Any]) -> list[str]:
    """A random episode, drawn from the masks."""
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
