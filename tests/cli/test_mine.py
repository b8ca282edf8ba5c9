"""``jimbo mine``, and ``jimbo eval --calibrate``."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

import jimbo.models as jimbo_models
from jimbo.cli.main import app
from jimbo.data.curriculum import read_curriculum
from jimbo.models.chance_maps import read_maps

QUICK = ("--agent", "fast", "--set", "rollouts=4", "--stake", "gold", "--workers", "1")


def jimbo(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "80"})


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("mine") / "played"
    assert jimbo("eval", *QUICK, "--games", "6", "--out", str(folder)).exit_code == 0
    return folder


def mined(*arguments: str) -> Result:
    return jimbo("mine", *arguments, "--effort", "0.1", "--workers", "1")


def test_lost_runs_are_sorted_and_kept(played: Path, tmp_path: Path) -> None:
    out = tmp_path / "mined"
    result = mined(str(played), "--out", str(out))
    assert result.exit_code == 0
    assert "lost runs of 6" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
    data: dict[str, Any] = json.loads((out / "failure_buckets.json").read_text())
    assert sum(bucket["runs"] for bucket in data["buckets"].values()) == 6
    states = [json.loads(line) for line in (out / "states.jsonl").read_text().splitlines()]
    assert len(states) == len(data["failures"]) == 6 - data["buckets"]["win"]["runs"]
    assert all(one["watch"].startswith("jimbo watch --agent fast") for one in states)
    assert {one["bucket"] for one in states} == set(read_curriculum(out / "curriculum.json").buckets)
    assert (out / "report.html").exists()
    assert not (out / "failure_delta_summary.json").exists()


def test_two_evaluations_are_compared(played: Path, tmp_path: Path) -> None:
    out = tmp_path / "mined"
    result = mined(str(played), "--vs", str(played), "--out", str(out), "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["schema"] == "jimbo_failures_v1"
    changes = json.loads((out / "failure_delta_summary.json").read_text())
    assert all(change["delta"] == 0 for change in changes.values())


def test_the_hands_of_a_network_are_looked_at_by_the_expert(tmp_path: Path) -> None:
    """Its option model is not the value that the expert decides by."""
    pytest.importorskip("onnxruntime")
    network, folder = Path(jimbo_models.__file__).with_name("default.onnx"), tmp_path / "played"
    assert jimbo("eval", "--model", str(network), "--games", "2", "--workers", "1", "--out", str(folder)).exit_code == 0
    result = mined(str(folder), "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["not_repeated"] == 0


def test_a_folder_that_is_no_evaluation_is_refused(played: Path, tmp_path: Path) -> None:
    assert "is not the folder of an evaluation" in mined(str(tmp_path)).stderr
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    result = mined(str(played), "--out", str(tmp_path))
    assert result.exit_code != 0
    assert (tmp_path / "mine.txt").read_text(encoding="utf-8") == "mine"


def test_chances_are_calibrated_and_played_by(tmp_path: Path) -> None:
    out, maps = tmp_path / "gold", tmp_path / "maps.json"
    calibrate = ("--calibrate", "--maps", str(maps), "--out", str(out))
    result = jimbo("eval", *QUICK, "--games", "6", *calibrate)
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert "Calibration of P(win)" in result.stdout
    assert "Calibration of P(clear)" in result.stdout
    assert [(found.agent, found.stake) for found in read_maps(maps).maps] == [("fast", "stake_gold")]
    summary = json.loads((out / "calibration_summary.json").read_text())
    assert summary["options"] == {"rollouts": 4, "calibration": "none"}
    assert set(summary["calibration"]) == {"win", "clear"}
    assert jimbo("eval", *QUICK, "--games", "1", "--set", f"calibration={maps}").exit_code == 0
    before = maps.read_text()
    assert jimbo("eval", *QUICK, "--games", "6", *calibrate).exit_code == 0
    assert maps.read_text() == before


def test_maps_change_what_is_said_and_not_what_is_done(tmp_path: Path) -> None:
    maps = tmp_path / "maps.json"
    jimbo("eval", *QUICK, "--games", "6", "--calibrate", "--maps", str(maps))
    said = []
    for name in ("none", str(maps)):
        watched = jimbo("watch", *QUICK[:-2], "--seed", "SAME", "--set", f"calibration={name}", "--json")
        lines = [json.loads(line) for line in watched.stdout.splitlines()]
        said.append([line for line in lines if "action" in line])
    assert [line["action"] for line in said[0]] == [line["action"] for line in said[1]]
    assert [line["win"] for line in said[0]] != [line["win"] for line in said[1]]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--calibrate", "--vs", "greedy"), "leave out --vs"),
        (("--calibrate", "--set", "calibration=none"), "sets the option calibration itself"),
        (("--maps", "x.json"), "add that, or leave it out"),
        (("--calibrate", "--maps", "/dev/null/x.json"), "Not a directory"),
        (("--calibrate", "--maps", __file__), "cannot be used"),
        (("--set", "calibration=nowhere.json"), "Make it with jimbo eval --calibrate"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: tuple[str, ...], sentence: str) -> None:
    result = jimbo("eval", *QUICK, "--games", "1", *arguments)
    assert result.exit_code != 0
    assert sentence in " ".join(result.stderr.split())


def test_an_agent_without_chances_cannot_be_calibrated() -> None:
    result = jimbo("eval", "--agent", "random", "--games", "2", "--workers", "1", "--calibrate")
    assert result.exit_code != 0
    assert "reports no chances" in result.stderr


def test_an_agent_that_is_not_here_is_told_once(played: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    shutil.copytree(played, gone)
    for name in ("config.json", "episodes.jsonl"):
        text = (gone / name).read_text().replace('"agent": "fast"', '"agent": "nowhere:Agent"')
        (gone / name).write_text(text, encoding="utf-8")
    result = mined(str(gone))
    assert (result.exit_code, result.stderr.count("nowhere")) == (2, 1), result.stderr
