"""``jimbo ablation``."""

import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from jimbo.cli.main import app
from jimbo.eval import read_rows


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["ablation", *arguments], env={"COLUMNS": "80"})


def play(*arguments: str) -> Result:
    return run(*arguments, "--workers", "1", "--episodes", "4")


def test_strategies_are_played_compared_and_kept(tmp_path: Path) -> None:
    result = play("greedy", "chance=random", "--out-dir", str(tmp_path))
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert "minus greedy" in result.stdout
    assert "4 seeds of dev-100" in result.stdout
    for name in ("greedy", "chance"):
        assert len(read_rows(tmp_path / "strategies" / name / "episodes.jsonl")) == 4
    data = json.loads((tmp_path / "summary.json").read_text())
    assert [(row["strategy"], row["agent"]) for row in data["rows"]] == [("greedy", "greedy"), ("chance", "random")]
    assert (tmp_path / "tables" / "ablation.csv").read_text().count("\n") == 3
    assert (tmp_path / "summary.md").read_text().startswith("# Red Deck")


def test_strategies_are_recommended_by_thresholds(tmp_path: Path) -> None:
    out, thresholds = tmp_path / "out", tmp_path / "thresholds.yaml"
    thresholds.write_text("fewest_games: 4\n", encoding="utf-8")
    result = play("random", "greedy", "--thresholds", str(thresholds), "--out", str(out))
    assert result.exit_code == 0
    assert "recommended" in result.stdout
    data = json.loads((out / "summary.json").read_text())
    assert data["thresholds"]["fewest_games"] == 4
    assert [one["strategy"] for one in data["recommendations"]] == ["greedy"]
    assert "greedy" in (out / "recommendation.md").read_text()
    thresholds.write_text("fewest: 4\n", encoding="utf-8")
    refused = play("random", "greedy", "--thresholds", str(thresholds))
    assert refused.exit_code != 0
    assert "fewest unknown" in refused.stderr


def test_the_same_command_continues_and_more_strategies_are_added(tmp_path: Path) -> None:
    play("greedy", "random", "--out", str(tmp_path))
    rows = tmp_path / "strategies" / "greedy" / "episodes.jsonl"
    before = rows.read_bytes()
    rows.write_bytes(before[: before.index(b"\n") + 1])
    (tmp_path / "summary.json").unlink()
    again = play("greedy", "random", "quick=expert effort=0.01", "--out", str(tmp_path), "--json")
    assert again.exit_code == 0
    data = json.loads(again.stdout)
    assert data == json.loads((tmp_path / "summary.json").read_text())
    assert [row["strategy"] for row in data["rows"]] == ["greedy", "random", "quick"]
    assert data["rows"][2]["options"] == {"effort": 0.01}
    assert [row.seed for row in read_rows(rows)] == [
        row.seed for row in read_rows(rows.parents[1] / "random" / rows.name)
    ]


def test_kept_evaluations_need_not_be_played_again(tmp_path: Path) -> None:
    play("greedy", "random", "--out", str(tmp_path))
    folders = [f"{tmp_path}/strategies/greedy", f"luck={tmp_path}/strategies/random/"]
    result = run(*folders, "--json")
    kept = json.loads((tmp_path / "summary.json").read_text())
    shown = json.loads(result.stdout)
    assert [row["strategy"] for row in shown["rows"]] == ["greedy", "luck"]
    assert shown["rows"][1]["vs_first"] == kept["rows"][1]["vs_first"]
    mixed = json.loads(play("again=greedy", *folders, "--json").stdout)
    assert mixed["rows"][1]["vs_first"]["rounds"]["equal"] == 4
    refused = run(*folders, "--seeds", "3")
    assert refused.exit_code == 2
    assert "--games is about playing" in refused.stderr


def test_fresh_seeds_of_a_folder_are_played_again(tmp_path: Path) -> None:
    play("greedy", "random", "--seed-set", "fresh", "--out", str(tmp_path))
    result = run("again=greedy", f"{tmp_path}/strategies/greedy", "--seed-set", "fresh", "--workers", "1", "--json")
    row = json.loads(result.stdout)["rows"][1]
    assert (row["games"], row["vs_first"]["rounds"]["equal"]) == (4, 4)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["greedy"], "Name at least two"),
        (["greedy", "greedy"], "two strategies greedy"),
        (["a=greedy", "a=random"], "two strategies a."),
        (["greedy", "nobody"], 'no agent "nobody"'),
        (["greedy", "expert effort=soon"], "effort must be a number"),
        (["greedy", "expert 'effort"], "is not a strategy"),
        (["greedy", ""], "is not a strategy"),
        (["greedy", "runs/nothing"], "There is not a folder runs/nothing"),
        (["greedy", "/"], "is not the folder of an evaluation"),
        (["greedy", "random", "--out", "/dev/null/x"], "cannot be used"),
        (["greedy", "random", "--seed-set", "dev"], "no seed set"),
        ([], "STRATEGY"),
    ],
)
def test_bad_input_gets_a_sentence(arguments: list[str], complaint: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert complaint in " ".join(result.stderr.split())


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    result = play("greedy", "random", "--out", str(tmp_path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "holds other files (thesis.tex)" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
