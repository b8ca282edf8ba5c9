"""``jimbo quickstart``, at sizes that take seconds."""

import importlib.util
import json
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from jimbo.cli import quickstart
from jimbo.cli.main import app, loaded
from jimbo.cli.quickstart import QuickstartFiles, Sizes, TypedCommand, next_steps, places_in, steps
from jimbo.engine import PublicState

SMALL = Sizes(games=10, judged=2, epochs=1, seeds=2, effort=0.001)


def jimbo(out: Path, *more: str) -> Result:
    return CliRunner().invoke(app, ["quickstart", "--out", str(out), *more], env={"COLUMNS": "100"})


@pytest.fixture(scope="module")
def small() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quickstart, "Sizes", lambda: SMALL)
        yield


@pytest.fixture(scope="module")
def places(small: None, tmp_path_factory: pytest.TempPathFactory) -> QuickstartFiles:
    """In a folder whose name needs quotes."""
    return places_in(tmp_path_factory.mktemp("quickstart") / "my first")


@pytest.fixture(scope="module")
def first(places: QuickstartFiles) -> str:
    result = jimbo(places.out)
    assert result.exit_code == 0, result.output
    return result.stdout


def commands(places: QuickstartFiles) -> list[TypedCommand]:
    return [command for step in steps(places, SMALL) for command in step.commands]


def test_every_step_shows_its_command(first: str, places: QuickstartFiles) -> None:
    lines = first.splitlines()
    titles = [f"{number} of 6: {step.title}" for number, step in enumerate(steps(places, SMALL), start=1)]
    assert [line for line in lines if re.match(r"\d of 6: ", line)] == titles
    shown = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    assert [tuple(shlex.split(line)[1:]) for line in shown] == [command.args for command in commands(places)]


def test_it_ends_with_a_table(first: str) -> None:
    table = first.split("\nDone in ")[1].split("\n\n")[0].splitlines()[1:]
    assert re.split(r" {2,}", table[0].strip()) == ["agent", "games", "ante 1 cleared", "mean ante", "won"]
    rows = [re.split(r" {2,}", line.strip()) for line in table[1:]]
    assert [row[:2] for row in rows] == [
        *(["network", "2"], ["random", "2"], ["greedy", "2"]),
        ["expert effort=0.001", "2"],
    ]
    assert rows[1] == ["random", "2", "0.0 %", "1.00", "0"]


def test_it_names_the_files_it_wrote(first: str, places: QuickstartFiles) -> None:
    listed = first.split("\nFiles\n")[1].split("\n\n")[0]
    for path in places.files():
        assert path.is_file()
        assert f"{path} " in listed
    assert len(PublicState.from_json(places.state.read_text()).hand) == 8


def test_what_to_try_next_can_be_typed(first: str, places: QuickstartFiles) -> None:
    told = first.split("\nWhat to try next\n")[1]
    for command in next_steps(places, SMALL):
        assert f"\n  {command}\n" in told
        verb, *args = command.args
        loaded(verb).make_context(f"jimbo {verb}", args)  # it would refuse options that it does not have


def test_the_same_command_goes_on_and_gives_json(first: str, places: QuickstartFiles) -> None:
    played = [path for path in (places.games, *places.online.glob("strategies/*/episodes.jsonl")) if path.exists()]
    before = {path: path.read_bytes() for path in played}
    result = jimbo(places.out, "--json")
    assert result.exit_code == 0
    assert len(before) == 5
    assert {path: path.read_bytes() for path in played} == before
    data: dict[str, Any] = json.loads(result.stdout)
    assert (data["schema"], data["out"]) == ("jimbo_quickstart_v1", str(places.out))
    assert [row["agent"] for row in data["agents"]] == ["network", "random", "greedy", "expert effort=0.001"]
    assert data["agents"][1] == {"agent": "random", "games": 2, "ante1_clear": 0.0, "mean_ante": 1.0, "wins": 0}
    assert data["commands"] == [str(command) for command in commands(places)]
    assert data["dataset"]["games"] == 10
    assert data["training"]["best"]["epoch"] == 1
    assert data["offline"]["games"] == 2
    assert len(data["online"]["rows"]) == 4
    assert data["suggestion"]["suggestions"][0]["chosen"]
    assert "1 of 6: Games of the expert" in result.stderr


def test_a_step_that_fails_ends_it(first: str, places: QuickstartFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quickstart, "Sizes", lambda: replace(SMALL, epochs=2))
    result = jimbo(places.out)
    assert result.exit_code == 2
    assert "holds a training with other settings" in result.stderr
    last = "The quickstart was stopped at step 3 of 6; run the same command to resume once this is fixed."
    assert result.stderr.splitlines()[-1] == last
    assert "4 of 6" not in result.stdout


def test_packages_that_are_missing_are_told_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "torch" else found(name))
    result = jimbo(tmp_path / "new")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == 'jimbo: torch is not installed: pip install ".[train]" in a clone of Jimbo.\n'
    assert not (tmp_path / "new").exists()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = jimbo(tmp_path / "file")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"jimbo: {tmp_path / 'file'} cannot be used: Not a directory.\n"


def test_a_folder_with_files_of_others_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("")
    result = jimbo(tmp_path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"jimbo: {tmp_path} holds other files (thesis.txt). Choose another folder.\n"
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def children(process: int) -> list[str]:
    return Path(f"/proc/{process}/task/{process}/children").read_text().split()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for processes in /proc")
def test_ctrl_c_stops_it(tmp_path: Path) -> None:
    """While the games of the expert are played, at the size that everybody gets."""
    command = [sys.executable, "-m", "jimbo", "quickstart", "--out", str(tmp_path / "out")]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True) as process:
        until = time.monotonic() + 60
        while len(children(process.pid)) < 2:  # a helper of Python, and a worker
            assert time.monotonic() < until
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.endswith("The quickstart was stopped at step 1 of 6; run the same command to resume.\n")
    assert "Traceback" not in errors
