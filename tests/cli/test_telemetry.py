"""``jimbo telemetry``, and ``--telemetry`` of other commands."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from jimbo.cli.main import app
from serve.events.running import event, served
from telemetry.analysis.planting import decision, metric, small_archive, write
from telemetry.servers import Influx, awaited, influx

pytest.importorskip("duckdb", reason="duckdb is not installed: pip install -e '.[analytics]'")
JIMBO = [sys.executable, "-m", "jimbo"]


def run(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, [*words])
    assert result.exit_code == code, result.output
    return result


def rows(path: Path, table: str = "") -> list[dict[str, Any]]:
    found = [json.loads(line) for line in path.read_bytes().splitlines()]
    return [row for row in found if table in ("", row["table"])]


@pytest.fixture
def kept(tmp_path: Path) -> str:
    return str(write(tmp_path / "a.jsonl", small_archive()))


# --- --telemetry ------------------------------------------------------------------------------------------------------


def test_games_become_rows_in_every_place_that_is_named(tmp_path: Path) -> None:
    words = ["rollout", "--agent", "greedy", "--games", "3", "--workers", "1", "--out", str(tmp_path / "g.jsonl")]
    run(*words, "--telemetry", str(tmp_path / "a.jsonl"), "--events", f"{tmp_path}/days/")
    (day,) = (tmp_path / "days").iterdir()
    for path in (tmp_path / "a.jsonl", day):
        blinds = rows(path, "game_metrics")
        skipped = sum(row["value"] for row in rows(path, "metrics") if row["name"] == "games_skipped")
        assert sum(row["outcome"] in ("won", "lost") for row in blinds) + skipped == 3
        assert {row["agent"] for row in blinds} == {"greedy"}
        assert len(rows(path, "decision_points")) > 3
        assert [row["name"] for row in rows(path, "metrics")][-2:] == ["program_ended", "events_dropped"]
        assert {row["program"] for row in rows(path)} == {"jimbo rollout"}
    assert "JIMBO_EVENTS" not in os.environ


def test_several_processes_write_to_one_file(tmp_path: Path) -> None:
    words = ["rollout", "--agent", "fast", "--games", "8", "--workers", "2", "--out", str(tmp_path / "g.jsonl")]
    run(*words, "--telemetry", str(tmp_path / "a.jsonl"))
    found = rows(tmp_path / "a.jsonl")
    assert len({row["session_id"] for row in found if row["table"] == "decision_points"}) == 2
    skipped = sum(row["value"] for row in found if row.get("name") == "games_skipped")
    assert sum(row.get("outcome") in ("won", "lost") for row in found) + skipped == 8


@pytest.mark.parametrize("words", [["mcp"], ["az", "train"], ["eval"]])
def test_a_place_that_is_none_is_refused(words: list[str]) -> None:
    result = run(*words, "--telemetry", "table.csv", code=2)
    assert result.stderr.startswith('jimbo: "table.csv" is not a place for telemetry.')


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    result = run("eval", "--telemetry", "/proc/none/a.jsonl", code=2)
    assert result.stderr.startswith("jimbo: /proc/none/a.jsonl: ")


@pytest.mark.servers
def test_games_in_a_database(tmp_path: Path) -> None:
    with influx(tmp_path) as database:
        words = ["rollout", "--agent", "greedy", "--games", "4", "--workers", "1", "--out", str(tmp_path / "g.jsonl")]
        result = run(*words, "--telemetry", database.url)
        assert "did not reach" not in result.output
        _check_games(database, 4)


def _check_games(database: Influx, games: int) -> None:
    found = database.ask("SELECT outcome, chips_scored FROM game_metrics")
    skipped = database.ask("SELECT sum(value) AS n FROM metrics WHERE \"name\" = 'games_skipped'")
    ended = sum(row["outcome"] in ("won", "lost") for row in found)
    assert ended + (int(skipped[0]["n"]) if skipped else 0) == games


def test_a_database_that_is_not_there_stops_nothing(tmp_path: Path) -> None:
    words = ["rollout", "--agent", "random", "--games", "3", "--workers", "1", "--out", str(tmp_path / "g.jsonl")]
    result = run(*words, "--telemetry", "ilp+http://127.0.0.1:9")
    assert "3 games played" in result.output
    assert "events did not reach ilp+http://127.0.0.1:9. Connection refused." in result.stderr


def test_an_aggregator_hands_on(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with served("--telemetry", str(path)) as found:
        with found.client() as client:
            client.send(event("training.row", row={"loss": 0.5}, best=True))
            client.send(event("error", message="x"))
        awaited(lambda: path.exists() and len(rows(path)) == 2)
    assert [(row["name"], row["value"]) for row in rows(path)] == [("loss", 0.5), ("errors", 1.0)]
    result = run("events", "serve", "--port", "0", "--telemetry", "ws://127.0.0.1:1", code=2)
    assert "is an aggregator itself" in result.stderr


# --- jimbo telemetry --------------------------------------------------------------------------------------------------


def test_tail_shows_the_last_rows(kept: str) -> None:
    lines = run("telemetry", "tail", kept, "--once", "-n", "3").output.splitlines()
    assert [line.split(None, 1)[1].strip() for line in lines] == [
        "jimbo rollout    memory_usage 3e+09",
        "jimbo rollout    errors 1 (it's broken)",
        "jimbo rollout    errors 1 (it's broken)",
    ]
    (row,) = run(
        "telemetry", "tail", kept, "--once", "-n", "1", "--json", "--table", "game_metrics"
    ).output.splitlines()
    assert json.loads(row)["outcome"] == "won"


def test_tail_follows_into_the_next_day(tmp_path: Path) -> None:
    write(tmp_path / "2026-11-19.jsonl", [metric(0, "first", 1)])
    command = [*JIMBO, "telemetry", "tail", str(tmp_path), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert json.loads(process.stdout.readline())["name"] == "first"
        with (tmp_path / "2026-11-19.jsonl").open("a") as file:
            file.write('{"table":"metrics","timestamp":1,"na')
            file.flush()
            time.sleep(0.5)
            file.write('me":"second","value":1}\n')
        assert json.loads(process.stdout.readline())["name"] == "second"
        write(tmp_path / "2026-11-20.jsonl", [metric(0, "third", 1)])
        assert json.loads(process.stdout.readline())["name"] == "third"
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130


def test_rows_cannot_write_on_the_terminal(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", [metric(0, "\x1b[2Jx\ny", 1, note="[red]z[/red]")])
    output = run("telemetry", "tail", str(tmp_path / "a.jsonl"), "--once").output
    assert "\x1b[2J" not in output
    assert "[red]z[/red]" in output
    assert output.count("\n") == 1
    assert "\x1b[2J" not in run("telemetry", "query", str(tmp_path / "a.jsonl"), "--sql", "FROM metrics").output


def test_questions(kept: str) -> None:
    output = run("telemetry", "query", kept).output
    assert output.startswith("Rows: game_metrics 4, joker_synergies 2, decision_points 80, economic_flow 3, metrics 7.")
    assert "decision-latency" in output
    shown = run("telemetry", "query", kept, "jokers").output
    assert "j_a+j_b" in shown
    answer = json.loads(run("telemetry", "query", kept, "games", "--every", "1d", "--json").output)
    assert answer["rows"] == [
        {
            "timestamp": "2026-11-19T00:00:00+00:00",
            "agent": "fast",
            "stake": "stake_white",
            "games": 3,
            "win_rate": pytest.approx(2 / 3),
            "mean_ante": pytest.approx(20 / 3),
        }
    ]
    text = run("telemetry", "query", kept, "games", "--questdb", "--every", "1d").output
    assert text.strip().endswith("SAMPLE BY 1d")
    counted = run("telemetry", "query", kept, "--sql", "SELECT count(*) AS n FROM metrics", "--json").output
    assert json.loads(counted)["rows"] == [{"n": 7}]
    assert run("telemetry", "query", kept, "games", "--hours", "0.001").output == "No rows.\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["query", "KEPT", "game"], 'There is no question "game". Did you mean games?'),
        (["query", "KEPT", "games", "--every", "2m"], '"2m" is not a length of time.'),
        (["query", "KEPT", "games", "--sql", "SELECT 1"], "--sql asks something of your own"),
        (["query", "KEPT", "--sql", "SELECT x"], "DuckDB does not understand that: "),
        (["query", "KEPT", "--questdb"], "--questdb wants a QUESTION: "),
        (["query", "none.jsonl"], "There is no file or folder none.jsonl."),
        (["tail", "none", "--once"], "There is no file or folder none."),
        (["tail", "KEPT", "--table", "x"], 'There is no table "x".'),
        (["rollup", "KEPT"], "is not a folder."),
        (["alerts", "KEPT", "--p95-ms", "-1"], "p95_ms must be a number from 0 to"),
        (["alerts", "KEPT", "--post", "x"], '"x" is not a place for telemetry.'),
        (["alerts", "KEPT", "--post", "prometheus://127.0.0.1"], "nothing can be sent to"),
    ],
)
def test_bad_input_gets_a_sentence(kept: str, words: list[str], sentence: str) -> None:
    result = run("telemetry", *(kept if word == "KEPT" else word for word in words), code=2)
    assert sentence in result.stderr


def test_rolling_up(tmp_path: Path) -> None:
    write(tmp_path / "2026-01-19.jsonl", small_archive())
    output = run("telemetry", "rollup", str(tmp_path)).output
    assert output.startswith("2026-01-19: 96 rows rolled up, 0.0 MB became 0.0 MB.")
    assert run("telemetry", "rollup", str(tmp_path)).output == "Nothing to roll up: no day is older than 7 days.\n"
    assert "daily" in run("telemetry", "query", str(tmp_path)).output


def test_alerts_are_printed_and_end_with_1_and_can_be_posted(tmp_path: Path) -> None:
    path = str(write(tmp_path / "a.jsonl", [decision(second, 900.0) for second in range(60)]))
    sentence = "jimbo rollout, agent fast: 5 in 100 decisions take more than 900 ms; the limit is 200 ms"
    with served() as found:
        result = run("telemetry", "alerts", path, "--post", found.url, code=1)
        assert result.output == f"p95: {sentence}.\n"
        awaited(lambda: found.health()["events_processed"] == 1)
    result = run("telemetry", "alerts", path, "--json", code=1)
    (alert,) = json.loads(result.output)["alerts"]
    assert (alert["rule"], alert["message"]) == ("p95", sentence)
    assert "All rules hold." in run("telemetry", "alerts", path, "--p95-ms", "1000").output
    (tmp_path / "rules.yaml").write_text("p95_ms: 1000\n")
    run("telemetry", "alerts", path, "--config", str(tmp_path / "rules.yaml"))
    result = run("telemetry", "alerts", path, "--post", "ws://127.0.0.1:9", code=1)
    assert "1 of 1 events did not reach ws://127.0.0.1:9. Connection refused." in result.stderr
