"""Rules that hold say nothing; each that does not says what is wrong, with the numbers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from jimbo.telemetry.analysis.alerts import Alert, AlertRules, check
from jimbo.telemetry.analysis.archive import Archive
from jimbo.telemetry.tables import TableRow
from telemetry.analysis.planting import NOON, decision, metric, write

pytest.importorskip("duckdb", reason="duckdb is not installed: pip install -e '.[analytics]'")


def found(folder: Path, rows: Sequence[TableRow], now: float = NOON + 60, **limits: float) -> list[Alert]:
    archive = Archive([write(folder / "a.jsonl", rows)])
    try:
        return check(archive, AlertRules(**limits), now)  # type: ignore[arg-type]
    finally:
        archive.close()


def words(alerts: list[Alert]) -> list[tuple[str, str]]:
    return [(one.rule, one.words) for one in alerts]


def test_nothing_is_wrong(tmp_path: Path) -> None:
    rows = [metric(0, "program_started", 1), metric(50, "memory_usage", 1e9), metric(50, "heartbeat", 50)]
    rows += [decision(second, 5.0) for second in range(60)] + [metric(second, "cache_hit", 1) for second in range(30)]
    assert found(tmp_path, rows) == []
    assert found(tmp_path, [metric(0, "x", 1)]) == []


def test_memory_is_that_of_all_processes_at_last(tmp_path: Path) -> None:
    rows = [metric(0, "memory_usage", 9e9, session="a")]
    rows += [metric(second, "memory_usage", 3e9, session=name) for second, name in ((10, "a"), (11, "b"))]
    ((rule, text),) = words(found(tmp_path, rows))
    assert (rule, text) == ("memory", "jimbo rollout uses 6.00 GB of memory; the limit is 5.5 GB")
    assert found(tmp_path, rows, memory_gb=6.5) == []
    assert found(tmp_path, [*rows, metric(600, "memory_usage", 1e9, session="a")]) == []  # long ago


def test_a_program_that_fell_silent(tmp_path: Path) -> None:
    rows = [metric(0, "program_started", 1), metric(5, "heartbeat", 5)]
    ((rule, text),) = words(found(tmp_path, rows, NOON + 45))
    assert rule == "heartbeat"
    assert text == "Nothing was heard of jimbo rollout for 40 seconds, and it has not said that it ended"
    assert found(tmp_path, rows, NOON + 30) == []
    assert found(tmp_path, [*rows, metric(6, "program_ended", 1)], NOON + 45) == []
    assert found(tmp_path, rows, NOON + 90_000) == []  # forgotten


def test_errors(tmp_path: Path) -> None:
    rows = [decision(second, 5.0) for second in range(18)] + [metric(20, "errors", 1, note="x")] * 2
    ((rule, text),) = words(found(tmp_path, rows))
    assert (rule, text) == (
        "error_rate",
        "jimbo rollout: 2 errors and 18 decisions, which is 10.0 %; the limit is 5.0 %",
    )
    assert found(tmp_path, rows, error_rate=0.1) == []


def test_slow_decisions(tmp_path: Path) -> None:
    rows = [decision(second, 5.0 if second < 50 else 900.0) for second in range(60)]
    ((rule, text),) = words(found(tmp_path, rows))
    assert rule == "p95"
    assert text == "jimbo rollout, agent fast: 5 in 100 decisions take more than 900 ms; the limit is 200 ms"
    assert found(tmp_path, rows[50:]) == []  # ten decisions say little
    assert len(found(tmp_path, rows[50:], at_least=10)) == 1


def test_caches_that_answer_little(tmp_path: Path) -> None:
    rows = [metric(second, "cache_hit", second % 2) for second in range(40)]
    ((rule, text),) = words(found(tmp_path, rows))
    assert (rule, text) == (
        "cache_hits",
        "jimbo rollout: caches answered 50.0 % of 40 questions; at least 70.0 % are wanted",
    )


def test_an_alert_is_an_event(tmp_path: Path) -> None:
    (alert,) = found(tmp_path, [metric(0, "memory_usage", 9e9)])
    event = alert.to_event()
    assert (event.rule, event.value, event.limit, event.program) == ("memory", 9.0, 5.5, "jimbo rollout")
