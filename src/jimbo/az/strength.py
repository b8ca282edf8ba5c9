"""A picture of a loop: how strong the model of each iteration is, and the best model after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jimbo.files import write_text
from jimbo.report import svg
from jimbo.report.svg import Axis, Point

_CURVES = (
    ("optimal_moves", "optimal choices: new"),
    ("best_optimal", "optimal choices: best"),
    ("random_win_rate", "beats random play"),
)
_MOST_TICKS = 10


def draw_strength(path: Path, history: Sequence[Mapping[str, Any]]) -> None:
    """``history``: a row for each iteration of a loop."""
    step = -(-len(history) // _MOST_TICKS)
    ticks = [(number, f"{number}") for number in range(step, len(history) + 1, step)]
    across = Axis(0.5, len(history) + 0.5, ticks, "iteration")
    curves = [_points(history, name, words) for name, words in _CURVES]
    lowest = min((point.y for points in curves for point in points), default=0.0)
    plot = svg.curves(curves, across, svg.share_axis("share", lowest))
    write_text(path, svg.picture(plot, [words for _, words in _CURVES]))


def _points(history: Sequence[Mapping[str, Any]], name: str, words: str) -> list[Point]:
    found = [(row["iteration"] + 1, float(row[name])) for row in history if row.get(name) is not None]
    return [Point(number, y, y, y, f"iteration {number}: {100 * y:.1f} % {words}") for number, y in found]
