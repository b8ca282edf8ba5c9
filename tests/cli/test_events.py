"""``jimbo events``, ``--events`` of other commands, and the doors of JimBot's names."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from jimbo.cli.main import app
from serve.balatrobot.running import called
from serve.events.running import Served, event, served

JIMBO = [sys.executable, "-m", "jimbo"]


def done(*command: str, code: int = 0, **more: Any) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **more.pop("env", {})}
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=environment, **more)
    assert ended.returncode == code, ended.stderr
    return ended


def jimbo(*words: str, code: int = 0, **more: Any) -> subprocess.CompletedProcess[str]:
    return done(*JIMBO, *words, code=code, **more)


def kept(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


# --- jimbo events -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_it_is_stopped_and_hands_on_what_it_has(tmp_path: Path, end: signal.Signals) -> None:
    keep = tmp_path / "events.jsonl"
    command = [*JIMBO, "events", "serve", "--port", "0", "--keep", str(keep), "--batch-window-ms", "60000", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        told = json.loads(process.stdout.readline())
        found = Served(process, told["url"], told["http"])
        found.until(lambda _: True)
        with found.client() as client:
            client.send(event(note="é"))
            found.until(lambda health: health["queue_size"] == 1)
            process.send_signal(end)
            output, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (0, "")
    assert json.loads(output)["events_processed"] == 1
    assert [one["data"] for one in kept(keep)] == [{"note": "é"}]


def test_what_it_says_when_it_starts() -> None:
    command = [*JIMBO, "events", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline().startswith("Events are taken at ws://127.0.0.1:")
        assert process.stdout.readline() == "Watch them: jimbo events watch. Ctrl-C ends it.\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=20)
    assert (process.returncode, output, errors) == (0, "0 events handed on, 0 dropped, 0 refused.\n", "")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--port", "99999"], "port must be a whole number from 0 to 65,535, not 99999."),
        (["--max-queue-size", "0"], "max_queue_size must be a whole number from 1 to 1,000,000, not 0."),
        (["--log-level", "loud"], "log_level must be one of debug, info, warning, error, critical"),
        (["--keep", "no/such/folder/events.jsonl"], "no/such/folder"),
        (["--host", "256.1.1.1", "--port", "0"], "cannot be opened"),
    ],
)
def test_bad_options_end_it_with_a_sentence(words: list[str], sentence: str) -> None:
    ended = jimbo("events", "serve", *words, code=2)
    assert ended.stderr.startswith("jimbo: ")
    assert sentence in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_a_port_that_is_taken() -> None:
    with served() as found:
        ended = jimbo("events", "serve", "--port", str(found.port), code=2)
    assert ended.stderr == (
        f"jimbo: Port {found.port} of 127.0.0.1 is in use. Choose another with --port, or stop what uses it.\n"
    )


def test_settings_come_from_the_environment() -> None:
    environment = {"MCP_PORT": "0", "MCP_MAX_QUEUE_SIZE": "nothing"}
    ended = jimbo("events", "serve", code=2, env=environment)
    assert ended.stderr == 'jimbo: max_queue_size must be a whole number from 1 to 1,000,000, not "nothing".\n'


def test_other_machines_need_a_token() -> None:
    command = [*JIMBO, "events", "serve", "--port", "0", "--host", "0.0.0.0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        told = json.loads(process.stdout.readline())
        found = Served(process, told["url"], told["http"].replace("0.0.0.0", "127.0.0.1"))
        time.sleep(1.0)
        assert found.post("/api/v1/events", event())[0] == 401
        token = {"Authorization": f"Bearer {told['token']}"}
        assert found.post("/api/v1/events", event(), **token)[0] == 200
        process.terminate()
        process.communicate(timeout=20)


def test_test_and_mock_and_watch(tmp_path: Path) -> None:
    with served("--per-minute", "120") as found:
        ended = jimbo("events", "test", found.url)
        assert f"{found.url} answers within " in ended.stdout
        assert json.loads(jimbo("events", "test", found.http, "--json").stdout)["status"] == "healthy"
        ended = jimbo("events", "mock", found.url, "--rate", "100", "--duration", "2", "--json")
        told = json.loads(ended.stdout)
        assert told["sent"] >= 195
        assert told["sent"] - told["dropped"] == 120
        assert "120 events a minute are allowed" in ended.stderr
        found.until(lambda health: health["events_processed"] == 120)
        watch = [*JIMBO, "events", "watch", found.url, "--recent", "1000", "--all"]
        with subprocess.Popen(watch, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert process.stdout
            lines = [process.stdout.readline() for _ in range(120)]
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (130, "")
    assert "New run: Red Deck, White Stake, seed " in lines[0]
    assert any("score at least 300" in line for line in lines)
    assert any("Decision 2: " in line for line in lines)


@pytest.mark.parametrize("verb", ["test", "mock", "watch"])
def test_where_nobody_answers(verb: str) -> None:
    ended = jimbo("events", verb, "ws://127.0.0.1:9/events", code=1)
    assert ended.stderr.endswith(
        "No event aggregator answers at ws://127.0.0.1:9/events: Connection refused. Start one: jimbo events serve.\n"
    )
    ended = jimbo("events", verb, "somewhere", code=2)
    assert '"somewhere" is not an address of an event aggregator.' in ended.stderr


def test_a_watcher_is_told_when_the_aggregator_ends() -> None:
    with served() as found:
        watch = [*JIMBO, "events", "watch", found.url]
        process = subprocess.Popen(watch, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + 20
        while not found.metrics()["mcp_stream_watchers"]:
            assert time.monotonic() < end
            time.sleep(0.05)
        began = time.monotonic()
    assert time.monotonic() - began < 10
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 1
    assert errors == f"jimbo: The event aggregator at {found.url} has ended.\n"


# --- JimBot's names ---------------------------------------------------------------------------------------------------


def test_the_doors_by_jimbots_names() -> None:
    command = [sys.executable, "-m", "jimbo.mcp.server", "--host", "127.0.0.1", "--port", "0", "--log-level", "WARNING"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        url = process.stdout.readline().split()[4]
        assert url.startswith("ws://127.0.0.1:")
        client = [sys.executable, "-m", "jimbo.mcp.client", "--url", url]
        time.sleep(0.5)
        assert "answers within" in done(*client, "--test-connection").stdout
        ended = done(*client, "--mock-events", "--rate", "50", "--duration", "1")
        assert ended.stdout.endswith(" events sent, 0 dropped, 0 refused.\n")
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (0, "")
    assert output.endswith(" events handed on, 0 dropped, 0 refused.\n")
    refused = done(sys.executable, "-m", "jimbo.mcp.server", "--port", "eighty", code=2)
    assert refused.stderr == 'jimbo: port must be a whole number from 0 to 65,535, not "eighty".\n'
    assert "choose --test-connection or --mock-events" in done(sys.executable, "-m", "jimbo.mcp.client", code=2).stderr


# --- Other commands as sources ----------------------------------------------------------------------------------------


def test_rollout_and_eval_tell_of_every_game(tmp_path: Path) -> None:
    keep = tmp_path / "events.jsonl"
    with served("--keep", str(keep)) as found:
        out = str(tmp_path / "games.jsonl")
        jimbo("rollout", "--agent", "greedy", "--games", "4", "--workers", "2", "--out", out, "--events", found.url)
        jimbo("eval", "--agent", "greedy", "--games", "3", "--workers", "1", env={"JIMBO_EVENTS": found.http})
    events = kept(keep)
    by = {name: [one for one in events if one["source"] == f"jimbo {name}"] for name in ("rollout", "eval")}
    for name, games in (("rollout", 4), ("eval", 3)):
        kinds = Counter(one["type"] for one in by[name])
        assert kinds["game_start"] == kinds["game_over"] == games
        assert (kinds["monitoring.started"], kinds["monitoring.ended"], kinds["monitoring.skipped"]) == (1, 1, 0)
    assert len({one["session_id"] for one in by["rollout"]}) == 3  # the command, and two that play for it
    seeds = {one["data"]["seed"] for one in by["rollout"] if one["type"] == "game_start"}
    assert seeds == {json.loads(line)["seed"] for line in Path(out).read_text().splitlines() if '"seed"' in line}


def test_a_training_tells_of_its_steps(tmp_path: Path) -> None:
    data, keep = str(tmp_path / "games.parquet"), tmp_path / "events.jsonl"
    jimbo("rollout", "--agent", "greedy", "--games", "20", "--workers", "1", "--out", data)
    with served("--keep", str(keep)) as found:
        options = ["--size", "tiny", "--epochs", "1", "--out", str(tmp_path / "net"), "--events", found.url]
        jimbo("train", "bc", "--data", data, *options)
    events = kept(keep)
    assert {"training.progress", "training.row", "training.note"} <= {one["type"] for one in events}
    (row,) = [one["data"] for one in events if one["type"] == "training.row"]
    assert (row["row"]["epoch"], row["best"]) == (1, True)


def test_an_assistant_tells_of_the_game(tmp_path: Path) -> None:
    keep = tmp_path / "events.jsonl"
    with served("--keep", str(keep)) as found:
        words = ["assist", "--seed", "ALEEB", "--agent", "greedy", "--json", "--events", found.url]
        jimbo(*words, input="accept\naccept\nundo\nq\n")
    events = kept(keep)
    assert [one["type"] for one in events if one["type"] != "strategy.decision"] == [
        "monitoring.started", "game_start", "round_started", "hand_played", "state_snapshot", "game_over",
        "monitoring.ended",
    ]  # fmt: skip
    assert events[-2]["data"]["reason"] == "left"


def test_the_server_of_games_tells_of_them(tmp_path: Path) -> None:
    keep = tmp_path / "events.jsonl"
    with served("--keep", str(keep)) as found:
        command = [*JIMBO, "serve", "balatrobot", "--port", "0", "--json", "--events", found.url]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as process:
            assert process.stdout
            port = int(json.loads(process.stdout.readline())["urls"][0].rpartition(":")[2])
            for name, params in (
                ("start", {"deck": "RED", "stake": "WHITE", "seed": "A"}),
                ("select", {}),
                ("play", {"cards": [0]}),
                ("menu", {}),
            ):
                called(port, name, **params)
            process.terminate()
            process.wait(20)
    events = kept(keep)
    kinds = [one["type"] for one in events if one["type"] not in ("strategy.decision",)]
    assert kinds == [
        "monitoring.started",
        "game_start",
        "round_started",
        "hand_played",
        "game_over",
        "monitoring.ended",
    ]


@pytest.mark.parametrize(
    "words",
    [["rollout", "--out", "x.jsonl"], ["eval"], ["assist"], ["train", "rl", "--out", "x"], ["serve", "balatrobot"]],
)
def test_an_address_that_is_none_is_refused_before_anything_happens(words: list[str], tmp_path: Path) -> None:
    result = CliRunner().invoke(app, [*words, "--events", "tcp://a"])
    assert result.exit_code == 2
    assert result.stderr.startswith('jimbo: "tcp://a" is not an address for events.')


def test_an_aggregator_that_is_killed_and_comes_back_disturbs_nobody(tmp_path: Path) -> None:
    out, keep = tmp_path / "games.jsonl", tmp_path / "events.jsonl"
    with served() as found:
        port = found.port
        words = ["rollout", "--agent", "greedy", "--games", "400", "--workers", "1", "--out", str(out)]
        command = [*JIMBO, *words, "--events", found.url]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        found.until(lambda health: health["events_received"] > 50, 60)
        found.process.kill()
        found.process.wait(20)
    with served("--keep", str(keep), port=port):
        output, errors = process.communicate(timeout=120)
    assert process.returncode == 0
    assert output == f"400 games played: {out}\n"
    assert "events did not reach" in errors or "Traceback" not in errors
    events = kept(keep)
    numbers = [one["sequence"] for one in events]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))  # nothing lost, nothing twice, from here on
    assert events[-1]["type"] == "monitoring.ended"


def test_nobody_there_is_said_once_at_the_end(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    words = ["rollout", "--agent", "greedy", "--games", "2", "--workers", "1", "--out", str(out)]
    ended = jimbo(*words, "--events", "ws://127.0.0.1:9/events")
    assert ended.stdout == f"2 games played: {out}\n"
    said = [line for line in ended.stderr.splitlines() if line.startswith("jimbo: ")]
    assert len(said) == 1
    assert said[0].endswith(" events did not reach ws://127.0.0.1:9/events. Connection refused.")
