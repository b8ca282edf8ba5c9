"""Curves of a training: ``training.png``, drawn again after every epoch, and TensorBoard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jimbo.extras import require
from jimbo.files import replacing
from jimbo.train.networks.watching import Progress, Watcher

PICTURE = "training.png"
EVENTS = "tensorboard"

_PANELS = (
    ("policy", "Cross-entropy of the choice", "lower is better"),
    ("top1", "Agreement with the teacher", "share of decisions"),
    ("win", "Log loss of the chance to win", "lower is better"),
)


class Curves(Watcher):
    """Draws what was judged, and keeps it for TensorBoard."""

    def __init__(self, folder: Path, title: str) -> None:
        self._folder, self._title = folder, title
        self._writer = require("torch.utils.tensorboard", "train").SummaryWriter(str(folder / EVENTS))

    def epoch_ended(self, progress: Progress) -> None:
        row = progress.history[-1]
        for part in ("train", "val"):
            for name, value in row[part].items():
                self._writer.add_scalar(f"{part}/{name}", value, row["epoch"])
        self._writer.flush()
        draw(self._folder / PICTURE, progress.history, self._title)


def draw(path: Path, history: Sequence[Mapping[str, Any]], title: str) -> None:
    require("matplotlib", "train").use("Agg")
    figure, axes = require("matplotlib.pyplot", "train").subplots(
        1, len(_PANELS), figsize=(12, 3.6), layout="constrained"
    )
    epochs = [row["epoch"] for row in history]
    for axis, (name, label, better) in zip(axes, _PANELS, strict=True):
        for part, style in (("train", "--"), ("val", "-")):
            if all(name in row[part] for row in history):
                axis.plot(epochs, [row[part][name] for row in history], style, marker="o", ms=3, label=part)
        if name == "top1":
            axis.plot(epochs, [row["val"]["top3"] for row in history], "-", marker="o", ms=3, label="val, best three")
            axis.set_ylim(0, 1)
        axis.set(title=label, xlabel="epoch", ylabel=better)
        axis.xaxis.get_major_locator().set_params(integer=True)
        axis.grid(alpha=0.3)
        axis.legend(frameon=False)
    figure.suptitle(title)
    with replacing(path) as beside:
        figure.savefig(beside, format="png", dpi=110)
    require("matplotlib.pyplot", "train").close(figure)
