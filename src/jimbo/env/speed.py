"""Speed of the environments, in steps for each second of processor time: ``jimbo bench env``."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from jimbo.env.campaign import CampaignVectorEnv
from jimbo.env.run_env import RunEnv
from jimbo.env.vector_env import RunVectorEnv

ROWS = 256
CANDIDATES = 24
STEPS = 5_000
SHORT = 0.2
"""Seconds of processor time for one measurement."""
TIMES = 5
"""Measurements of each, of which the best counts: other work on the machine only makes it slower."""


def single_speed(steps: int = STEPS, **options: Any) -> float:
    """Return steps a second of one environment: a game is recorded first and then played again."""
    env = RunEnv(**options)
    env.reset(seed=1)
    recorded = []
    for number in range(steps):
        action = env.sample_action(number)
        _, _, terminated, truncated, _ = env.step(action)
        recorded.append((action, terminated or truncated))
        if terminated or truncated:
            env.reset()
    env.reset(seed=1)
    before = time.process_time()
    for action, over in recorded:
        env.step(action)
        if over:
            env.reset()
    return steps / (time.process_time() - before)


def vector_speed(rows: int = ROWS, seconds: float = SHORT, **options: Any) -> float:
    """Return steps a second of all rows together."""
    env = RunVectorEnv(rows, **options)
    env.reset(seed=1)
    return _speed_of(env.step, env.sample_actions, rows, seconds)


def campaign_speed(rows: int = ROWS, seconds: float = SHORT, **options: Any) -> float:
    """Return decisions a second of all rows together, hands included."""
    env = CampaignVectorEnv(rows, **options)
    env.reset(seed=1)
    return _speed_of(env.step, env.sample_actions, rows, seconds)


def sb3_speed(rows: int = ROWS, seconds: float = SHORT, **options: Any) -> float:
    """Return steps a second of all rows together, as Stable-Baselines3 steps them."""
    from jimbo.env.sb3 import RunVecEnv

    env = RunVecEnv(rows, **options)
    env.seed(1)
    env.reset()
    return _speed_of(env.step, lambda seed: np.asarray(env.env_method("sample_actions", seed)), rows, seconds)


def _speed_of(step: Callable[[Any], Any], sample: Callable[[int], Any], rows: int, seconds: float) -> float:
    taken = 0
    spent = 0.0
    while spent < seconds:
        actions = sample(taken)
        before = time.process_time()
        step(actions)
        spent += time.process_time() - before
        taken += 1
    return taken * rows / spent


def measured() -> Iterator[tuple[str, float]]:
    """Yield what is measured, and steps a second."""
    listed: dict[str, Any] = {"actions": "candidates", "candidates": CANDIDATES}
    packed: dict[str, Any] = {"rows": 64, "observation": "packed"}
    cases: list[tuple[str, Callable[..., float], dict[str, Any]]] = [
        ("one environment", single_speed, {}),
        (f"one environment, {CANDIDATES} candidates", single_speed, listed),
        (f"vector of {ROWS}", vector_speed, {}),
        (f"vector of {ROWS}, SameStep", vector_speed, {"autoreset_mode": AutoresetMode.SAME_STEP}),
        (f"vector of {ROWS}, {CANDIDATES} candidates", vector_speed, listed),
        (f"vector of {ROWS}, flat", vector_speed, {"observation": "flat"}),
        ("Stable-Baselines3, 64 rows, flat", sb3_speed, {"rows": 64, "observation": "flat"}),
        ("Stable-Baselines3, 64 rows, packed", sb3_speed, packed),
        (f"Stable-Baselines3, 64 rows, packed, {CANDIDATES} candidates", sb3_speed, {**packed, **listed}),
    ]
    same_step = {"autoreset_mode": AutoresetMode.SAME_STEP}
    cases += [
        (f"decisions, vector of {ROWS}, {layout}", campaign_speed, {"layout": layout, **same_step})
        for layout in ("sparse", "dense", "summary")
    ]
    for name, measure, options in cases:
        yield name, max(measure(**options) for _ in range(TIMES))
