"""Episodes in numbers, curves of trainings as pictures, and trainings side by side as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from jimbo.console import make_console
from jimbo.extras import require
from jimbo.files import replacing

__all__ = ["BalatroMetrics", "compute_moving_average", "plot_training_curves", "print_comparison_table"]

RECENT = 100
"""Episodes that count as recent."""
_PANELS = (
    ("rewards", "Reward", "of an episode"),
    ("antes", "Ante", "in which an episode ended"),
    ("scores", "Best hand", "score of one hand"),
)
_TAKEN = "a BalatroMetrics, what its to_dict() or a trainer's get_metrics() gives, or several of these by name"
_TITLE = "Means of the trainings, the best by reward first"
_COLUMNS = {
    "algorithm": "algo",
    "name": "name",
    "steps": "steps",
    "updates": "updates",
    "total_episodes": "episodes",
    "mean_reward": "reward",
    "std_reward": "std",
    "mean_antes": "ante",
    "mean_scores": "best hand",
    "seconds": "seconds",
}


class BalatroMetrics:
    """Finished episodes in numbers.

    >>> metrics = BalatroMetrics()
    >>> metrics.add_episode(reward=1.2, ante=5, score=50_000, length=500)
    >>> metrics.get_summary()["mean_ante"]
    5.0
    """

    def __init__(self) -> None:
        self.rewards: list[float] = []
        self.antes: list[int] = []
        self.scores: list[float] = []
        self.lengths: list[int] = []
        self.wins: list[bool] = []
        self.illegal: list[int] = []
        self.timesteps: list[int] = []

    def __len__(self) -> int:
        return len(self.rewards)

    def __repr__(self) -> str:
        return f"<BalatroMetrics of {len(self)} episodes>"

    def add_episode(
        self,
        reward: float,
        ante: int,
        score: float,
        length: int,
        *,
        won: bool = False,
        illegal: int = 0,
        timestep: int = 0,
    ) -> None:
        """Add an episode. ``score`` is the highest of one hand, ``timestep`` that of the training at the end."""
        self.rewards.append(float(reward))
        self.antes.append(int(ante))
        self.scores.append(float(score))
        self.lengths.append(int(length))
        self.wins.append(bool(won))
        self.illegal.append(int(illegal))
        self.timesteps.append(int(timestep))

    def add_result(self, info: Mapping[str, Any], timestep: int = 0) -> None:
        """Add the episode of an ``info`` with ``episode``; environments of others have no ``result``."""
        result = info.get("result", {})
        self.add_episode(
            reward=float(info["episode"]["r"]),
            ante=result.get("ante", 0),
            score=result.get("best_hand", 0.0),
            length=int(info["episode"]["l"]),
            won=result.get("won", False),
            illegal=result.get("illegal", 0),
            timestep=timestep,
        )

    def get_summary(self) -> dict[str, float]:
        """Return means, standard deviations and bests of all episodes, and means of the last hundred; zeros if none."""
        return {
            "total_episodes": len(self),
            "mean_reward": _mean(self.rewards),
            "std_reward": float(np.std(self.rewards)) if self.rewards else 0.0,
            "max_reward": max(self.rewards, default=0.0),
            "mean_ante": _mean(self.antes),
            "max_ante": max(self.antes, default=0),
            "mean_score": _mean(self.scores),
            "max_score": max(self.scores, default=0.0),
            "mean_length": _mean(self.lengths),
            "win_rate": _mean(self.wins),
            "illegal_actions": sum(self.illegal),
            **self.get_recent(),
        }

    def get_recent(self) -> dict[str, float]:
        """Return means of the last hundred episodes; quick, however many there are."""
        return {
            "recent_mean_reward": _mean(self.rewards[-RECENT:]),
            "recent_mean_ante": _mean(self.antes[-RECENT:]),
            "recent_win_rate": _mean(self.wins[-RECENT:]),
            "recent_illegal_actions": sum(self.illegal[-RECENT:]),
        }

    def to_dict(self) -> dict[str, list[Any]]:
        """Return every episode, as lists: ``episode_rewards``, ..., and ``timesteps``."""
        lists = {name: list(values) for name, values in vars(self).items()}
        return {name if name == "timesteps" else f"episode_{name}": values for name, values in lists.items()}


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else 0.0


def compute_moving_average(values: Sequence[float], window: int = RECENT) -> NDArray[np.float64]:
    """Return the mean of each value and those before it, at most ``window`` together; as many as there are values."""
    if window < 1:
        raise ValueError(f"window must be at least 1, not {window}")
    data = np.asarray(values, np.float64)
    if not data.size:
        return data
    sums = np.concatenate([[0.0], np.cumsum(data)])
    ends = np.arange(1, len(data) + 1)
    starts = np.maximum(ends - window, 0)
    means: NDArray[np.float64] = (sums[ends] - sums[starts]) / (ends - starts)
    return means


def plot_training_curves(
    metrics_dict: BalatroMetrics | Mapping[str, Any],
    save_path: Path | str = "training_curves.png",
    window: int = RECENT,
) -> Path:
    """Draw moving averages over the episodes; return where the picture is.

    ``metrics_dict``: a ``BalatroMetrics``, what its ``to_dict()`` or ``trainer.get_metrics()`` gives, or several of
    these by name, ``{"PPO": ..., "A2C": ...}``.
    """
    several = _several(metrics_dict)
    figure = require("matplotlib.figure", "train").Figure(figsize=(12, 3.6), layout="constrained")
    for axis, (key, title, label) in zip(figure.subplots(1, len(_PANELS)), _PANELS, strict=True):
        counted = all(any(metrics.get("timesteps", ())) for metrics in several.values())
        for name, metrics in several.items():
            values = metrics.get(key, [])
            steps = metrics["timesteps"] if counted else range(1, len(values) + 1)
            axis.plot(list(steps)[: len(values)], compute_moving_average(values, window), label=name)
        axis.set(title=title, xlabel="steps" if counted else "episodes", ylabel=f"{label}, mean of {window}")
        axis.grid(alpha=0.3)
        if len(several) > 1:
            axis.legend(frameon=False)
    return save_figure(figure, save_path)


def save_figure(figure: Any, path: Path | str) -> Path:
    """Write a picture as a whole, in the format that its name says."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    with replacing(target) as beside:
        figure.savefig(beside, format=target.suffix.lstrip(".") or "png", dpi=110)
    return target


def _several(metrics: Any) -> dict[str, dict[str, Any]]:
    """Return the lists of trainings by their names; one training alone has no name."""
    if (lists := _lists(metrics)) is not None:
        return {"": lists}
    several = {str(name): _lists(value) for name, value in metrics.items()} if isinstance(metrics, Mapping) else {}
    if not several or None in several.values():
        raise ValueError(f"there is nothing to plot in this: give {_TAKEN}")
    return {name: lists for name, lists in several.items() if lists is not None}


def _lists(metrics: Any) -> dict[str, Any] | None:
    """Return the lists of one training by their content, such as ``rewards``; None if it has none."""
    if isinstance(metrics, BalatroMetrics):
        metrics = metrics.to_dict()
    if not isinstance(metrics, Mapping):
        return None
    lists = {str(name).removeprefix("episode_"): value for name, value in metrics.items()}
    known = [lists[key] for key, _, _ in _PANELS if key in lists]
    return lists if known and all(isinstance(value, Sequence) for value in known) else None


def print_comparison_table(results: Sequence[Any] | Mapping[str, Any]) -> None:
    """Print trainings side by side, the highest mean reward first, and those that learnt nothing last.

    ``results``: what ``run_all()`` gives, dicts with such fields, or trainings by name: ``{"PPO": metrics}``, each a
    ``BalatroMetrics``, what its ``to_dict()`` or ``get_summary()`` gives, or a result.
    """
    make_console().print(comparison_table(results), crop=False)


def comparison_table(results: Sequence[Any] | Mapping[str, Any]) -> Table:
    rows = _rows(results)
    rows.sort(key=lambda row: (row.get("updates") != 0, row.get("mean_reward", 0.0)), reverse=True)
    table = Table(title=_TITLE, title_justify="left", box=None, pad_edge=False, padding=(0, 1, 0, 0))
    shown = [column for column in _COLUMNS if any(row.get(column) is not None for row in rows)]
    for column in shown:
        is_text = column in ("algorithm", "name")
        table.add_column(_COLUMNS[column], justify="left" if is_text else "right", no_wrap=not is_text, overflow="fold")
    for row in rows:
        table.add_row(*(_cell(row.get(column)) for column in shown))
    return table


def _rows(results: Any) -> list[dict[str, Any]]:
    if _row(results) is not None:
        results = [results]
    if isinstance(results, Mapping):
        rows = [row and {"name": name, **row} for name, row in ((name, _row(one)) for name, one in results.items())]
    else:
        rows = [_row(one) for one in results]
    if None in rows:
        raise ValueError(f"there is nothing to compare in this: give results of run_all(), or {_TAKEN}")
    return [row for row in rows if row]


def _row(result: Any) -> dict[str, Any] | None:
    """Return the numbers of one training by the names of ``ExperimentResult``; None for anything else."""
    if (lists := _lists(result)) is not None:
        metrics = BalatroMetrics()
        vars(metrics).update({name: list(lists[name]) for name in vars(metrics).keys() & lists.keys()})
        result = metrics.get_summary()
    row = result if isinstance(result, Mapping) else result.to_dict() if hasattr(result, "to_dict") else {}
    row = {**row.get("summary", {}), **row}
    if not isinstance(row.get("mean_reward"), int | float):
        return None
    made, asked = row.get("total_timesteps"), row.get("asked_timesteps")
    steps = made and (f"{made:,}" if asked in (None, made) else f"{made:,} of {asked:,}")
    seconds = row.get("training_duration", row.get("seconds"))
    seconds = None if seconds is None else round(seconds)
    alike = {"mean_antes": row.get("mean_ante"), "mean_scores": row.get("mean_score")}
    return {**alike, **row, "steps": steps, "seconds": seconds}


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3f}"
    return "" if value is None else f"{value:,}" if type(value) is int else str(value)
