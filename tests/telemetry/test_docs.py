"""docs/telemetry.md names the tables, columns, questions, rules and limits that there are."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import fields
from pathlib import Path

import pytest

from jimbo.telemetry import row_sink, sender
from jimbo.telemetry.analysis.alerts import AlertRules
from jimbo.telemetry.analysis.questions import QUESTIONS
from jimbo.telemetry.tables import COLUMNS

PAGE = (Path(__file__).parents[2] / "docs" / "telemetry.md").read_text()
TEXT = " ".join(PAGE.split())


def test_tables_have_the_columns_that_are_named() -> None:
    for name, columns in COLUMNS.items():
        (row,) = re.findall(rf"^\| `{name}` \| [^|]+ \| (.*) \|$", PAGE, re.MULTILINE)
        told = {piece.strip("*"): piece.startswith("*") for piece in row.split(", ")}
        own = {column: kind == "tag" for column, kind in columns.items()}
        for everywhere in ("session_id", "program", "game_id"):
            own.pop(everywhere)
            assert f"`{everywhere}`" in PAGE
        assert told == own


def test_questions_are_those_that_are_named() -> None:
    told = dict(re.findall(r"^\| `([a-z-]+)` \| ([^|]*) \|$", PAGE, re.MULTILINE))
    assert {name: told[name] for name in QUESTIONS} == {name: question.about for name, question in QUESTIONS.items()}
    (sql,) = re.findall(r"```sql\n(.*?)\n```", PAGE, re.DOTALL)
    assert sql == QUESTIONS["decision-latency"].for_questdb("1m")


def test_limits_are_those_of_the_code() -> None:
    rules = AlertRules()
    assert f"at most {100 * sender.SHARE:g} % of the processor time or {100 * sender.WAITING_SHARE:g} % of all" in TEXT
    assert f"- {sender.QUEUE:,} events wait in each process" in TEXT
    assert f"as soon as {row_sink.ROWS_AT_ONCE:,} events wait" in TEXT
    assert f"up to {sender.LONGEST_PAUSE:g} seconds" in TEXT
    assert f"every {sender.VITALS_EVERY:g} seconds" in TEXT
    assert f"more than {rules.memory_gb:g} GB" in TEXT
    assert f"for {rules.heartbeat_seconds:g} seconds" in TEXT
    assert f"more than {100 * rules.error_rate:g} % of" in TEXT
    assert f"more than {rules.p95_ms:g} ms" in TEXT
    assert f"less than {100 * rules.cache_hits:g} % of" in TEXT
    assert f"the last {rules.minutes:g} minutes" in TEXT
    named = set(re.findall(r"`--([a-z0-9-]+)`", PAGE))
    assert {entry.name.replace("_", "-") for entry in fields(AlertRules)} - named == {"minutes", "at-least"}


@pytest.mark.parametrize(("command", "key"), [("rules", "groups"), ("config", "scrape_configs")])
def test_prometheus_takes_what_is_shown(command: str, key: str, tmp_path: Path) -> None:
    program = shutil.which(os.environ.get("PROMTOOL", "promtool"))
    if program is None:
        pytest.skip("promtool is not installed: make databases installs it.")
    (text,) = (text for text in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL) if text.startswith(key))
    (tmp_path / "file.yml").write_text(text)
    done = subprocess.run([program, "check", command, tmp_path / "file.yml"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
