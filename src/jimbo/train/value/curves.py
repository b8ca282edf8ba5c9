"""Strength against games: ``training.png``, drawn after every generation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jimbo.extras import require
from jimbo.files import replacing

PICTURE = "training.png"
_PANELS = (
    ("win_rate", "Won", "share of the games for judging"),
    ("mean_round", "Mean last round", "24 wins"),
)


def draw(path: Path, history: Sequence[Mapping[str, Any]], title: str) -> None:
    require("matplotlib", "train").use("Agg")
    pyplot = require("matplotlib.pyplot", "train")
    figure, axes = pyplot.subplots(1, len(_PANELS) + 1, figsize=(13, 3.6), layout="constrained")
    games = [row["games"] for row in history]
    for axis, (name, label, unit) in zip(axes, _PANELS, strict=False):
        axis.plot(games, [row["judged"][name] for row in history], "o-", ms=3)
        axis.set(title=label, ylabel=unit)
    axes[-1].plot(games, [row["tests"].get("clear", float("nan")) for row in history], "o-", ms=3)
    axes[-1].set(title="Log loss of all blinds ahead", ylabel="on other games")
    for axis in axes:
        axis.set(xlabel="games learnt from")
        axis.grid(alpha=0.3)
    figure.suptitle(title)
    with replacing(path) as beside:
        figure.savefig(beside, format="png", dpi=110)
    pyplot.close(figure)
