"""Trainings on the page: what is found, rows as they come, stats.json with its tag, damaged files."""

import json
import os
import time
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from jimbo.az.stats import MatchRecord, Stats
from jimbo.cli.main import app as command
from jimbo.pace import PACE
from jimbo.run_folder import LOCK, RunFolder, is_held, locked
from jimbo.serve.web.readings import read_run
from jimbo.serve.web.trainings import find_runs
from jimbo.train.core.log import LOG
from jimbo.train.core.state import METRICS, SCHEMA
from serve.web.serving import Stream, serving, settings_for

WATCHERS = 20


def training(folder: Path, epochs: int = 2, planned: int = 4) -> Path:
    """A folder as a training of networks writes it."""
    with RunFolder(folder, schema=SCHEMA, writer="training") as out:
        out.begin({"settings": {"method": "pv", "size": "tiny", "epochs": planned, "lr": 0.001}})
        rows(out, epochs)
    return folder


def rows(out: RunFolder, epochs: int) -> None:
    history = [{"epoch": n, "train": {"loss": 3.0 / n}, "val": {"top1": 0.1 * n}} for n in range(1, epochs + 1)]
    out.write_json(METRICS, {"best_epoch": epochs, "epochs": history})


def paced(folder: Path, *games: int, memory: float = 200.0) -> None:
    """The pace of a run, a line every ten seconds."""
    lines = [
        {"began": 100, "at": 100 + 10 * n, "memory_mb": memory + n, "done": {"games": count, "steps": 20 * count}}
        for n, count in enumerate(games)
    ]
    (folder / PACE).write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def loop(folder: Path, steps: int = 30) -> Stats:
    stats = Stats(env_id="tictactoe", total_steps=100)
    for step in range(10, steps + 1, 10):
        losses = {"total_loss": 2.0 / step, "policy_loss": 1.0 / step, "value_loss": 1.0 / step}
        stats.step = step
        stats.learnt(step, losses, 0.001)
    stats.evaluated(MatchRecord(steps, 0.6, 0.1, 0.3, 10, 6.0, 1, "random", optimal_moves=0.7))
    row = {"iteration": 0, "step": steps, "episodes": 250, "seconds": 4.0, "promoted": False}
    stats.iterations = [row, {**row, "iteration": 1, "seconds": 9.0, "promoted": True}]
    stats.write(folder / "stats.json")
    return stats


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    settings_for(tmp_path)
    return tmp_path / "runs"


def listed(client: TestClient) -> dict[str, Any]:
    return {run["id"]: run for run in client.get("/api/trainings").json()["runs"]}


def test_what_is_below_the_folder_is_found(client: TestClient, runs: Path) -> None:
    training(runs / "pv")
    loop(runs / "deep" / "er" / "loop")
    for line in (
        ["eval", "--agent", "greedy", "--games", "12", "--out", str(runs / "eval"), "--json"],
        ["rollout", "--agent", "greedy", "--games", "2", "--out", str(runs / "games.jsonl")],
    ):
        assert CliRunner().invoke(command, line).exit_code == 0
    found = listed(client)
    assert {id: run["kind"] for id, run in found.items()} == {
        "pv": "training",
        "deep/er/loop": "self-play",
        "eval": "evaluation",
        "games.jsonl": "rollout",
    }
    assert (found["pv"]["done"], found["pv"]["result"], found["pv"]["x"]) == (0.5, "best epoch 2", "epoch")
    assert (found["eval"]["done"], found["eval"]["rows"]) == (1.0, 12)
    assert found["eval"]["result"].startswith("won 0.0 % (0.0 to ")
    facts = {fact["name"]: fact["value"] for fact in found["deep/er/loop"]["facts"]}
    assert facts["games per hour"] == "200,000"
    assert not any(run["trouble"] for run in found.values())


def test_rows_are_the_numbers_of_the_files(client: TestClient, runs: Path) -> None:
    training(runs / "pv", 3)
    loop(runs / "loop")
    told = client.get("/api/trainings/rows", params={"run": "pv"}).json()["rows"]
    assert told[1] == {"x": 2, "train/loss": 1.5, "val/top1": 0.2}
    told = client.get("/api/trainings/rows", params={"run": "loop"}).json()["rows"]
    assert [row["x"] for row in told] == [10, 20, 30]
    assert told[-1]["against random/win_rate"] == 0.6
    assert told[-1]["against random/win_rate/low"] == pytest.approx(0.3127, abs=1e-4)


def test_speed_and_memory_of_every_kind(client: TestClient, runs: Path) -> None:
    training(runs / "pv")
    paced(runs / "pv", 0, 5, 15)
    loop(runs / "loop")
    paced(runs / "loop", 0, 20)
    for line in (
        ["eval", "--agent", "greedy", "--games", "12", "--out", str(runs / "eval"), "--json"],
        ["rollout", "--agent", "greedy", "--games", "2", "--out", str(runs / "games.jsonl")],
    ):
        assert CliRunner().invoke(command, line).exit_code == 0
    found = listed(client)
    assert found["pv"]["speed"] == "2,700 games per hour, 15 steps per second"
    assert found["pv"]["memory"] == "202 MB"
    assert found["loop"]["speed"] == "7,200 games per hour, 40 steps per second"
    for id in ("eval", "games.jsonl"):
        assert "games per hour" in found[id]["speed"]
        assert "decisions per second" in found[id]["speed"]
        assert found[id]["memory"].endswith(" MB")
        assert found[id]["done"] == 1.0
    told = client.get("/api/trainings/rows", params={"run": "pv"}).json()["pace"]
    assert told[1:] == [
        {"x": pytest.approx(1 / 6), "memory (MB)": 201.0, "games per hour": 1800, "steps per second": 10},
        {"x": pytest.approx(2 / 6), "memory (MB)": 202.0, "games per hour": 3600, "steps per second": 20},
    ]
    text = client.get("/api/trainings/csv", params={"run": "pv", "table": "pace"}).text
    assert text.startswith("run,minutes,memory (MB),")
    assert len(text.splitlines()) == 4


def test_strength_by_judged_games(client: TestClient, runs: Path) -> None:
    with RunFolder(runs / "rl", schema=SCHEMA, writer="training") as out:
        out.begin({"settings": {"method": "rl", "updates": 4}})
        judged = {"games": 200, "win_rate": 0.1, "mean_ante": 4.5}
        history = [
            {"update": 1, "judged": {**judged, "win_rate": 0.2}},
            {"update": 2, "kl": 0.1},
            {"update": 3, "judged": judged},
        ]
        out.write_json("rl_train_summary.json", {"best_update": 1, "updates": history})
    loop(runs / "loop")
    found = listed(client)
    newest, best = found["rl"]["strength"]
    assert (newest["what"], newest["text"], newest["ante"]) == ("newest: update 3", "10.0 % (6.6 to 14.9)", "4.50")
    assert (best["what"], best["games"]) == ("best: update 1", 200)
    (random,) = found["loop"]["strength"]
    assert (random["what"], random["text"]) == ("against random: step 30", "60.0 % (31.3 to 83.2)")
    row = client.get("/api/trainings/rows", params={"run": "rl"}).json()["rows"][0]
    assert row["judged/win_rate/low"] < 0.2 < row["judged/win_rate/high"]


def test_a_training_of_another_framework(client: TestClient, runs: Path) -> None:
    (runs / "ray").mkdir()
    (runs / "ray" / "config.json").write_text(
        '{"schema": "x", "settings": {"algorithm": "PPO", "total_timesteps": 400, "eval_episodes": 50}}'
    )
    rows = [
        {"kind": "iteration", "iteration": 1, "timesteps_total": 100, "total_fps": 50.0, "memory_gb": 1.5},
        {
            "kind": "evaluation",
            "iteration": 1,
            "timesteps_total": 100,
            "episodes": 40,
            "win_rate": 0.25,
            "mean_ante": 3.0,
        },
        {"timesteps": 200, "seconds": 3.0, "win_rate": 0.5, "mean_ante": 4.0},
    ]
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    (runs / "ray" / LOG).write_text(f"{text}half a li")
    found = listed(client)["ray"]
    assert (found["kind"], found["title"], found["done"], found["trouble"]) == ("training", "PPO", 0.5, "")
    told = client.get("/api/trainings/rows", params={"run": "ray"}).json()["rows"]
    assert [row["x"] for row in told] == [100, 200]
    assert (told[0]["total_fps"], told[0]["judged/win_rate"]) == (50.0, 0.25)
    assert [(one["what"], one["text"]) for one in found["strength"]] == [
        ("newest: timestep 200", "50.0 % (36.6 to 63.4)")
    ]
    summary = {"algorithm": "PPO", "save_path": str(runs / "ray"), "history": rows[2:]}
    (runs / "ray" / "sb3_train_summary.json").write_text(json.dumps(summary))
    (ended,) = map(read_run, find_runs(runs))
    assert (ended.x, ended.rows[0]["judged/win_rate"]) == ("timesteps", 0.5)
    assert {"name": "save_path", "value": "ray"} in ended.facts  # no folder of this machine
    assert ended.strength == found["strength"]


def test_a_run_that_is_written_to_is_running(client: TestClient, runs: Path) -> None:
    training(runs / "pv")
    if is_held(runs / "pv" / LOCK) is None:
        pytest.skip("this system does not tell who holds a lock")
    assert not listed(client)["pv"]["running"]
    with locked(runs / "pv", "training"):
        assert listed(client)["pv"]["running"]


def test_stats_json_is_polled_with_its_tag(client: TestClient, runs: Path) -> None:
    assert client.get("/stats.json").status_code == 404
    stats = loop(runs / "loop")
    first = client.get("/stats.json")
    assert first.content == (runs / "loop" / "stats.json").read_bytes()
    assert {"step", "total_loss", "policy_loss", "value_loss", "learning_rate", "timestamp"} <= first.json().keys()
    tag = first.headers["etag"]
    again = client.get("/stats.json", headers={"if-none-match": tag})
    assert (again.status_code, again.content) == (304, b"")
    stats.step += 10
    stats.write(runs / "loop" / "stats.json")
    third = client.get("/stats.json", headers={"if-none-match": f'"other", W/{tag}'})
    assert (third.status_code, third.json()["step"]) == (200, 40)
    assert client.get("/stats.json", params={"run": "loop"}).json()["step"] == 40


def test_the_table_of_several_runs(client: TestClient, runs: Path) -> None:
    training(runs / "=bad", 1)
    training(runs / "b", 2)
    text = client.get("/api/trainings/csv", params={"run": ["=bad", "b"]}).text
    assert text.splitlines()[:2] == ["run,x,train/loss,val/top1", "'=bad,1,3.0,0.1"]
    assert len(text.splitlines()) == 4
    assert client.get("/api/trainings/csv").status_code == 400


@pytest.mark.parametrize("id", ["..", "../games", "/etc", "no", "", "link", "x" * 5000])
def test_only_what_was_found_is_read(client: TestClient, runs: Path, tmp_path: Path, id: str) -> None:
    training(tmp_path / "outside")
    os.symlink(tmp_path / "outside", runs / "link")
    for path in ("rows", "csv", "events"):
        assert client.get(f"/api/trainings/{path}", params={"run": id}).status_code == 404
    assert client.get("/stats.json", params={"run": id}).status_code == 404


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"history": 7}',
        '{"history": [{}]}',
        '{"epochs": [{"epoch": "x"}]}',
        "[" * 100_000,
        "1e999",
        "\udcff",
    ],
)
@pytest.mark.parametrize("name", ["stats.json", METRICS, "games.jsonl.config.json", "rl_train_summary.json"])
def test_files_that_are_something_else_are_named(client: TestClient, runs: Path, name: str, text: str) -> None:
    (runs / "bad").mkdir()
    (runs / "bad" / name).write_text(text, encoding="utf-8", errors="surrogateescape")
    answer = client.get("/api/trainings")
    assert answer.status_code == 200
    assert str(runs) not in answer.text
    for run in answer.json()["runs"]:
        assert client.get("/api/trainings/rows", params={"run": run["id"]}).status_code == 200


def test_a_folder_of_many_is_searched_within_limits(runs: Path) -> None:
    deep = runs
    for number in range(12):
        deep = deep / f"d{number}"
    training(deep)
    training(runs / ".hidden")
    assert find_runs(runs) == []


def test_a_run_that_goes_away(runs: Path) -> None:
    training(runs / "pv")
    (run,) = find_runs(runs)
    (runs / "pv" / METRICS).unlink()
    assert read_run(run).trouble == "It is no longer there."


# --- As they come -----------------------------------------------------------------------------------------------------


def test_twenty_watchers_lose_no_row(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    folder = training(tmp_path / "runs" / "pv", 1)
    seen: list[list[int]] = [[] for _ in range(WATCHERS)]

    def look(number: int) -> None:
        with Stream(url, "/api/trainings/events?run=pv") as stream:
            while not seen[number] or seen[number][-1] < 5:
                _, _, data = stream.next()
                if data["whole"]:
                    seen[number].clear()
                assert data["from"] == len(seen[number])
                seen[number].extend(row["x"] for row in data["rows"])

    with serving(settings) as url:
        threads = [Thread(target=look, args=(number,), daemon=True) for number in range(WATCHERS)]
        for thread in threads:
            thread.start()
        for epochs in range(2, 6):
            time.sleep(0.3)
            rows(RunFolder(folder), epochs)
        for thread in threads:
            thread.join(15)
    assert seen == [[1, 2, 3, 4, 5]] * WATCHERS


def test_a_watcher_goes_on_where_it_was(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    folder = training(tmp_path / "runs" / "pv", 2)
    with serving(settings) as url:
        with Stream(url, "/api/trainings/events?run=pv") as stream:
            number, name, data = stream.next()
            assert (name, data["whole"], len(data["rows"])) == ("rows", True, 2)
        rows(RunFolder(folder), 3)
        time.sleep(1.2)
        with Stream(url, "/api/trainings/events?run=pv", number) as stream:
            while not (data := stream.next()[2])["rows"]:
                pass
            assert (data["whole"], data["from"], [row["x"] for row in data["rows"]]) == (False, 2, [3])
    with serving(settings) as url, Stream(url, "/api/trainings/events?run=pv", number) as stream:
        assert len(stream.next()[2]["rows"]) == 3  # another server counts anew


def test_rows_that_were_thinned_out_come_anew(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    folder = tmp_path / "runs" / "loop"
    stats = loop(folder)
    with serving(settings) as url, Stream(url, "/api/trainings/events?run=loop") as stream:
        assert len(stream.next()[2]["rows"]) == 3
        stats.history = stats.history[1:]
        stats.write(folder / "stats.json")
        while not (data := stream.next()[2])["whole"]:
            pass
        assert [row["x"] for row in data["rows"]] == [20, 30]


def test_the_server_ends_though_somebody_watches(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    training(tmp_path / "runs" / "pv")
    with serving(settings) as url:
        stream = Stream(url, "/api/trainings/events?run=pv")
        stream.next()
        began = time.monotonic()
    assert time.monotonic() - began < 8
    with pytest.raises((EOFError, OSError)):
        stream.next()


def test_too_many_at_once_are_refused(client: TestClient) -> None:
    assert client.get("/api/trainings/events", params={"run": [f"{n}" for n in range(50)]}).status_code == 400
