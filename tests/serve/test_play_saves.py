"""``jimbo play``: no run is lost, whatever ends the game, and no file is spoilt."""

import errno
import fcntl
import os
import pty
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from jimbo.cli.main import app
from jimbo.data import Decision
from jimbo.data.game_files import read_game
from jimbo.engine import Action, Run
from jimbo.serve.game import BadInput, RunInPlay, resumed
from jimbo.serve.terminal import details
from serve.reading import read_until, run_in

COMMAND = [sys.executable, "-c", "from jimbo.cli.entry import run; run()", "play", "--seed", "TESTSEED"]


@pytest.fixture(autouse=True)
def state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "state" / "jimbo"


def play(*lines: str, options: tuple[str, ...] = ("--seed", "TESTSEED")) -> Result:
    text = "".join(f"{line}\n" for line in lines)
    return CliRunner().invoke(app, ["play", *options], input=text, env={"COLUMNS": "80"})


def load(path: Path) -> RunInPlay:
    return resumed(read_game(path))


def saved(path: Path) -> tuple[str, ...]:
    path.write_bytes(Run(seed="MINE").save())
    return ("--load", str(path))


# --- Whose file it is -------------------------------------------------------------------------------------------------


def test_an_odd_seed_is_saved_in_the_folder_of_games(state_folder: Path) -> None:
    play("n", "q", "y", options=("--seed", "../a b/[c]"))
    (path,) = state_folder.parents[1].rglob("*.run")
    assert (path, run_in(path).seed) == (state_folder / "___A_B__C_.run", "../A B/[C]")


def test_no_other_game_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "mine.run"
    saved(path)
    before = path.read_bytes()
    output = play("n", f"save {path}", "q", "n").stdout
    assert "mine.run exists and holds another game, so it is left alone" in " ".join(output.split())
    assert path.read_bytes() == before


def test_its_own_files_are_replaced(tmp_path: Path) -> None:
    play("n", "save a.run", "p 1", "save b.run", "p 1", "save a.run", "p 1", f"save ../{tmp_path.name}/b.run")
    assert (run_in(Path("a.run")).hands_left, run_in(Path("b.run")).hands_left) == (2, 1)


def test_two_games_of_one_file_are_both_kept(tmp_path: Path, state_folder: Path) -> None:
    path = tmp_path / "mine.run"
    saved(path)
    first, second = load(path), load(path)
    first.take(Decision(Action("select_blind")))
    first.save()
    second.take(Decision(Action("skip_blind")))
    with pytest.raises(BadInput, match="has since been saved by another game, so it is left alone"):
        second.save(str(path))
    assert second.save() == state_folder / "MINE.run"
    assert run_in(path).phase == "selecting_hand"
    assert run_in(state_folder / "MINE.run").phase == "blind_select"


def test_a_file_that_is_gone_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "mine.run"
    play("n", options=saved(path))
    game = load(path)
    game.take(Decision(Action("play", cards=[0])))
    path.unlink()
    assert game.save() == path
    assert run_in(path).hands_left == 3


def test_without_a_home_the_run_is_kept_in_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setattr(Path, "home", no_home)
    assert play("n").exit_code == 0
    assert run_in(tmp_path / "TESTSEED.run").phase == "selecting_hand"


def test_a_saved_run_keeps_its_steps(tmp_path: Path) -> None:
    path = tmp_path / "kept.run"
    play("n", "p 1 2", "d 1", f"save {path}", "q")
    game = load(path)
    assert not game.unsaved
    assert game.undo(99) == 3
    assert game.state.phase == "blind_select"
    assert CliRunner().invoke(app, ["replay", str(path)]).exit_code == 0


def test_an_old_save_goes_on_as_a_record(tmp_path: Path) -> None:
    path = tmp_path / "mine.run"
    run = Run(seed="MINE")
    run.step(Action("select_blind"))
    path.write_bytes(run.save())
    play("p 1", "save", "q", options=("--load", str(path)))
    game = load(path)
    assert game.state.hands_left == 3
    assert game.undo(9) == 1
    assert game.state == run.public_state()
    assert CliRunner().invoke(app, ["replay", str(path)]).exit_code == 0


def test_a_run_of_an_agent_is_gone_on_with_elsewhere(tmp_path: Path, state_folder: Path) -> None:
    path = tmp_path / "agent.jsonl"
    CliRunner().invoke(
        app, ["watch", "--agent", "greedy", "--seed", "CXQGWN36", "--until-ante", "2", "--record", str(path)]
    )
    before = path.read_bytes()
    play("n", options=("--load", str(path), "--at", "4"))
    assert path.read_bytes() == before
    assert len(list(state_folder.iterdir())) == 1


# --- What can go wrong ------------------------------------------------------------------------------------------------


def test_a_save_that_fails_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.run"
    options = saved(path)
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    result = play("n", "save", "q", "", "q", "n", options=options)
    assert result.exit_code == 0  # the player was told, and left without
    assert " ".join(result.stdout.split()).count("mine.run cannot be written: No space left on device.") == 2
    result = play("n", options=options)
    assert result.exit_code == 2
    assert result.stderr == f"jimbo: The run is not saved. {path} cannot be written: No space left on device.\n"
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["mine.run"]


def test_an_error_of_the_program_keeps_the_run(state_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(details, "levels", lambda _: 1 / 0)
    result = play("n", "l")
    assert isinstance(result.exception, ZeroDivisionError)
    assert run_in(state_folder / "TESTSEED.run").phase == "selecting_hand"


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_keep_the_run(state_folder: Path, end: signal.Signals) -> None:
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin
    assert process.stdout
    try:
        process.stdin.write(b"n\nl\n")
        process.stdin.flush()
        read_until(process.stdout.fileno(), "Straight Flush")
        process.send_signal(end)
        seen, errors = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 0
    assert b"jimbo play --load" in seen
    assert errors == b""
    assert run_in(state_folder / "TESTSEED.run").phase == "selecting_hand"


def test_an_ignored_hang_up_stays_ignored(state_folder: Path) -> None:
    process = subprocess.Popen(
        ["nohup", *COMMAND], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin
    assert process.stdout
    try:
        process.stdin.write(b"n\n")
        process.stdin.flush()
        read_until(process.stdout.fileno(), "Round 1")
        process.send_signal(signal.SIGHUP)
        seen, _ = process.communicate(b"p 1\nq\n\n", timeout=30)
    finally:
        process.kill()
    assert run_in(state_folder / "TESTSEED.run").hands_left == 3, seen


def test_a_closed_terminal_keeps_the_run(state_folder: Path) -> None:
    leader, follower = pty.openpty()
    # In a session of its own, whose terminal this is: closing it sends the hang-up, and nothing can be shown any more.
    process = subprocess.Popen(
        COMMAND,
        stdin=follower,
        stdout=follower,
        stderr=follower,
        start_new_session=True,
        preexec_fn=_take_terminal,
        env={**os.environ, "TERM": "dumb", "COLUMNS": "80", "LINES": "24"},
    )
    os.close(follower)
    try:
        read_until(leader, "> ")
        os.write(leader, b"n\n")
        read_until(leader, "help\r\n> ")
        os.close(leader)
        process.wait(timeout=30)  # with one code or another: the hang-up and the end of input come together
    finally:
        process.kill()
    assert run_in(state_folder / "TESTSEED.run").phase == "selecting_hand"


def _take_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
