"""``jimbo train expert-v1``."""

import json
import shutil
from functools import partial
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from jimbo.agents import make_agent
from jimbo.agents.expert_v1 import load_config
from jimbo.agents.expert_v1.config import OWN_FILE
from jimbo.cli.main import app
from jimbo.train.expert_constants import Plan


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["train", "expert-v1", "--workers", "1", *arguments], env={"COLUMNS": "80"})


@pytest.fixture
def folder(played: Path, plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With all ten games played; they end soon, for the stake is the highest."""
    monkeypatch.setattr("jimbo.cli.train_expert_v1.Plan", partial(Plan, stake=plan.stake))
    shutil.copytree(played, tmp_path / "out")
    return tmp_path / "out"


def ten(folder: Path) -> tuple[str, ...]:
    return ("--games", "10", "--effort", "0.001", "--out", str(folder))


def test_constants_and_report_are_written(folder: Path) -> None:
    own = OWN_FILE.read_bytes()
    result = run(*ten(folder), "--json")
    assert result.exit_code == 0, result.stderr
    data = json.loads(result.stdout)
    assert data == json.loads((folder / "report.json").read_text())
    assert data["games"] == 10
    assert data["command"] == f"jimbo train expert-v1 --games 10 --effort 0.001 --out {folder}"
    assert data["plan"] == json.loads((folder / "plan.json").read_text())
    assert load_config(folder / "constants.yaml") == load_config(), "ten games tell nothing"
    assert make_agent("expert-v1", config=str(folder / "constants.yaml"))
    assert OWN_FILE.read_bytes() == own


def test_the_same_command_says_the_same_again(folder: Path) -> None:
    first = run(*ten(folder))
    assert first.exit_code == 0, first.stderr
    assert "10 games on the seeds train-expert-constants v1" in first.stdout
    assert "kept: seen in 10 games only" in first.stdout
    assert f"jimbo eval --agent expert-v1 --set config={folder / 'constants.yaml'} --vs expert-v1" in first.stderr
    written = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert written.keys() == {".lock", "plan.json", "games.jsonl", "constants.yaml", "report.json"}
    assert run(*ten(folder)).stdout == first.stdout
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == written


def test_a_cut_game_is_played_again(folder: Path) -> None:
    whole = (folder / "games.jsonl").read_bytes()
    (folder / "games.jsonl").write_bytes(whole[:-100])
    assert run(*ten(folder), "--json").exit_code == 0
    assert (folder / "games.jsonl").read_bytes() == whole


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "--out"),
        (["--out", "x", "--games", "9"], "--games"),
        (["--out", "x", "--games", "many"], "--games"),
        (["--out", "x", "--workers", "0"], "--workers"),
        (["--out", "x", "--effort", "0"], "must be a number from"),
        (["--out", "x", "--effort", "nan"], "must be a number from"),
        (["--out", "/dev/null/x"], "cannot be used"),
    ],
)
def test_bad_input_gets_a_sentence(
    arguments: list[str], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert complaint in " ".join(result.stderr.split())
    assert not list(tmp_path.iterdir())


def test_bad_folders_get_a_sentence(folder: Path) -> None:
    more = run("--games", "11", "--effort", "0.002", "--out", str(folder))
    assert (more.exit_code, more.stdout) == (2, "")
    assert more.stderr.startswith(f"jimbo: {folder} holds games of another plan (effort).")
    (folder / "games.jsonl").write_text("{}\n" + (folder / "games.jsonl").read_text())
    broken = run(*ten(folder))
    assert (broken.exit_code, broken.stdout) == (2, "")
    assert broken.stderr.startswith(f"jimbo: {folder / 'games.jsonl'}, line 1, does not belong to a game:")
    assert not (folder / "constants.yaml").exists()


def test_files_that_cannot_be_written_are_told(folder: Path) -> None:
    (folder / "report.json").mkdir()
    result = run(*ten(folder))
    assert result.exit_code == 2
    assert result.stderr.startswith(f"jimbo: The constants cannot be written to {folder}: Is a directory.")
    assert not (folder / "constants.yaml").exists()
