"""The log of a training: a row for each iteration and each evaluation, and where rows are written."""

from __future__ import annotations

import importlib
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jimbo.extras import require
from jimbo.train.core.curves import EVENTS
from jimbo.train.core.log import EVALUATION
from jimbo.train.core.watching import Row, Watcher

if TYPE_CHECKING:
    from jimbo.train.rllib.checkpoints import Standing
    from jimbo.train.rllib.evaluation import GamesPlayed

ITERATION = "iteration"
"""The kind of the other rows."""
_MEASURES = ("win_rate", "rounds_completed", "max_score", "cards_played", "jokers_activated", "episode_duration")
"""Numbers of ``BalatroCallbacks``."""
_LOSSES = {"policy_loss": "policy_loss", "value_loss": "vf_loss", "entropy": "entropy", "kl_divergence": "mean_kl_loss"}
"""Our names, and those of RLlib."""

# --- Rows -------------------------------------------------------------------------------------------------------------


def iteration_row(result: Row, standing: Standing, seconds: float, memory: int) -> dict[str, Any]:
    """Return the row of an iteration with this result, which took ``seconds`` and left ``memory`` bytes in use."""
    played, learned = result["env_runners"], result["learners"]["default_policy"]
    steps = whole(played["num_env_steps_sampled"])
    timers = result.get("timers", {})
    numbers = {
        "iteration": standing.iteration,
        "episode_reward_mean": played.get("episode_return_mean"),
        "episode_len_mean": played.get("episode_len_mean"),
        "timesteps_total": standing.timesteps,
        "episodes_total": standing.episodes,
        "games_per_hour": result.get("games_per_hour"),
        "time_elapsed": standing.seconds,
        "best_reward": result.get("best_reward"),
        **{name: played.get(name) for name in _MEASURES},
        **{name: learned.get(theirs) for name, theirs in _LOSSES.items()},
        "illegal_actions": standing.illegal,
        "rollout_fps": _rate(steps, timers.get("env_runner_sampling_timer")),
        "training_fps": _rate(steps, timers.get("learner_update_timer")),
        "total_fps": _rate(steps, seconds),
        "memory_gb": memory / 1024**3,
    }
    return {"kind": ITERATION, **{name: _plain(value) for name, value in numbers.items()}}


def evaluation_row(games: GamesPlayed, standing: Standing) -> dict[str, Any]:
    low, high = games.interval
    return {
        "kind": EVALUATION,
        "iteration": standing.iteration,
        "timesteps_total": standing.timesteps,
        "reward": games.reward,
        "episodes": len(games.results),
        "win_rate": games.win_rate,
        "win_rate_low": low,
        "win_rate_high": high,
        "mean_ante": games.mean("ante"),
        "mean_blinds": games.mean("blinds"),
        "mean_length": games.mean("length"),
        "illegal_actions": games.illegal,
    }


def whole(value: float | None) -> int:
    """Return a count in a result, which is missing or NaN while all processes that play are being started again."""
    return 0 if value is None or value != value else int(value)


def _rate(steps: int, seconds: float | None) -> float | None:
    return steps / seconds if seconds else None


def _plain(value: Any) -> Any:
    """Return a number as JSON has it: no type of numpy, and None for what is not finite."""
    if value is None or not math.isfinite(value):
        return None
    return int(value) if isinstance(value, int) else float(value)


# --- Where they are written -------------------------------------------------------------------------------------------


class TensorBoardLog(Watcher):
    """Every number of a row under its name, those of evaluations as ``evaluation/NAME``."""

    def __init__(self, folder: Path) -> None:
        self._writer = require("torch.utils.tensorboard", "rllib").SummaryWriter(str(folder / EVENTS))

    def row(self, row: Row, best: bool) -> None:
        for name, value in _named(row).items():
            if value is not None:
                self._writer.add_scalar(name, value, row["timesteps_total"])
        self._writer.flush()

    def close(self) -> None:
        self._writer.close()


class WandbLog(Watcher):
    """Weights & Biases; without a key it keeps the run in a folder, for ``wandb sync``."""

    def __init__(self, folder: Path, experiment: str, config: Mapping[str, Any]) -> None:
        wandb = weights_and_biases()
        if not (os.environ.get("WANDB_API_KEY") or os.environ.get("WANDB_MODE")):
            os.environ["WANDB_MODE"] = "offline"
        self._run = wandb.init(
            project="balatro-rl", name=experiment, dir=str(folder), config=dict(config), resume="allow"
        )

    def row(self, row: Row, best: bool) -> None:
        self._run.log(_named(row), step=row["iteration"])

    def close(self) -> None:
        self._run.finish()


def weights_and_biases() -> Any:
    """Return the library; ValueError with the remedy where it is missing."""
    try:
        return importlib.import_module("wandb")
    except ImportError:
        raise ValueError("--track needs wandb, which is not installed: pip install wandb") from None


def _named(row: Row) -> dict[str, Any]:
    """Return the numbers of a row by the names under which curves show them."""
    before = "evaluation/" if row["kind"] == EVALUATION else ""
    return {f"{before}{name}": value for name, value in row.items() if name != "kind"}
