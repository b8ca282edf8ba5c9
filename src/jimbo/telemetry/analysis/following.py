"""Rows as they are written, and in words."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jimbo.files import loads
from jimbo.telemetry.analysis.archive import NoTelemetry, day_files
from jimbo.telemetry.row_sink import SUFFIX
from jimbo.telemetry.tables import TABLES
from jimbo.text.numbers import counted, money_text, number_text, percent_text

LOOK_EVERY = 0.3
_MOMENT = 1000
"""Nanoseconds within which numbers were measured together."""
_MEASURED = "metrics"
Row = Mapping[str, Any]


def rows_of(path: Path, last: int, *, follow: bool, table: str = "") -> Iterator[list[Row]]:
    """Give the last rows of a file or of a folder's newest day, and then those that are added, as often as there are
    some. ``table``: only rows of it. NoTelemetry where nothing can ever come."""
    if not path.exists() and not (follow and path.suffix == SUFFIX):
        raise NoTelemetry(f"There is no file or folder {path}")
    if not follow and _newest(path) is None:
        raise NoTelemetry(f"{path} holds no telemetry yet")
    file: Path | None = None
    place, rows = 0, list[Row]()
    while True:
        newest = _newest(path)
        if newest != file and newest is not None:
            before = None if file is None else _added(file, place, table)[1]
            file = newest
            place, rows = _added(file, 0, table)
            rows = (rows[-last:] if last else []) if before is None else [*before, *rows]
        else:
            place, rows = (place, []) if file is None else _added(file, place, table)
        if rows:
            yield rows
        if not follow:
            return
        if not rows:
            time.sleep(LOOK_EVERY)


def _newest(path: Path) -> Path | None:
    if path.is_dir():
        return next(reversed(day_files(path, SUFFIX)), None)
    return path if path.exists() else None


def _added(file: Path, place: int, table: str) -> tuple[int, list[Row]]:
    """Return the rows behind a place, as far as lines are whole, and where the next begins."""
    with file.open("rb") as lines:
        lines.seek(place)
        data = lines.read()
    end = data.rfind(b"\n") + 1
    rows = (_row(line) for line in data[:end].splitlines())
    return place + end, [row for row in rows if row is not None and table in ("", row["table"])]


def _row(line: bytes) -> Row | None:
    try:
        row = loads(line.decode())
    except ValueError:
        return None
    return row if isinstance(row, dict) and row.get("table") in TABLES and type(row.get("timestamp")) is int else None


def together(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Return rows in groups: the numbers that were measured at one moment are one."""
    group: list[Row] = []
    for row in rows:
        if group and not (_MEASURED == row["table"] == group[-1]["table"] and _same_moment(group[-1], row)):
            yield group
            group = []
        group.append(row)
    if group:
        yield group


def _same_moment(one: Row, other: Row) -> bool:
    same = all(one.get(name) == other.get(name) for name in ("session_id", "game_id", "note"))
    return same and 0 <= other["timestamp"] - one["timestamp"] <= _MOMENT


# --- Words ------------------------------------------------------------------------------------------------------------


def words_of(group: Sequence[Row]) -> str:
    """Return what rows that belong together say, on one line."""
    *firsts, last = group
    return ", ".join([*(row_words({**row, "note": ""}) for row in firsts), row_words(last)])


def row_words(row: Row) -> str:
    """Return what a row says, on one line. It may lack anything, or have anything in its columns."""
    try:
        return _WORDS[row["table"]](row)
    except (KeyError, TypeError, ValueError, AttributeError):
        return json.dumps({name: value for name, value in row.items() if name not in _ELSEWHERE}, ensure_ascii=False)


def _blind(row: Row) -> str:
    what = row.get("blind") or row.get("blind_type") or "run"
    score = (
        f", {number_text(row['chips_scored'])} of {number_text(row['chips_required'])}"
        if "chips_required" in row
        else ""
    )
    hands = f", {counted(row['hands_played'], 'hand')}, {counted(row['discards_used'], 'discard')}"
    rest = f", {money_text(row['money'])}" if "money" in row else ""
    rest += f", {counted(row['joker_count'], 'joker')}" if "joker_count" in row else ""
    return f"ante {row.get('ante')}, {what}: {row['outcome']}{score}{hands}{rest}"


def _decision(row: Row) -> str:
    win = f", P(win) {percent_text(row['confidence'])}" if "confidence" in row else ""
    delta = f", then {100 * row['outcome_delta']:+.1f} points" if "outcome_delta" in row else ""
    took = f", {row['milliseconds']:.1f} ms" if "milliseconds" in row else ""
    return f"{row.get('action_taken') or row['decision_type']}{win}{delta}{took}"


def _synergy(row: Row) -> str:
    share = f": {percent_text(row['effectiveness'])} of the score" if "effectiveness" in row else ""
    together = f", {percent_text(row['synergy_score'])} of that only together" if "synergy_score" in row else ""
    return f"{row['joker_combination'].replace('+', ' + ')}{share}{together}"


def _money(row: Row) -> str:
    item = f" {row['item_purchased']}" if "item_purchased" in row else ""
    now = f", now {money_text(row['balance_after'])}" if "balance_after" in row else ""
    return f"{row['transaction_type'].replace('_', ' ')}{item}: {money_text(row['amount'])}{now}"


def _metric(row: Row) -> str:
    if row.get("note") == "bytes":
        return f"{row['name']} {row['value'] / 1e6:,.1f} MB"
    note = f" ({row['note']})" if row.get("note") else ""
    return f"{row['name']} {row['value']:.6g}{note}"


_WORDS = {
    "game_metrics": _blind,
    "decision_points": _decision,
    "joker_synergies": _synergy,
    "economic_flow": _money,
    "metrics": _metric,
}
_ELSEWHERE = ("table", "timestamp", "session_id", "program", "game_id")
