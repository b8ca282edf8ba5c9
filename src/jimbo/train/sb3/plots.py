"""Curves of trainings as pictures, and trainings side by side as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.table import Table

from jimbo.console import make_console
from jimbo.extras import require
from jimbo.files import replacing
from jimbo.train.sb3.metrics import RECENT, compute_moving_average

_PANELS = (
    ("episode_rewards", "Reward", "of an episode"),
    ("episode_antes", "Ante", "in which an episode ended"),
    ("episode_scores", "Best hand", "score of one hand"),
)
_COLUMNS = ("algorithm", "name", "mean_reward", "std_reward", "mean_antes", "mean_scores", "training_duration")


def plot_training_curves(
    metrics_dict: Mapping[str, Any], save_path: Path | str = "training_curves.png", window: int = RECENT
) -> Path:
    """Draws moving averages over the episodes; returns where the picture is.

    ``metrics_dict`` is what ``trainer.get_metrics()`` gives, or several of them by name: ``{"PPO": ..., "A2C": ...}``.
    """
    several = _several(metrics_dict)
    require("matplotlib", "train").use("Agg")
    pyplot = require("matplotlib.pyplot", "train")
    figure, axes = pyplot.subplots(1, len(_PANELS), figsize=(12, 3.6), layout="constrained")
    for axis, (key, title, label) in zip(axes, _PANELS, strict=True):
        for name, metrics in several.items():
            values = metrics.get(key, [])
            steps = metrics.get("timesteps") or range(1, len(values) + 1)
            axis.plot(list(steps)[: len(values)], compute_moving_average(values, window), label=name)
        axis.set(title=title, xlabel="steps", ylabel=f"{label}, mean of {window}")
        axis.grid(alpha=0.3)
        if len(several) > 1:
            axis.legend(frameon=False)
    path = Path(save_path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as beside:
        figure.savefig(beside, format=path.suffix.lstrip(".") or "png", dpi=110)
    pyplot.close(figure)
    return path


def _several(metrics: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """One training is several with one name. Lists that ``BalatroMetrics`` does not know are left out."""
    named = {name: value for name, value in metrics.items() if isinstance(value, Mapping)}
    several = named or {"": metrics}
    known = {key for key, _, _ in _PANELS}
    if not any(known & set(value) for value in several.values()):
        raise ValueError(f"there is nothing to plot: expected {', '.join(sorted(known))}, as get_metrics() gives them")
    return several


def print_comparison_table(results: Sequence[Any]) -> None:
    """Prints results of experiments (or dicts with their fields), the highest mean reward first."""
    make_console().print(comparison_table(results), crop=False)


def comparison_table(results: Sequence[Any]) -> Table:
    rows = [result if isinstance(result, Mapping) else result.to_dict() for result in results]
    rows.sort(key=lambda row: row.get("mean_reward", 0.0), reverse=True)
    table = Table(title="Trainings, the best by reward first", title_justify="left", box=None)
    for heading in ("algorithm", "name", "mean reward", "spread", "mean ante", "mean best hand", "seconds"):
        table.add_column(heading, justify="left" if heading in ("algorithm", "name") else "right")
    for row in rows:
        table.add_row(*(_cell(row.get(column, "")) for column in _COLUMNS))
    return table


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3f}"
    return str(value)
