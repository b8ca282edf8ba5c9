"""Curves of a training by play: ``training.png``, drawn after every judgement, and TensorBoard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from jimbo.extras import require
from jimbo.files import replacing
from jimbo.train.core.curves import EVENTS, PICTURE
from jimbo.train.rl.watching import RlProgress, RlWatcher

_PANELS = (
    ("mean_ante", "Mean ante", "of the games that ended"),
    ("win_rate", "Won", "share of games"),
    ("entropy", "Entropy of the choice", "0: always the same one"),
    ("kl", "KL of an update", "how far the choices moved"),
)
_SMOOTH = 40
"""Points of a curve: a training has hundreds of updates, each with few games."""


class RlCurves(RlWatcher):
    def __init__(self, folder: Path, title: str) -> None:
        self._folder, self._title = folder, title
        self._writer = require("torch.utils.tensorboard", "train").SummaryWriter(str(folder / EVENTS))

    def updated(self, progress: RlProgress) -> None:
        row = progress.history[-1]
        judged = row.get("judged")
        told = {f"train/{name}": value for name, value in row.items() if name not in ("update", "steps", "judged")}
        told |= {f"judged/{name}": value for name, value in (judged or {}).items()}
        for name, value in told.items():
            self._writer.add_scalar(name, value, row["steps"])
        self._writer.flush()
        if judged:
            draw(self._folder / PICTURE, progress.history, self._title)


def draw(path: Path, history: Sequence[Mapping[str, Any]], title: str) -> None:
    require("matplotlib", "train").use("Agg")
    pyplot = require("matplotlib.pyplot", "train")
    figure, axes = pyplot.subplots(1, len(_PANELS), figsize=(15, 3.6), layout="constrained")
    for axis, (name, label, unit) in zip(axes, _PANELS, strict=True):
        axis.plot(*_curve(history, name), "-", label="while learning")
        judged = [(row["steps"], row["judged"][name]) for row in history if name in row.get("judged", {})]
        if judged:
            axis.plot(*zip(*judged, strict=True), "o-", ms=3, label="judged")
            axis.legend(frameon=False)
        axis.set(title=label, xlabel="decisions", ylabel=unit)
        axis.grid(alpha=0.3)
    figure.suptitle(title)
    with replacing(path) as beside:
        figure.savefig(beside, format="png", dpi=110)
    pyplot.close(figure)


def _curve(history: Sequence[Mapping[str, Any]], name: str) -> tuple[list[float], list[float]]:
    """Means of some updates each."""
    rows = [(row["steps"], row[name]) for row in history if name in row]
    parts = [part for part in np.array_split(np.array(rows).reshape(-1, 2), min(len(rows), _SMOOTH) or 1) if len(part)]
    return [float(part[:, 0].mean()) for part in parts], [float(part[:, 1].mean()) for part in parts]
