"""Old days of a folder of telemetry, rolled up: what each table had that day in numbers, in place of its rows.

A file is written beside and renamed, and lines go last, so that a roll-up that was killed is simply made again.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jimbo.files import replacing
from jimbo.telemetry.analysis.archive import (
    DAILY_SUFFIX,
    PARQUET,
    Archive,
    NoTelemetry,
    day_files,
)
from jimbo.telemetry.row_sink import SUFFIX, day_of
from jimbo.telemetry.tables import COLUMNS

KEEP_DAYS = 7
DAY = 86_400
_LABELS = {
    "game_metrics": "outcome",
    "joker_synergies": "joker_combination",
    "decision_points": "decision_type",
    "economic_flow": "transaction_type",
    "metrics": "name",
}
"""The column of each table by which its rows are told apart."""


@dataclass(frozen=True, slots=True)
class RolledDay:
    """What was done with a day."""

    day: str
    rows: int
    """That were rolled up."""
    bytes_before: int
    bytes_after: int
    trouble: str = ""
    """A sentence, where nothing was done."""


def roll_up(
    folder: Path, keep_days: int = KEEP_DAYS, *, keep_rows: bool = False, now: float | None = None
) -> Iterator[RolledDay]:
    """Roll up days that ended more than ``keep_days`` days ago. ``keep_rows`` keeps their rows, as Parquet."""
    if not folder.is_dir():
        raise NoTelemetry(f"{folder} is not a folder. Days are rolled up where --telemetry was given one, such as DIR/")
    today = time.time() if now is None else now
    oldest = day_of(today - keep_days * DAY)
    for path in day_files(folder, SUFFIX):
        if (day := path.name.removesuffix(SUFFIX)) < oldest:
            yield _roll(path, day, keep_rows)


def _roll(path: Path, day: str, keep_rows: bool) -> RolledDay:
    before = path.stat().st_size
    daily, kept = path.with_name(f"{day}{DAILY_SUFFIX}"), path.with_name(f"{day}{PARQUET}")
    archive = Archive([path], sealed=False)
    try:
        rows = sum(archive.counts().values())
        if (known := _rows_of(daily)) > rows:
            why = f"{path} has {rows:,} rows, and {known:,} were rolled up before. It is left as it is."
            return RolledDay(day, 0, before, before, why)
        archive.connection.execute(f"CREATE TABLE rolled AS {_sql_of(day)}")
        _write(archive, "rolled", daily)
        if keep_rows:
            _write(archive, "wide", kept)
    finally:
        archive.close()
    path.unlink(missing_ok=True)
    after = daily.stat().st_size + (kept.stat().st_size if keep_rows else 0)
    return RolledDay(day, rows, before, after)


def _rows_of(daily: Path) -> int:
    """Return how many rows a roll-up stands for; 0 where there is none yet, or one that cannot be read."""
    if not daily.is_file():
        return 0
    try:
        archive = Archive([daily])
    except NoTelemetry:
        return 0
    try:
        return int(archive.ask("SELECT coalesce(sum(rows), 0) FROM daily WHERE measure = 'rows'")[1][0][0])
    finally:
        archive.close()


def _write(archive: Archive, table: str, path: Path) -> None:
    """Write a table as Parquet, beside and renamed."""
    with replacing(path) as beside:
        archive.connection.table(table).write_parquet(str(beside), compression="zstd")


def _sql_of(day: str) -> str:
    """Return what gives the numbers of all tables, in the columns of ``daily``."""
    parts = []
    for table, shapes in COLUMNS.items():
        agent = "agent" if "agent" in shapes else "''"
        for measure in ("rows", *(name for name, shape in shapes.items() if shape in ("number", "whole"))):
            value = "1.0" if measure == "rows" else f'"{measure}"'
            numbers = (day, table, agent, _LABELS[table], measure, value)
            parts.append(_PART.format(*numbers))
    return f"SELECT * FROM ({' UNION ALL '.join(parts)}) WHERE rows > 0 ORDER BY ALL"


_PART = """SELECT DATE '{0}' AS day, '{1}' AS of_table, program, {2} AS agent, {3} AS label, '{4}' AS measure,
count({5}) AS rows, sum({5}) AS total, avg({5}) AS mean, min({5}) AS smallest, max({5}) AS largest,
quantile_cont({5}, 0.5) AS p50, quantile_cont({5}, 0.95) AS p95 FROM {1} GROUP BY ALL"""
