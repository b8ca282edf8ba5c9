"""Questions: DuckDB's answers are those worked out by hand, and QuestDB's text asks for the same columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from jimbo.telemetry.analysis.archive import Archive, NoTelemetry
from jimbo.telemetry.analysis.questions import BUCKETS, QUESTIONS, NamedQuestion, find_question
from jimbo.telemetry.tables import COLUMNS
from telemetry.analysis.planting import small_archive, write

pytest.importorskip("duckdb", reason="duckdb is not installed: pip install -e '.[analytics]'")
FIRST, SECOND = datetime(2026, 11, 19, 12, 0), datetime(2026, 11, 19, 12, 1)
ANSWERS: dict[str, list[tuple[Any, ...]]] = {
    "decision-latency": [(FIRST, "fast", 60, 30.5, 57.05, 60.0), (SECOND, "fast", 20, 100.0, 100.0, 100.0)],
    "games": [(FIRST, "fast", "stake_white", 2, 0.5, 6.0), (SECOND, "fast", "stake_white", 1, 1.0, 8.0)],
    "blinds": [
        (FIRST, "fast", 1, 1, 2.0, 2.0, 4.0, 1.0),
        (FIRST, "fast", 4, 1, 0.5, 2.0, 4.0, 1.0),
        (FIRST, "fast", 8, 1, 1.5, 2.0, 4.0, 1.0),
        (SECOND, "fast", 8, 1, 4.0, 2.0, 4.0, 1.0),
    ],
    "money": [(FIRST, "purchase_joker", 2, -8.0, -4.0), (SECOND, "purchase_joker", 1, -2.0, -2.0)],
    "jokers": [("j_a+j_b", 2, 0.6, 0.25, 10.0, 4.0)],
    "costly-decisions": [("fast", "shop", "buy", 80, 0.5, -0.05, -0.2)],
    "training": [(FIRST, "jimbo train rl", "loss", 2.0, 2.0, 3.0), (SECOND, "jimbo train rl", "loss", 1.0, 1.0, 1.0)],
    "memory": [(FIRST, "jimbo rollout", "s", 3.0)],
    "errors": [(FIRST, "jimbo rollout", "it's broken", 2)],
}


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    made = Archive([write(tmp_path_factory.mktemp("kept") / "a [1]*'s.jsonl", small_archive())])
    yield made
    made.close()


def test_every_question_has_an_answer_here() -> None:
    assert ANSWERS.keys() == QUESTIONS.keys()


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_are_those_worked_out_by_hand(archive: Archive, name: str) -> None:
    names, rows = archive.ask(QUESTIONS[name].for_duckdb("1m"))
    assert names == asked_for(QUESTIONS[name])
    assert len(rows) == len(ANSWERS[name])
    for row, expected in zip(rows, ANSWERS[name], strict=True):
        assert row == tuple(value if isinstance(value, datetime | str) else pytest.approx(value) for value in expected)


def asked_for(question: NamedQuestion) -> list[str]:
    """The columns of QuestDB's text, by what stands between SELECT and FROM."""
    text = re.match(r"SELECT (.*?)\s+FROM", " ".join(question.questdb.split()))
    assert text
    return [piece.split()[-1] for piece in re.split(r",\s*(?![^()]*\))", text[1])]


@pytest.mark.parametrize("name", QUESTIONS)
def test_questdb_is_asked_about_the_same_table_and_its_columns(name: str) -> None:
    question = QUESTIONS[name]
    table = re.search(r"FROM (\w+)", question.questdb)
    assert table
    assert f"FROM {table[1]}" in question.duckdb
    text = question.for_questdb("1h")
    assert ("SAMPLE BY 1h" in text) == ("timestamp" in asked_for(question))
    used = set(re.findall(r"\b[a-z_0-9]+\b", re.sub(r"'[^']*'|AS \w+", "", text)))
    known = {"timestamp", "count", "avg", "min", "max", "sum", "last", "approx_percentile", "1h"} | set(
        asked_for(question)
    )
    assert used - known - {"0", "95", "3", "1", "1e9", "20"} <= {*COLUMNS[table[1]], table[1]}


@pytest.mark.parametrize("bucket", BUCKETS)
@pytest.mark.parametrize("name", QUESTIONS)
def test_every_length_of_time_can_be_asked_for(archive: Archive, name: str, bucket: str) -> None:
    assert archive.ask(QUESTIONS[name].for_duckdb(bucket))[1]


def test_other_names_and_lengths_get_a_sentence() -> None:
    with pytest.raises(ValueError, match=r'^There is no question "game"\. Did you mean games\? There are decision-'):
        find_question("game")
    with pytest.raises(ValueError, match=r'^"2m" is not a length of time\. Choose 1s, 10s,'):
        QUESTIONS["games"].for_questdb("2m")


def test_a_question_reaches_nothing_but_the_tables(archive: Archive, tmp_path: Path) -> None:
    for sql in (
        "SELECT * FROM read_csv('/etc/passwd')",
        f"COPY metrics TO '{tmp_path}/x.csv'",
        "SET enable_external_access = true",
        "INSTALL httpfs",
        "nonsense",
    ):
        with pytest.raises(ValueError, match=r"^DuckDB does not understand that: "):
            archive.ask(sql)
    assert not list(tmp_path.iterdir())


def test_lines_that_are_no_rows_are_counted(tmp_path: Path) -> None:
    bad = ["{broken\n", "[]\n", '{"table": "other", "timestamp": 1}\n', '{"table": "metrics"}\n', '{"table": "metr']
    archive = Archive([write(tmp_path / "a.jsonl", small_archive(), bad)])
    assert archive.unread == len(bad)
    assert archive.counts() == {
        "game_metrics": 4, "joker_synergies": 2, "decision_points": 80, "economic_flow": 3, "metrics": 7, "daily": 0,
    }  # fmt: skip
    archive.close()


@pytest.mark.parametrize("text", ['{"type": "game_start", "data": {}}\n', "nonsense\n", "\x00\x01\n"])
def test_other_files_get_a_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(text)
    with pytest.raises(NoTelemetry, match=f"^{path} (holds no rows of telemetry|cannot be read)"):
        Archive([path])
    with pytest.raises(NoTelemetry, match="holds no telemetry: no file such as"):
        Archive([tmp_path])
    with pytest.raises(NoTelemetry, match=r"^There is no file or folder"):
        Archive([tmp_path / "none"])
