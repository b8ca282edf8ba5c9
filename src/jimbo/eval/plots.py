"""The plots of a report: from rows to points."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np

from jimbo.engine import BLINDS_PER_ANTE, LAST_ANTE
from jimbo.engine.catalog import BLINDS
from jimbo.eval import svg
from jimbo.eval.calibration import Bin, Calibration
from jimbo.eval.rows import ALL_BLINDS, Episode
from jimbo.eval.statistics import wilson
from jimbo.eval.summary import summarize
from jimbo.eval.svg import Axis, Point
from jimbo.text import counted

Rows = Sequence[Episode]
_DEATHS_SHOWN = 14
FEWEST = 3
"""A mean of fewer runs says nothing about the agent."""
_SLOTS = ("small", "big", "boss")
_ANTE_TICKS = [(BLINDS_PER_ANTE * ante, f"{ante}") for ante in range(1, LAST_ANTE + 1)]


def blind_name(number: int) -> str:
    return f"ante {(number - 1) // BLINDS_PER_ANTE + 1} {_SLOTS[(number - 1) % BLINDS_PER_ANTE]}"


def blind_axis(first: int) -> Axis:
    return Axis(first, ALL_BLINDS, _ANTE_TICKS, "boss of ante")


def survival(*agents: Rows) -> str:
    """Share of runs that got past each blind, with Wilson's interval."""

    def points(rows: Rows) -> list[Point]:
        passed = [row.blinds_passed for row in rows]
        result = []
        for number in range(ALL_BLINDS + 1):
            past = sum(blinds >= number for blinds in passed)
            where = f"past {blind_name(number)}: {past} of {len(rows)}" if number else "start"
            result.append(Point(number, past / len(rows), *wilson(past, len(rows)), where))
            if not past:
                break
        return result

    return svg.curves([points(rows) for rows in agents], blind_axis(0), svg.share_axis("runs still alive"))


def ante_rates(*agents: Rows) -> str:
    """Of the runs that reached an ante, the share that got past it."""

    def points(rows: Rows) -> list[Point]:
        passed = [row.blinds_passed for row in rows]
        result = []
        for ante in range(1, LAST_ANTE + 1):
            reached = sum(blinds >= (ante - 1) * BLINDS_PER_ANTE for blinds in passed)
            past = sum(blinds >= ante * BLINDS_PER_ANTE for blinds in passed)
            if reached >= min(FEWEST, len(rows)):
                result.append(Point(ante, past / reached, *wilson(past, reached), f"{past} of {reached}"))
        return result

    antes = Axis(0.5, LAST_ANTE + 0.5, [(ante, f"{ante}") for ante in range(1, LAST_ANTE + 1)], "ante")
    return svg.columns([points(rows) for rows in agents], antes, svg.share_axis("cleared when reached"))


def deaths(*agents: Rows) -> str:
    """Which blinds runs are lost to."""
    counts = [summarize(rows).deaths for rows in agents]
    ranked = sorted(
        {key for count in counts for key in count}, key=lambda key: (-max(c.get(key, 0) for c in counts), key)
    )
    shown = ranked[:_DEATHS_SHOWN]
    values = [[count.get(key, 0) for key in shown] for count in counts]
    labels = [BLINDS[key].name for key in shown]
    if rest := ranked[_DEATHS_SHOWN:]:
        labels.append(f"{len(rest)} others")
        for value, count in zip(values, counts, strict=True):
            value.append(sum(count.get(key, 0) for key in rest))
    texts = [
        [f"{value} · {100 * value / len(rows):.1f} %" for value in row]
        for row, rows in zip(values, agents, strict=True)
    ]
    return svg.rows(labels, values, texts)


def money(*agents: Rows) -> str:
    """Money at the start of each blind: median and quartiles of the runs that played it."""
    series = [_quartiles(rows, lambda row, i: row.money_by_round[i], lambda value: f"${value:.0f}") for rows in agents]
    highest = max((point.high for points in series for point in points), default=1.0)
    return svg.curves(series, blind_axis(1), svg.number_axis(highest, "money", sign="$"))


def scores(*agents: Rows) -> str:
    """Score over target at the end of each blind: median and quartiles."""

    def ratio(row: Episode, i: int) -> float:
        return row.score_by_round[i].score / row.score_by_round[i].target

    series = [_quartiles(rows, ratio, lambda value: f"{value:.2f} times the target") for rows in agents]
    values = [end for points in series for point in points for end in (point.low, point.high)]
    axis = svg.log_axis(min(values, default=0.1), max(values, default=10.0), "score / target", "x")
    return svg.curves(series, blind_axis(1), axis, line_at=1.0)


def _quartiles(rows: Rows, value: Callable[[Episode, int], float], words: Callable[[float], str]) -> list[Point]:
    by_blind: dict[int, list[float]] = defaultdict(list)
    for row in rows:
        for i, blind in enumerate(row.score_by_round):
            by_blind[blind.number].append(value(row, i))
    points = []
    for number in range(1, ALL_BLINDS + 1):
        here = by_blind[number]
        if len(here) >= min(FEWEST, len(rows)):
            low, middle, high = (float(q) for q in np.quantile(here, (0.25, 0.5, 0.75)))
            text = f"{blind_name(number)}: {words(middle)} ({counted(len(here), 'run')})"
            points.append(Point(number, middle, low, high, text))
    return points


def reliability(*agents: Calibration) -> str:
    """What is said against what happened, in bins: on the diagonal they are the same."""

    def points(row: Calibration) -> list[Point]:
        return [_said(bin, bin.happened.value or 0.0) for bin in row.bins]

    return svg.curves(
        [points(row) for row in agents], svg.share_axis("said"), svg.share_axis("happened"), diagonal=True
    )


def _said(bin: Bin, share: float) -> Point:
    text = f"said {100 * bin.predicted:.1f} %, happened {100 * share:.1f} % ({counted(bin.decisions, 'decision')})"
    return Point(bin.predicted, share, *(bin.happened.ci95 or (share, share)), text)
