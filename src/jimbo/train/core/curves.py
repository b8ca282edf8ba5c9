"""Curves of a training: ``training.png``, drawn again after every evaluation, and TensorBoard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from jimbo.extras import require
from jimbo.files import replacing
from jimbo.train.core.watching import Row

PICTURE = "training.png"
EVENTS = "tensorboard"
_SMOOTH = 40
"""Points of a smooth curve: a training can have hundreds of rows, each with few games."""


class Line(NamedTuple):
    name: str
    """Of a number in the rows; one in a mapping as ``judged/win_rate``."""
    label: str = ""
    style: str = "o-"
    smooth: bool = False


class Panel(NamedTuple):
    title: str
    unit: str
    lines: tuple[Line, ...]
    is_share: bool = False
    """Its axis reaches from 0 to 1."""


class Picture(NamedTuple):
    """What is drawn: one panel beside another, against the same number."""

    x: str
    """Number of a row by which it is placed, such as "epoch"."""
    label: str
    panels: tuple[Panel, ...]


class Curves:
    """Keeps every row for TensorBoard, and draws them all."""

    def __init__(self, folder: Path, picture: Picture, title: str) -> None:
        self._path, self._picture, self._title = folder / PICTURE, picture, title
        self._writer = require("torch.utils.tensorboard", "train").SummaryWriter(str(folder / EVENTS))

    def add(self, row: Row) -> None:
        for name, value in numbers_of(row):
            self._writer.add_scalar(name if "/" in name else f"train/{name}", value, row[self._picture.x])
        self._writer.flush()

    def draw(self, history: Sequence[Row]) -> None:
        draw(self._path, history, self._picture, self._title)

    def close(self) -> None:
        self._writer.close()


def draw(path: Path, history: Sequence[Row], picture: Picture, title: str) -> None:
    require("matplotlib", "train").use("Agg")
    pyplot = require("matplotlib.pyplot", "train")
    count = len(picture.panels)
    figure, axes = pyplot.subplots(1, count, figsize=(1 + 3.6 * count, 3.6), layout="constrained")
    rows = [(row[picture.x], dict(numbers_of(row))) for row in history]
    for axis, panel in zip(axes, picture.panels, strict=True):
        for line in panel.lines:
            points = [(x, numbers[line.name]) for x, numbers in rows if line.name in numbers]
            if points:
                axis.plot(*zip(*(_means(points) if line.smooth else points), strict=True), line.style, ms=3)
                axis.lines[-1].set_label(line.label)
        axis.set(title=panel.title, xlabel=picture.label, ylabel=panel.unit)
        if panel.is_share:
            axis.set_ylim(0, 1)
        axis.xaxis.get_major_locator().set_params(integer=True)
        axis.grid(alpha=0.3)
        if len(panel.lines) > 1 and axis.lines:
            axis.legend(frameon=False)
    figure.suptitle(title)
    with replacing(path) as beside:
        figure.savefig(beside, format="png", dpi=110)
    pyplot.close(figure)


def numbers_of(row: Row, within: str = "") -> Iterator[tuple[str, float]]:
    """Yield the numbers of a row by name, those in mappings as ``mapping/name``."""
    for name, value in row.items():
        if isinstance(value, dict):
            yield from numbers_of(value, f"{within}{name}/")
        elif isinstance(value, int | float):
            yield f"{within}{name}", value


def _means(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    parts = np.array_split(np.array(points), min(len(points), _SMOOTH))
    return [(float(part[:, 0].mean()), float(part[:, 1].mean())) for part in parts]
