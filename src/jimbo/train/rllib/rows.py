"""What is told of each iteration: one row for the log file, TensorBoard, trackers and reports."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from jimbo.train.rllib.callbacks import METRICS, whole
from jimbo.train.rllib.checkpoints import Standing

_LEARNT = {"policy_loss": "policy_loss", "value_loss": "vf_loss", "entropy": "entropy", "kl_divergence": "mean_kl_loss"}
"""The names of the documentation, and RLlib's own."""
TENSORBOARD = ("episode_reward_mean", "episode_len_mean", *_LEARNT)


def row_of(result: Mapping[str, Any], standing: Standing, seconds: float, memory: int) -> dict[str, Any]:
    """``result`` is what an iteration gave, which took ``seconds`` and ended with ``memory`` bytes in use."""
    played, learnt = result["env_runners"], result["learners"]["default_policy"]
    steps = whole(played["num_env_steps_sampled"])
    timers = result.get("timers", {})
    row = {
        "iteration": standing.iteration,
        "episode_reward_mean": played.get("episode_return_mean"),
        "episode_len_mean": played.get("episode_len_mean"),
        "timesteps_total": standing.timesteps,
        "episodes_total": standing.episodes,
        "games_per_hour": result.get("games_per_hour"),
        "time_elapsed": standing.seconds,
        "best_reward": result.get("best_reward"),
        **{name: played.get(name) for name in METRICS},
        **{name: learnt.get(there) for name, there in _LEARNT.items()},
        "illegal_actions": standing.illegal,
        "rollout_fps": _rate(steps, timers.get("env_runner_sampling_timer")),
        "training_fps": _rate(steps, timers.get("learner_update_timer")),
        "total_fps": _rate(steps, seconds),
        "memory_gb": memory / 1024**3,
    }
    return {name: _plain(value) for name, value in row.items()}


def _rate(steps: int, seconds: float | None) -> float | None:
    return steps / seconds if seconds else None


def _plain(value: Any) -> Any:
    """As JSON has it: no types of numpy, and nothing for what is not a number."""
    if value is None:
        return None
    number = float(value)
    if not math.isfinite(number):
        return None
    return int(number) if isinstance(value, int) else number
