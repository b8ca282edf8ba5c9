"""``jimbo advise save.jkr`` and ``jimbo assist --save``."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from jimbo.cli.main import app
from jimbo.engine import Action, Run
from wire.made_saves import save_of, written


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(app, [*arguments], env={"COLUMNS": "80", "HOME": "/nowhere"})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def game() -> Run:
    game = Run(seed="TESTSEED")
    game.step(Action("select_blind"))
    return game


@pytest.fixture
def path(game: Run, tmp_path: Path) -> Path:
    path = tmp_path / "save.jkr"
    path.write_bytes(written(save_of(game)))
    return path


def test_a_save_is_advised_on_as_the_state_is(path: Path, game: Run, tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    state.write_text(game.public_state().to_json())
    words = ("--agent", "greedy", "--topk", "2")
    by_save, by_state = run("advise", str(path), *words), run("advise", str(state), *words)
    assert (by_save.exit_code, by_save.stdout, by_save.stderr) == (0, by_state.stdout, "")


def test_what_is_said_of_a_save_is_no_part_of_the_answer(path: Path, game: Run) -> None:
    save = save_of(game)
    save["tags"] = {1: {"key": "tag_mod"}}
    path.write_bytes(written(save))
    told = run("advise", str(path), "--agent", "greedy", "--json")
    assert json.loads(told.stdout)["schema"] == "advice_v1"
    assert told.stderr == "jimbo: The tag tag_mod is not of the game itself: the advice leaves it out.\n"


def test_the_assistant_advises_once_by_a_folder(path: Path) -> None:
    told = run("assist", "--save", str(path.parent), "--once", "--agent", "greedy", "--json")
    assert json.loads(told.stdout)["state"]["phase"] == "selecting_hand"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--save", "none.jkr"), "none.jkr"),
        (("--save",), "There is no save.jkr in the folders that the game uses here"),
        (("--save", "x", "--seed", "A"), "--save follows the run that the game saves, and only looks: --seed"),
        (("--save", "x", "--execute"), "--execute means nothing there"),
        (("--save", "x", "--backend", "real"), "--backend means nothing there"),
        (("--save", "x", "--set", "clairvoyant=true"), "This agent must see what is hidden"),
    ],
)
def test_what_cannot_be_gets_a_sentence(arguments: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    told = run("assist", *arguments)
    assert (told.exit_code, told.stdout) == (2, "")
    assert sentence in told.stderr


def test_a_broken_save_gets_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "save.jkr").write_bytes(b"\xff" * 9)
    told = run("advise", str(tmp_path / "save.jkr"))
    assert (told.exit_code, told.stdout) == (2, "")
    assert "is not a save that can be advised on: it is not packed as saves are, or damaged." in told.stderr
    assert "/dev/zero.jkr cannot be read: No such file" in run("advise", "/dev/zero.jkr").stderr


def test_each_change_is_advised_on_until_ctrl_c(path: Path, game: Run) -> None:
    words = ["assist", "--save", str(path), "--agent", "greedy", "--json", "--interval", "0.02"]
    command = [sys.executable, "-c", "from jimbo.cli.entry import run; run()", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as assistant:
        assert assistant.stdout
        first = json.loads(assistant.stdout.readline())
        game.step(Action("play", cards=[0, 1]))
        beside = path.with_suffix(".part")
        beside.write_bytes(written(save_of(game)))
        os.replace(beside, path)
        second = json.loads(assistant.stdout.readline())
        assistant.send_signal(signal.SIGINT)
        assistant.communicate()
    assert (first["state"]["hands_left"], second["state"]["hands_left"]) == (4, 3)
    assert assistant.returncode == 130
