"""``jimbo eval --offline``."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from eval.made_samples import Made, Told, game, samples
from jimbo.cli.main import app

GAMES = (
    (game("win", ante=9, blinds=24), [Made([0, 1], 1, win=0.9), Made([1, 0], 0, win=0.95)]),
    (game("loss", blinds=1), [Made([0, 1], 0, win=0.2), Made([0, 1], 1, phase="shop", win=0.1)]),
)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["eval", "--offline", *arguments], env={"COLUMNS": "80"})


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A network and two datasets, as options; what is read from them is made here."""
    model, first, second = (tmp_path / name for name in ("best.onnx", "a.jsonl", "b.jsonl"))
    for path in (model, first, second):
        path.write_text("made")

    def read(paths: Sequence[Path]) -> object:
        assert list(paths) == [first, second]
        return samples(*GAMES)

    monkeypatch.setattr("jimbo.cli.eval_offline.load_policy", lambda path: Told(*GAMES))
    monkeypatch.setattr("jimbo.cli.eval_offline.read_samples", read)
    return ["--model", str(model), "--dataset", str(first), str(second)]


def test_json(files: list[str]) -> None:
    result = run(*files, "--json")
    assert result.exit_code == 0
    data = json.loads(result.stdout)
    assert (data["schema"], data["games"], data["decisions"]) == ("jimbo_offline_v1", 2, 4)
    assert data["choices"]["all"]["top1"]["value"] == 0.75
    assert [Path(file["path"]).name for file in data["dataset"]["files"]] == ["a.jsonl", "b.jsonl"]


def test_out_keeps_the_numbers_and_a_page(files: list[str], tmp_path: Path) -> None:
    out = tmp_path / "offline"
    for _ in range(2):  # the second time in the same folder
        result = run(*files, "--out", str(out))
        assert result.exit_code == 0
    assert "Would it do the same?" in result.stdout
    assert f"Kept in {out}." in result.stderr
    assert {path.name for path in out.iterdir()} == {".lock", "offline.json", "report.html"}
    assert json.loads((out / "offline.json").read_text()) == json.loads(run(*files, "--json").stdout)
    assert (out / "report.html").read_text().count("<svg") == 7


def test_a_folder_of_something_else_is_refused_before_anything_is_read(files: list[str], tmp_path: Path) -> None:
    result = run(*files, "--out", str(tmp_path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "holds other files (a.jsonl, b.jsonl, best.onnx)" in result.stderr


def test_a_folder_of_a_training_means_its_best_network(files: list[str], tmp_path: Path) -> None:
    data = json.loads(run("--model", str(tmp_path), *files[2:], "--json").stdout)
    assert data["model"]["path"] == str(tmp_path / "best.onnx")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "name it with --model FILE"),
        (["--model", "best.onnx"], "name them with --dataset FILE"),
        (["--model", "x", "--dataset", "a.jsonl", "./a.jsonl"], "a.jsonl is named twice"),
        (["--model", "x", "--dataset", "a.jsonl", "--seeds", "3"], "--seeds is about playing"),
        (["--model", "x", "--dataset", "a.jsonl", "--agent", "greedy"], "--agent is about playing"),
        (["--model", "x", "--dataset", "a.jsonl", "--online"], "--online is about playing"),
    ],
)
def test_bad_input_gets_a_sentence(arguments: list[str], complaint: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert complaint in " ".join(result.stderr.split())
