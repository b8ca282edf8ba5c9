"""The plots of a diagnosis, each with a curve for every agent."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jimbo.engine import LAST_ANTE
from jimbo.eval import svg
from jimbo.eval.bootstrap import Estimate
from jimbo.eval.calibration import BINS
from jimbo.eval.diagnosis import Deaths, Diagnosis
from jimbo.eval.plots import FEWEST, blind_axis, blind_name
from jimbo.eval.rows import ALL_BLINDS
from jimbo.eval.svg import Axis, Point
from jimbo.text import counted

_ANTES = Axis(0.5, LAST_ANTE + 0.5, [(ante, f"{ante}") for ante in range(1, LAST_ANTE + 1)], "ante")


def chances(*agents: Diagnosis) -> str:
    """The mean chance to clear that is told on entering each blind."""

    def points(result: Diagnosis) -> list[Point]:
        made = []
        for row in result.blinds:
            if _shown(row.number, row.games, result) and row.clear.value is not None:
                text = (
                    f"{blind_name(row.number)}: said {100 * row.clear.value:.1f} %, cleared {100 * row.cleared:.1f} %"
                )
                made.append(_point(row.number, row.clear, f"{text} ({counted(row.games, 'run')})"))
        return made

    return svg.curves([points(result) for result in agents], blind_axis(1), svg.share_axis("chance to clear"))


def powers(*agents: Diagnosis) -> str:
    """Power over target on entering each blind: median and quartiles."""

    def points(result: Diagnosis) -> list[Point]:
        made = []
        for row in result.blinds:
            if _shown(row.number, row.games, result) and row.power is not None:
                low, middle, high = row.power
                text = f"{blind_name(row.number)}: {middle:.2f} times the target ({counted(row.games, 'run')})"
                made.append(Point(row.number, middle, low, high, text))
        return made

    series = [points(result) for result in agents]
    ends = [end for made in series for point in made for end in (point.low, point.high)]
    axis = svg.log_axis(min(ends, default=0.1), max(ends, default=10.0), "power / target", "x")
    return svg.curves(series, blind_axis(1), axis, line_at=1.0)


def fatal_chances(*agents: Deaths) -> str:
    """How many runs were lost in blinds that were entered at each chance, in ten bins."""
    counts = [
        np.histogram([death.clear for death in deaths.all if death.clear is not None], BINS, (0, 1))[0].tolist()
        for deaths in agents
    ]
    highest = max((count for values in counts for count in values), default=1)

    def points(values: Sequence[int]) -> list[Point]:
        ends = ((place, f"{10 * place} to {10 * place + 10} %: {counted(count, 'run')}", count)
                for place, count in enumerate(values))  # fmt: skip
        return [Point(place + 0.5, count, count, count, text) for place, text, count in ends]

    across = Axis(0, BINS, [(place, f"{10 * place} %") for place in range(0, BINS + 1, 2)], "chance on entering")
    return svg.columns([points(values) for values in counts], across, svg.number_axis(highest, "runs lost"))


def multipliers(*agents: Diagnosis) -> str:
    """Jokers held that multiply Mult, the mean on entering the blinds of each ante."""
    return _by_ante(agents, "multipliers", "xMult jokers held", "")


def interest(*agents: Diagnosis) -> str:
    """Interest paid in each ante, the mean per run that reached it."""
    return _by_ante(agents, "interest", "interest in the ante", "$")


def _by_ante(agents: Sequence[Diagnosis], name: str, label: str, sign: str) -> str:
    series = [
        [
            _point(row.ante, estimate, f"ante {row.ante}: {sign}{estimate.value:.2f} ({counted(row.games, 'run')})")
            for row in result.antes
            if row.ante in range(1, LAST_ANTE + 1) and row.games >= min(FEWEST, result.games)
            for estimate in (getattr(row, name),)
        ]
        for result in agents
    ]
    highest = max((point.high for points in series for point in points), default=1.0)
    return svg.columns(series, _ANTES, svg.number_axis(highest, label, sign=sign))


def _shown(number: int, games: int, result: Diagnosis) -> bool:
    return number in range(1, ALL_BLINDS + 1) and games >= min(FEWEST, result.games)


def _point(x: float, estimate: Estimate, text: str) -> Point:
    value = estimate.value or 0.0
    low, high = estimate.ci95 or (value, value)
    return Point(x, value, low, high, text)
