"""``jimbo eval --offline``, and ``jimbo eval --model``."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from eval.made_network import write_network
from jimbo.cli.main import app
from jimbo.data.samples import read_samples


def jimbo(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments), env={"COLUMNS": "80"})


def run(*arguments: str) -> Result:
    return jimbo("eval", "--offline", *arguments)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network and two datasets."""
    made = tmp_path_factory.mktemp("offline")
    write_network(made / "best.onnx")
    for name, prefix in (("a.jsonl", "A"), ("b.parquet", "B")):
        files = ("--agent", "greedy", "--episodes", "4", "--workers", "1", "--seed-prefix", prefix)
        assert jimbo("rollout", *files, "--out", str(made / name)).exit_code == 0
    return made


@pytest.fixture
def files(folder: Path) -> list[str]:
    return ["--model", str(folder / "best.onnx"), "--dataset", str(folder / "a.jsonl"), str(folder / "b.parquet")]


def test_json(files: list[str], folder: Path) -> None:
    result = run(*files, "--json")
    assert result.exit_code == 0
    data = json.loads(result.stdout)
    samples = read_samples([folder / "a.jsonl", folder / "b.parquet"])
    assert (data["schema"], data["games"], data["decisions"]) == ("jimbo_offline_v1", 8, len(samples))
    assert data["agents"] == ["greedy"]
    choices = data["choices"]
    assert choices["all"]["decisions"] == len(samples) - data["single"] - data["not_listed"]
    assert sum(row["decisions"] for name, row in choices.items() if name != "all") == choices["all"]["decisions"]
    assert data["forecasts"]["win"]["all"]["brier"]["value"] == pytest.approx(0.25)
    assert [Path(file["path"]).name for file in data["dataset"]["files"]] == ["a.jsonl", "b.parquet"]
    assert data == json.loads(run("--model", str(folder), *files[2:], "--json").stdout)  # the folder of a training


def test_agreement_is_that_of_the_network(files: list[str], folder: Path) -> None:
    """Counted once more, decision by decision."""
    samples = read_samples([folder / "a.jsonl"])
    hits = total = 0
    for place in range(len(samples)):
        rows = samples.candidate_rows[samples.starts[place] : samples.starts[place + 1]].sum(axis=1)
        if len(rows) > 1 and samples.chosen[place] >= 0:
            total += 1
            best = rows.max()
            hits += (rows[samples.chosen[place]] == best) / (rows == best).sum()
    data = json.loads(run(*files[:4], "--json").stdout)
    assert data["choices"]["all"]["decisions"] == total
    assert data["choices"]["all"]["top1"]["value"] == pytest.approx(hits / total, abs=0.02)  # sums in 32 bits may tie


def test_out_keeps_the_numbers_and_a_page(files: list[str], tmp_path: Path) -> None:
    for _ in range(2):  # the second time in the same folder
        result = run(*files, "--out", str(tmp_path))
        assert result.exit_code == 0
    assert "Would it do the same?" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert f"Kept in {tmp_path}." in result.stderr
    assert {path.name for path in tmp_path.iterdir()} == {".lock", "offline.json", "report.html"}
    assert json.loads((tmp_path / "offline.json").read_text()) == json.loads(run(*files, "--json").stdout)
    assert (tmp_path / "report.html").read_text().count("<svg") == 7


def test_a_network_of_bc_foresees_nothing(files: list[str], tmp_path: Path) -> None:
    model = write_network(tmp_path / "best.onnx", method="bc")
    result = run("--model", str(model), *files[2:])
    assert "not taught to foresee" in result.stdout
    assert "P(win)" not in result.stdout


def test_a_folder_of_something_else_is_refused(files: list[str], folder: Path) -> None:
    before = sorted(folder.iterdir())
    result = run(*files, "--out", str(folder))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "holds other files (a.jsonl" in result.stderr
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "name them with --dataset FILE"),
        (["--model", "best.onnx"], "name them with --dataset FILE"),
        (["--model", "nothing.onnx", "--dataset", "a.jsonl"], "nothing.onnx cannot be read: No such file"),
        (["--model", "a.jsonl", "--dataset", "a.jsonl"], "a.jsonl is not a network"),
        (["--model", "best.onnx", "--dataset", "nothing.jsonl"], "nothing.jsonl cannot be read: No such file"),
        (["--model", "best.onnx", "--dataset", "best.onnx"], "best.onnx ends neither in .jsonl nor in .parquet"),
        (["--model", "best.onnx", "--dataset", "cut.jsonl"], "cut.jsonl, line 3, is cut off"),
        (["--model", "best.onnx", "--dataset", "a.jsonl", "./a.jsonl"], "a.jsonl is named twice"),
        (["--model", "best.onnx", "--dataset", "a.jsonl", "--seeds", "3"], "--games is about playing"),
        (["--model", "best.onnx", "--dataset", "a.jsonl", "--agent", "greedy"], "--agent is about playing"),
        (["--model", "best.onnx", "--dataset", "a.jsonl", "--online"], "--online is about playing"),
    ],
)
def test_bad_input_gets_a_sentence(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], complaint: str
) -> None:
    for name in ("best.onnx", "a.jsonl"):
        shutil.copy(folder / name, tmp_path)
    whole = (tmp_path / "a.jsonl").read_bytes().split(b"\n")
    (tmp_path / "cut.jsonl").write_bytes(b"\n".join([*whole[:2], whole[2][:50]]))
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert complaint in " ".join(result.stderr.split())


# --- Play -------------------------------------------------------------------------------------------------------------


def test_a_network_plays(folder: Path, tmp_path: Path) -> None:
    """The folder of a training means the network in it, and what is kept knows that file by its content."""
    arguments = ("--online", "--backend", "sim", "--episodes", "3", "--workers", "1", "--out", str(tmp_path / "on"))
    result = jimbo("eval", "--model", str(folder), *arguments, "--json")
    assert result.exit_code == 0
    data = json.loads(result.stdout)
    assert (data["agent"], data["options"], data["games"]) == ("network", {"model": str(folder / "best.onnx")}, 3)
    config = json.loads((tmp_path / "on" / "config.json").read_text())
    assert set(config["option_files"]) == {"model"}
    changed = shutil.copytree(folder, tmp_path / "changed")
    write_network(changed / "best.onnx", method="bc")
    other = jimbo("eval", "--model", str(changed), *arguments)
    assert other.exit_code == 2
    assert "other settings (options, option_files)" in other.stderr


def test_a_network_beside_another_agent(folder: Path) -> None:
    result = jimbo("eval", "--model", str(folder), "--vs", "random", "--seeds", "2", "--workers", "1", "--json")
    assert json.loads(result.stdout)["vs"]["agent"] == "random"
    strategies = ("random", f"student=network model={folder}")
    rows = json.loads(jimbo("ablation", *strategies, "--seeds", "2", "--workers", "1", "--json").stdout)["rows"]
    assert rows[1]["options"] == {"model": str(folder / "best.onnx")}
