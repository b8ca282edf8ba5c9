"""``jimbo train bc | pv | dagger | distill`` as people use them."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

pytest.importorskip("torch")
from jimbo.cli.main import app
from jimbo.data.samples import read_samples
from jimbo.models.runtime import load_policy
from jimbo.rollout.runner import RolloutPlan, roll_out

OPTIONS = {"effort": 0.01, "joker_order": False}
QUICK = ("--size", "tiny", "--epochs", "1", "--device", "cpu")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the same games as lines and as columns."""
    folder = tmp_path_factory.mktemp("recorded")
    for form in ("parquet", "jsonl"):
        plan = RolloutPlan(agent="expert", games=12, format=form, options=OPTIONS, seed_prefix="TESTS")
        assert roll_out(plan, folder / f"games.{form}").played == 12
    return folder


@pytest.fixture(scope="module")
def trained(recorded: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("trained") / "pv"
    result = CliRunner().invoke(
        app, ["train", "pv", "--data", str(recorded / "games.parquet"), *QUICK, "--out-dir", str(out), "--json"]
    )
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["out_dir"] == str(out)
    assert told["best"]["epoch"] == 1
    assert "best.onnx plays" in result.stderr
    return out


def refused(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["train", *arguments])
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    return " ".join(result.stderr.split())


def test_a_batch_larger_than_the_data_is_refused(recorded: Path, tmp_path: Path) -> None:
    told = refused(
        "bc", "--data", str(recorded / "games.parquet"), "--batch-size", "1000000", "--out-dir", str(tmp_path)
    )
    assert "batch_size is 1,000,000, but there are only " in told
    assert not list(tmp_path.iterdir())


def test_a_training_leaves_a_network_that_plays(trained: Path) -> None:
    result = CliRunner().invoke(app, ["eval", "--model", str(trained), "--episodes", "2", "--workers", "1", "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["errors"] == 0


@pytest.mark.parametrize(
    ("named", "played"), [("last.pt", "last.onnx"), ("last", "last.onnx"), ("best.pt", "best.onnx")]
)
def test_each_epoch_plays_and_is_named(trained: Path, named: str, played: str) -> None:
    arguments = ["eval", "--model", str(trained / named), "--episodes", "1", "--workers", "1", "--json"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["options"] == {"model": str(trained / played)}
    assert f"networks play as .onnx files, so {trained / played} is used." in result.stderr


def test_a_training_that_has_ended_says_the_same_again(trained: Path, recorded: Path, tmp_path: Path) -> None:
    out = tmp_path / "again"
    shutil.copytree(trained, out)
    before = (out / "best.safetensors").read_bytes()
    arguments = ["train", "pv", "--data", str(recorded / "games.parquet"), *QUICK, "--out-dir", str(out)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert "agrees with the recorded choice" in result.stdout
    assert "log loss of P(win)" in result.stdout
    assert (out / "best.safetensors").read_bytes() == before


def test_lines_and_columns_hold_the_same_decisions(recorded: Path) -> None:
    lines, columns = (read_samples([recorded / f"games.{form}"]) for form in ("jsonl", "parquet"))
    assert lines.observations.tobytes() == columns.observations.tobytes()
    assert (lines.candidate_ids == columns.candidate_ids).all()
    assert (lines.candidate_rows == columns.candidate_rows).all()
    assert (lines.chosen == columns.chosen).all()
    assert np.array_equal(lines.values, columns.values, equal_nan=True)


def test_bad_data_get_a_sentence(recorded: Path, trained: Path, tmp_path: Path) -> None:
    out = ("--out-dir", str(tmp_path / "out"))
    assert "none.parquet" in refused("bc", "--data", str(tmp_path / "none.parquet"), *out)
    text = tmp_path / "games.txt"
    text.write_text("hello")
    assert "ends neither in .jsonl nor in .parquet" in refused("bc", "--data", str(text), *out)
    cut = tmp_path / "cut.parquet"
    cut.write_bytes((recorded / "games.parquet").read_bytes()[:5000])
    assert str(cut) in refused("bc", "--data", str(cut), *out)
    lines = (recorded / "games.jsonl").read_text().splitlines()
    broken = tmp_path / "broken.jsonl"
    broken.write_text("\n".join([*lines[:3], lines[3][:40], *lines[4:]]) + "\n")
    assert f"{broken}, line 4" in refused("bc", "--data", str(broken), *out)
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    assert str(empty) in refused("bc", "--data", str(empty), *out)
    assert not (tmp_path / "out").exists()


def test_other_settings_get_a_sentence(recorded: Path, trained: Path) -> None:
    data = ("--data", str(recorded / "games.parquet"))
    told = refused("pv", *data, *QUICK, "--out-dir", str(trained), "--lr", "0.1")
    assert "holds a training with other settings or data (lr: 0.002, not 0.1)" in told
    assert 'There is no size "huge"' in refused("bc", *data, "--size", "huge", "--out-dir", str(trained.parent / "x"))
    assert 'There is no device "tpu"' in refused("bc", *data, "--device", "tpu", "--out-dir", str(trained.parent / "x"))
    assert "lr must be" in refused("bc", *data, "--lr", "-1", "--out-dir", str(trained.parent / "x"))
    assert "holds other files" in refused("bc", *data, *QUICK, "--out-dir", str(recorded))


def test_what_is_refused_leaves_no_folder(recorded: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    data = ("--data", str(recorded / "games.parquet"))
    assert 'There is no size "huge"' in refused("bc", *data, "--size", "huge", "--out-dir", str(out))
    few = RolloutPlan(agent="random", games=1, format="parquet")
    roll_out(few, tmp_path / "few.parquet")
    for method in ("bc", "dagger", "distill"):
        told = refused(method, "--data", str(tmp_path / "few.parquet"), *QUICK, "--out-dir", str(out))
        assert "The data hold no game for validation" in told
    assert not out.exists()


def test_no_game_is_learnt_from_twice_or_judged_by_too(recorded: Path, tmp_path: Path) -> None:
    path, out = str(recorded / "games.parquet"), ("--out-dir", str(tmp_path / "out"))
    again = str(recorded / ".." / recorded.name / "games.parquet")
    assert f"{again} is named twice" in refused("bc", "--data", path, "--data", again, *QUICK, *out)
    assert f"{path} is named twice" in refused("pv", "--data", path, "--val", path, *QUICK, *out)
    assert not (tmp_path / "out").exists()


def test_dagger_does_not_write_into_another_training(recorded: Path, trained: Path) -> None:
    before = {path: path.read_bytes() for path in trained.rglob("*") if path.is_file()}
    told = refused("dagger", "--data", str(recorded / "games.parquet"), *QUICK, "--out-dir", str(trained))
    assert 'with other settings or data (method: "pv", not "dagger"; plan)' in told
    assert {path: path.read_bytes() for path in trained.rglob("*") if path.is_file()} == before


def test_a_network_that_cannot_be_exported_gets_a_sentence(
    recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jimbo.models.export.TOLERANCE", -1.0)
    told = refused("bc", "--data", str(recorded / "games.parquet"), *QUICK, "--out-dir", str(tmp_path / "out"))
    assert "best.onnx was not written: the exported network differs by" in told


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_gets_a_sentence(recorded: Path, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert "cannot be used" in refused(
        "bc", "--data", str(recorded / "games.parquet"), *QUICK, "--out-dir", str(tmp_path / "out")
    )


@pytest.mark.slow
def test_a_student_plays_and_is_corrected(recorded: Path, tmp_path: Path) -> None:
    out = tmp_path / "dagger"
    arguments = ["train", "dagger", "--data", str(recorded / "games.parquet"), *QUICK, "--out-dir", str(out)]
    arguments += ["--rounds", "1", "--games", "3", "--effort", "0.01", "--option", "joker_order=false"]
    arguments += ["--eval-games", "2", "--workers", "1", "--json"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert [one["name"] for one in told["games"]] == ["round 0", "round 1"]
    assert told["games"][1]["against_first"]["games"] == 2
    corrected = read_samples([out / "round_1.parquet"])
    assert len(corrected.played) == 3
    assert {game.result for game in corrected.played} == {"open"}
    assert (corrected.chosen >= 0).mean() > 0.9
    assert load_policy(out).card["data"]["games"] == 15
    copied = {f"{name}.{suffix}" for name in ("best", "last") for suffix in ("safetensors", "json", "onnx")}
    for name in copied | {"train_metrics.json", "training.png"}:
        assert (out / name).read_bytes() == (out / "round_1" / name).read_bytes()
    config = json.loads((out / "config.json").read_text())
    assert (config["settings"]["method"], config["plan"]["rounds"], config["data"]["games"]) == ("dagger", 1, 12)
    other = "holds a training with other settings or data (plan.games: 3, not 4"
    assert other in refused(*[word if word != "3" else "4" for word in arguments[1:]])


@pytest.mark.slow
def test_a_small_network_learns_from_another(recorded: Path, trained: Path, tmp_path: Path) -> None:
    out = tmp_path / "student"
    arguments = ["train", "distill", "--data", str(recorded / "games.jsonl"), "--teacher", str(trained), *QUICK]
    result = CliRunner().invoke(app, [*arguments, "--out-dir", str(out), "--eval-games", "2", "--workers", "1"])
    assert result.exit_code == 0, result.output
    assert "Games played on the same 2 seeds" in result.stdout
    assert list(load_policy(out).card["data"]["teachers"].values()) == [load_policy(trained).hash]
