"""``jimbo bench``. How fast it is, no test asks."""

import functools
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from jimbo.cli import bench as cli
from jimbo.cli.main import app
from jimbo.engine import bench

# Change it when a change of the rules is meant, to what `jimbo bench --json` then prints as "signature". If no rule was
# to change, the change is wrong.
SIGNATURE = "a48666fd4af2951d"

RATES = ("decisions_per_s", "runs_per_s", "clones_per_s", "scores_per_s", "best_hand_per_s", "draw_ns")


@pytest.fixture(autouse=True)
def _little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "measure", functools.partial(bench.measure, work=0.001))


def run(*options: str) -> dict[str, Any]:
    result = CliRunner().invoke(app, ["bench", "engine", "--json", *options])
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert isinstance(report, dict)
    return report


def test_json() -> None:
    report = run("--threads", "3")
    for key in RATES:
        assert report[key] > 0
        assert report["cpu"][key] > 0
    assert report["thread_speedup"] > 0
    assert report["threads"] == 3
    assert report["repeats"] >= 5
    assert report["state_bytes"] <= 8192
    assert report["machine"].keys() == {"cpu", "cores", "load"}
    assert report["version"] == cli.__version__
    assert "commit" in report


def test_signature() -> None:
    assert bench.signature() == bench.signature() == run()["signature"] == SIGNATURE


def test_work_is_the_same_each_time() -> None:
    for figure in bench.FIGURES:
        assert figure.time(20).checksum == figure.time(20).checksum


def test_table() -> None:
    result = CliRunner().invoke(app, ["bench"])
    assert result.exit_code == 0
    assert "decisions of random play" in result.stdout
    assert SIGNATURE in result.stdout


@pytest.mark.parametrize("words", [("--model", "default"), ("model",)])
def test_a_network(words: tuple[str, ...]) -> None:
    pytest.importorskip("onnxruntime")
    result = CliRunner().invoke(app, ["bench", *words, "--json"])
    assert result.exit_code == 0, result.output
    measured = json.loads(result.stdout)
    assert measured["model"].endswith("default.onnx")
    assert measured["one_ms"] * measured["batch_per_s"] > 0


def test_the_environments(monkeypatch: pytest.MonkeyPatch) -> None:
    speed = pytest.importorskip("jimbo.env.speed")
    monkeypatch.setattr(speed, "measured", lambda: iter([("one environment", 1234.6)]))
    assert json.loads(CliRunner().invoke(app, ["bench", "env", "--json"]).stdout) == {"one environment": 1235}
    assert CliRunner().invoke(app, ["bench", "env"]).stdout.split() == ["one", "environment", "1,235", "steps/s"]


def test_record(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    history = tmp_path / "history.jsonl"
    monkeypatch.setattr(cli, "HISTORY", history)
    reports = [run("--record"), run("--record")]
    lines = [json.loads(line) for line in history.read_text().splitlines()]
    assert [line.pop("date")[:2] for line in lines] == ["20", "20"]
    assert lines == reports


def test_record_needs_a_checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cli, "HISTORY", tmp_path / "none" / "history.jsonl")
    result = CliRunner().invoke(app, ["bench", "--record"])
    assert result.exit_code == 2
    assert "needs a checkout" in result.stderr
