"""``jimbo advise``."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from jimbo.cli.main import app
from jimbo.data.game_files import REMEDY
from jimbo.engine import Action, PublicState, Run


def run(*arguments: str, lines: str | bytes = "") -> Result:
    result = CliRunner().invoke(app, ["advise", *arguments], input=lines, env={"COLUMNS": "80"})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def state() -> PublicState:
    """A hand with a pair of nines and a pair of fives."""
    game = Run(seed="TESTSEED")
    game.step(Action("select_blind"))
    return game.public_state()


@pytest.mark.parametrize("command", [["advise", "-"], ["watch"], ["assist"], ["eval"], ["rollout", "--out", "a.jsonl"]])
def test_a_missing_package_is_told_in_the_same_words(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    result = CliRunner().invoke(app, [*command, "--agent", "network"])
    assert result.exit_code == 2
    assert result.stderr == 'jimbo: onnxruntime is not installed: pip install ".[models]" in a clone of Jimbo.\n'


def test_a_file_is_answered_with_a_table(state: PublicState, tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_text(state.to_json())
    result = run(str(path), "--agent", "greedy", "--topk", "2")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "greedy suggests   Ante 1 · Small Blind"
    assert lines[2].split() == ["▶1", "96", "96", "(32", "%)", "play", "9♠", "9♣", "5♣", "5♦"]
    assert lines[3].strip() == "Two Pair scores 96"
    assert "Two Pair: 48 x 2 = 96" in lines
    assert " 3 " not in result.stdout


def test_standard_input_is_answered_with_json(state: PublicState) -> None:
    data = json.loads(run("-", "--agent", "greedy", "--json", lines=state.to_json()).stdout)
    assert (data["schema"], len(data["suggestions"])) == ("advice_v1", 3)
    assert data["suggestions"][0]["score"]["expected"] == 96
    assert "state" not in data


def test_the_expert_is_asked_if_nobody_is_named(state: PublicState) -> None:
    assert run("-", "--effort", "0.2", lines=state.to_json()).stdout.startswith("expert suggests")


def test_a_run_that_is_over_needs_no_advice(state: PublicState) -> None:
    game = Run(seed="TESTSEED")
    game.step(Action("select_blind"))
    while not game.public_state().over:
        game.step(Action("play", cards=[0]))
    result = run("-", lines=game.public_state().to_json())
    assert result.exit_code == 0
    assert "The run is over; there is nothing to decide." in result.stdout


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", f"Standard input is empty. {REMEDY}"),
        (b"\xff\xfe", f"Standard input is neither text nor a save of the game. {REMEDY}"),
        (b"{}", "Standard input is not a state that can be played: it holds no state. "),
        (
            b'{"schema": "advice_v9"}',
            "Standard input is not a state that can be played: it is of the schema advice_v9. ",
        ),
        (b"[1, 2", "Standard input is not a state that can be played: it is not JSON ("),
        (b'{"schema_version": "public_v1"}', "Standard input is not a state that can be played: "),
        (b'{"schema_version": "state_v1"}', "Standard input is not a state that can be played: "),
    ],
)
def test_anything_else_gets_a_sentence(content: bytes, sentence: str) -> None:
    result = run("-", lines=content)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"jimbo: {sentence}")
    assert result.stderr.endswith(f"{REMEDY}\n")
    assert result.stdout == ""


def test_a_file_that_is_missing_or_endless_gets_a_sentence(tmp_path: Path) -> None:
    missing = run(str(tmp_path / "none.json"))
    assert (missing.exit_code, missing.stderr) == (
        2,
        f"jimbo: {tmp_path / 'none.json'} cannot be read: No such file or directory. {REMEDY}\n",
    )
    assert "/dev/zero cannot be read: File too large." in run("/dev/zero").stderr


def test_an_agent_that_must_see_what_is_hidden_cannot_help(state: PublicState) -> None:
    result = run("-", "--option", "clairvoyant=true", lines=state.to_json())
    assert result.exit_code == 2
    assert "This agent must see what is hidden, and a public state does not hold it." in result.stderr
