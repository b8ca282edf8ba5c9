"""GameSpeed over numbers of instances, measured several times: rows, their summary, both as CSV, and a plot."""

from __future__ import annotations

import csv
import io
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple

from jimbo.report import svg
from jimbo.report.svg import Axis, Point
from jimbo.rollout.throughput import GameSpeed, Mode

MEASURED = "measured"
"""Where a rate comes from: nothing is parsed from what a program prints."""


@dataclass(frozen=True, slots=True)
class SweepRow:
    """One measurement. What is not known, because it failed, is None."""

    timestamp: str
    mode: Mode
    instances: int
    repeat: int
    steps_s_total: float | None
    base_port_used: int | None
    returncode: int
    parse_source: str
    play_avg_ms: float | None
    gamestate_avg_ms: float | None
    cmd: str
    """What measures the same again."""


@dataclass(frozen=True, slots=True)
class SweepSummary:
    """Steps a second over the repeats that succeeded."""

    mode: Mode
    instances: int
    repeats: int
    mean: float | None
    stdev: float | None
    """None for less than two."""
    min: float | None
    max: float | None


class Kind(NamedTuple):
    """What is measured, and which repeat it is."""

    mode: Mode
    instances: int
    repeat: int


def row_of(
    kind: Kind, measured: GameSpeed | None, timestamp: str, port: int | None, code: int, command: str
) -> SweepRow:
    """The row of a measurement; ``measured`` is None where it failed with the code."""
    rate = None if measured is None else round(measured.steps_s_total, 3)
    play, gamestate = (_mean(measured, method) for method in ("play", "gamestate"))
    return SweepRow(timestamp, *kind, rate, port, code, MEASURED if measured else "", play, gamestate, command)


def _mean(measured: GameSpeed | None, method: str) -> float | None:
    latency = measured.latency.get(method) if measured else None
    return latency.mean if latency else None


def summarize(rows: Sequence[SweepRow]) -> list[SweepSummary]:
    """Summaries by mode, and in each by the number of instances."""
    groups = sorted({(row.mode, row.instances) for row in rows})
    return [
        _summary(*group, [row.steps_s_total for row in rows if (row.mode, row.instances) == group]) for group in groups
    ]


def _summary(mode: Mode, instances: int, rates: Sequence[float | None]) -> SweepSummary:
    known = [rate for rate in rates if rate is not None]
    if not known:
        return SweepSummary(mode, instances, 0, None, None, None, None)
    spread = round(statistics.stdev(known), 3) if len(known) > 1 else None
    return SweepSummary(mode, instances, len(known), round(statistics.mean(known), 3), spread, min(known), max(known))


def as_csv(kind: type[SweepRow] | type[SweepSummary], rows: Iterable[SweepRow | SweepSummary]) -> str:
    """Rows with a head; what is None is empty."""
    text = io.StringIO()
    writer = csv.DictWriter(text, [field.name for field in fields(kind)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(row) for row in rows)
    return text.getvalue()


def plot(summaries: Sequence[SweepSummary]) -> str:
    """Steps a second over the instances, for each mode, with the least and the most of the repeats around the mean."""
    modes = list(dict.fromkeys(one.mode for one in summaries))
    counts = sorted({one.instances for one in summaries})
    highest = max((one.max or 0.0 for one in summaries), default=0.0)
    x = Axis(0.0, counts[-1] + 0.5, [(count, str(count)) for count in counts], "instances")
    series = [[_point(one) for one in summaries if one.mode == mode and one.repeats] for mode in modes]
    return svg.picture(svg.curves(series, x, svg.number_axis(highest, "steps a second, all instances")), modes)


def _point(one: SweepSummary) -> Point:
    known: Any = (one.mean, one.min, one.max)
    mean, low, high = known
    return Point(one.instances, mean, low, high, f"{mean:,.1f} ({low:,.1f} to {high:,.1f}) with {one.instances}")
