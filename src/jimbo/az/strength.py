"""A picture of a loop: how strong the model of each iteration is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jimbo.extras import require
from jimbo.files import replacing

_CURVES = (
    ("optimal_moves", "optimal first choices (network alone)", "o"),
    ("random_win_rate", "won against random play", "s"),
    ("best_score", "points against the best so far", "^"),
)


def draw_strength(path: Path, history: Sequence[Mapping[str, Any]], title: str) -> None:
    """``history``: a row for each iteration of a loop."""
    require("matplotlib", "train").use("Agg")
    pyplot = require("matplotlib.pyplot", "train")
    figure, axis = pyplot.subplots(figsize=(8, 4.5), layout="constrained")
    for name, label, marker in _CURVES:
        points = [(row["iteration"] + 1, row[name]) for row in history if row.get(name) is not None]
        if points:
            axis.plot(*zip(*points, strict=True), marker=marker, ms=4, label=label)
    for row in history:
        if row["promoted"]:
            axis.axvline(row["iteration"] + 1, color="0.85", zorder=0)
    axis.set(title=title, xlabel="iteration (grey: a new best)", ylabel="share", ylim=(0, 1.02))
    axis.xaxis.get_major_locator().set_params(integer=True)
    axis.grid(alpha=0.3)
    axis.legend(frameon=False, loc="lower right")
    with replacing(path) as beside:
        figure.savefig(beside, format="png", dpi=110)
    pyplot.close(figure)
