"""``jimbo eval``."""

import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from jimbo.cli.main import app
from jimbo.eval import read_rows, seed_set

KEYS = {
    "agent", "deck", "stake", "games", "wins", "win_rate", "ci95", "ante1_clear", "mean_ante", "median_ante",
    "mean_round", "ms_per_decision", "s_per_game", "deaths", "seed_set", "seeds_hash", "versions",
}  # fmt: skip


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["eval", "--workers", "1", *arguments], env={"COLUMNS": "80"})


def test_json() -> None:
    result = run("--agent", "greedy", "--seeds", "8", "--deck", "blue", "--stake", "red", "--json")
    assert result.exit_code == 0
    data = json.loads(result.stdout)
    assert data.keys() >= KEYS
    assert (data["games"], data["deck"], data["stake"]) == (8, "b_blue", "stake_red")
    assert (data["seed_set"], data["seeds_hash"]) == ("dev-100", seed_set("dev-100", 8).hash)
    assert sum(data["deaths"].values()) == 8 - data["wins"]


def test_the_table_fits() -> None:
    result = run("--agent", "greedy", "--vs", "random", "--seeds", "8", "--seed-set", "dev-1000")
    assert result.exit_code == 0
    assert "win rate" in result.stdout
    assert "greedy minus random, on 8 shared seeds" in result.stdout
    assert "8 seeds of dev-1000, version 1" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_the_first_ante_and_the_mean_ante_have_intervals() -> None:
    arguments = ("--online", "--backend", "sim", "--agent", "greedy", "--episodes", "8")
    data = json.loads(run(*arguments, "--json").stdout)
    for name in ("ante1_clear", "mean_ante"):
        low, high = data[f"{name}_ci95"]
        assert low <= data[name] <= high
    table = run(*arguments).stdout
    low, high = data["ante1_clear_ci95"]
    assert f"ante 1 cleared       {100 * data['ante1_clear']:.1f} %  ({100 * low:.1f} to {100 * high:.1f})" in table
    low, high = data["mean_ante_ci95"]
    assert f"mean ante            {data['mean_ante']:.2f}  ({low:.2f} to {high:.2f})" in table


def test_an_agent_that_fails_in_every_run_is_no_success(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = "class {}:\n    def act(self, state):\n        if state.ante == 1{}: raise KeyError('gone')\n"
    (tmp_path / "lost_agents.py").write_text(source.format("Lost", ""))
    monkeypatch.syspath_prepend(str(tmp_path))
    for arguments in (["--json"], [], ["--vs", "random"]):
        result = run("--agent", "lost_agents:Lost", "--seeds", "2", *arguments)
        assert result.exit_code == 1, result.output
        assert "lost_agents:Lost failed in every run, first on seed " in result.stderr
        assert result.stdout


def test_a_challenge() -> None:
    result = run("--agent", "greedy", "--seeds", "3", "--challenge", "five_card")
    assert result.exit_code == 0
    assert result.stdout.startswith("greedy\nFive-Card Draw · White Stake · 3 seeds")
    data = json.loads(run("--agent", "greedy", "--seeds", "3", "--challenge", "c_five_card_1", "--json").stdout)
    assert (data["challenge"], data["deck"]) == ("c_five_card_1", "b_challenge")


def test_out_keeps_everything_and_goes_on(tmp_path: Path) -> None:
    arguments = ("--agent", "greedy", "--seeds", "4", "--out", str(tmp_path), "--json")
    first = run(*arguments)
    assert {path.name for path in tmp_path.iterdir()} == {
        ".lock",
        ".pace.jsonl",
        "config.json",
        "episodes.jsonl",
        "report.html",
        "summary.json",
    }
    assert json.loads((tmp_path / "summary.json").read_text()) == json.loads(first.stdout)
    rows = read_rows(tmp_path / "episodes.jsonl")
    (tmp_path / "episodes.jsonl").write_text("".join(f"{row.to_json()}\n" for row in rows[:3]))
    second = run(*arguments)
    assert "3 games were already there" in second.stderr
    assert [row.seed for row in read_rows(tmp_path / "episodes.jsonl")] == [row.seed for row in rows]
    other = run("--agent", "greedy", "--seeds", "4", "--stake", "red", "--out", str(tmp_path))
    assert other.exit_code == 2
    assert "other settings (stake)" in other.stderr


def test_out_of_a_comparison(tmp_path: Path) -> None:
    result = run("--agent", "greedy", "--vs", "random", "--seeds", "4", "--out", str(tmp_path), "--json")
    data = json.loads(result.stdout)
    assert data["vs"]["agent"] == "random"
    assert data["paired"]["games"] == 4
    assert json.loads((tmp_path / "comparison.json").read_text()) == data
    assert (tmp_path / "report.html").read_text().count("All runs of") == 2
    for agent in ("greedy", "random"):
        assert len(read_rows(tmp_path / agent / "episodes.jsonl")) == 4
        assert (tmp_path / agent / "summary.json").is_file()


def test_an_agent_against_itself(tmp_path: Path) -> None:
    result = run("--agent", "random", "--vs", "random", "--seeds", "3", "--out", str(tmp_path), "--json")
    assert json.loads(result.stdout)["paired"]["rounds"]["equal"] == 3
    assert (tmp_path / "random-vs" / "episodes.jsonl").is_file()


def test_fresh_seeds_are_recorded_and_gone_on_with(tmp_path: Path) -> None:
    arguments = ("--agent", "greedy", "--seed-set", "fresh", "--seeds", "3", "--out", str(tmp_path), "--json")
    first = json.loads(run(*arguments).stdout)
    again = run(*arguments)
    assert json.loads(again.stdout)["seeds_hash"] == first["seeds_hash"]
    assert "3 games were already there" in again.stderr
    config = json.loads((tmp_path / "config.json").read_text())
    assert [row.seed for row in read_rows(tmp_path / "episodes.jsonl")] == config["seeds"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--agent", "gredy"], 'no agent "gredy"'),
        (["--agent", "greedy", "--vs", "nobody"], 'no agent "nobody"'),
        (["--agent", "greedy", "--deck", "rde"], 'Did you mean "red"?'),
        (["--agent", "greedy", "--challenge", "omelete"], 'Did you mean "omelette"?'),
        (["--agent", "greedy", "--challenge", "omelette", "--deck", "blue"], "A challenge brings its own deck"),
        (["--agent", "random", "--option", "path=\udcff"], "is not an option of an agent"),
        (["--agent", "greedy", "--stake", "pink"], "Allowed are white"),
        (["--agent", "greedy", "--seed-set", "dev"], "no seed set"),
        (["--agent", "greedy", "--seed-set", "dev-100", "--seeds", "200"], "holds 100 seeds"),
        (["--agent", "greedy", "--seeds", "0"], "--games"),
        (["--agent", "greedy", "--effort", "0.2"], "has no options, so effort cannot be given"),
        (["--agent", "random", "--effort", "0.2"], "The agent random has no options"),
        (["--agent", "expert", "--option", "depth=3"], "has no option depth. Its options are effort, model"),
        (["--agent", "random", "--option", "depth"], "Write key=value"),
        (
            ["--agent", "expert", "--option", "effort=[1]"],
            'effort must be a number from 0.001 to 1,000, not "[1]"',
        ),
        (["--agent", "expert", "--effort", "inf"], "effort must be a number from 0.001 to 1,000, not inf"),
        (["--agent", "expert", "--option", "model=5"], "5 cannot be read"),
        (["--agent", "random", "--vs-option", "depth=3"], "name it with --vs"),
        (["--agent", "random", "--vs", "random", "--vs-option", "depth=3"], "so depth cannot be given"),
        (["--agent", "random", "--out", "/dev/null/x"], "cannot be used"),
        ([], "Say who plays: --agent NAME, or --model FILE for a network."),
        (["--online"], "Say who plays"),
        (["--agent", "greedy", "--base-url", "127.0.0.1:9"], "--base-urls is about the real game: add --backend real."),
        (["--agent", "greedy", "--backend", "balatro"], 'There is no backend "balatro". Choose sim'),
        (["--agent", "greedy", "--model", "best.onnx"], "--model is about the agent network, not about greedy."),
        (["--agent", "greedy", "--dataset", "games.jsonl"], "--dataset is about recorded games: add --offline"),
        (["greedy"], "greedy is about recorded games: add --offline"),
    ],
)
def test_bad_input_gets_a_sentence(arguments: list[str], complaint: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert complaint in " ".join(result.stderr.split())


def test_a_game_that_is_not_there_gets_a_sentence() -> None:
    arguments = ["eval", "--agent", "greedy", "--backend", "real", "--base-url", "127.0.0.1:9"]
    result = CliRunner().invoke(app, arguments, env={"COLUMNS": "80"})
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "nobody answers there" in " ".join(result.stderr.split())
