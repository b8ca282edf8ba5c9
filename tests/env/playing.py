"""Playing environments in tests."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from jimbo.env import EnvSnapshot, RunVectorEnv


def random_action(masks: NDArray[np.bool_], random: np.random.Generator) -> int:
    return int(random.choice(np.flatnonzero(masks)))


def play_episode(
    env: gymnasium.Env[Any, Any], random: np.random.Generator, max_steps: int = 100_000
) -> list[tuple[Any, ...]]:
    """What every step gave, until the episode ended or ``max_steps`` steps were taken."""
    masks = env.get_wrapper_attr("action_masks")
    steps = []
    for _ in range(max_steps):
        steps.append(env.step(random_action(masks(), random)))
        if steps[-1][2] or steps[-1][3]:
            break
    return steps


def assert_equal(first: Any, second: Any, where: str = "") -> None:
    """Equal bit by bit, types included, through dicts, lists and arrays."""
    if isinstance(first, dict):
        assert first.keys() == second.keys(), where
        for key in first:
            assert_equal(first[key], second[key], f"{where}/{key}")
    elif isinstance(first, list | tuple) or (isinstance(first, np.ndarray) and first.dtype == object):
        assert type(first) is type(second), where
        for place, (a, b) in enumerate(zip(first, second, strict=True)):
            assert_equal(a, b, f"{where}[{place}]")
    elif isinstance(first, np.ndarray):
        assert (first.dtype, first.shape) == (second.dtype, second.shape), where
        assert first.tobytes() == second.tobytes(), where
    else:
        assert type(first) is type(second), where
        assert first == second, where


def played_after(env: RunVectorEnv, steps: int, snapshot: EnvSnapshot | None = None) -> list[list[Any]]:
    """Masks, runs and all that random steps give, one of ten not allowed; from a snapshot, if there is one."""
    if snapshot:
        env.restore(snapshot)
    told = []
    for number in range(steps):
        actions = env.sample_actions(number)
        if number % 10 == 9:
            actions[number % env.num_envs] = 10_000
        told.append([*env.step(actions), env.action_masks(), [env.run(row).save() for row in range(env.num_envs)]])
        over = told[-1][2] | told[-1][3]
        if env.autoreset_mode is AutoresetMode.DISABLED and over.any():
            env.reset(options={"reset_mask": over})
    return told
