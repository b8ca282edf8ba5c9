"""The commands with agents of other authors."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from jimbo.backends import SimBackend
from jimbo.cli.main import app
from jimbo.engine import Action
from jimbo.eval import read_rows

Write = Callable[[str, str], Path]
COMMAND = str(Path(sys.executable).with_name("jimbo"))

AGENTS = '''
import os
import random
from dataclasses import dataclass

from jimbo.declared import Declared, declared

class Chance:
    """Any allowed action.

    With a second paragraph."""
    runs = 0
    @dataclass(frozen=True)
    class Options(Declared):
        sells: bool = declared(False, "true sells things, too")
        weights: tuple[int, ...] = declared((), "what it likes")
    def __init__(self, options):
        self.options = options
    def reset(self, nonce):
        self.random = random.Random(nonce)
    def act(self, state):
        actions = state.legal_actions()
        return self.random.choice([a for a in actions if self.options.sells or not a.kind.startswith("sell")])

class Fails:
    def act(self, state):
        if state.phase == "selecting_hand":
            raise KeyError("gone")
        return state.legal_actions()[0]

class Leaves:
    def act(self, state):
        os._exit(9)

class Unprintable(Exception):
    def __str__(self):
        raise self

class Speechless:
    def act(self, state):
        raise Unprintable
'''


@pytest.fixture
def bots(write: Write) -> Path:
    return write("bots.py", AGENTS)


def jimbo(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "100", "LANG": "C.UTF-8"})


def evaluated(*arguments: str) -> Any:
    result = jimbo("eval", "--seeds", "3", "--json", *arguments)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def lasting(data: Any) -> Any:
    """What is told of the runs, without the times."""
    return [(run["seed"], run["result"], run["round"], run["steps"], run["watch"]) for run in data["runs"]]


# --- Playing ----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("bots")
def test_worker_processes_make_the_agent_again() -> None:
    one, two = (evaluated("--agent", "bots:Chance", "--option", "sells=true", "--workers", n) for n in "12")
    assert two["options"] == {"sells": True}
    assert lasting(one) == lasting(two)
    assert lasting(one) != lasting(evaluated("--agent", "bots:Chance", "--workers", "1"))
    assert two["errors"] == 0


def test_worker_processes_find_what_a_package_brings(bots: Path, install: Callable[..., None]) -> None:
    install("my-bots", "1.2", chance="bots:Chance")
    two = evaluated("--agent", "chance", "--workers", "2")
    assert (two["agent"], two["games"], two["errors"]) == ("chance", 3, 0)
    assert two["agent_source"]["package"] == "my-bots 1.2"
    assert two["runs"][0]["watch"].startswith("jimbo watch --agent chance --seed ")


def test_the_installed_command_looks_in_the_current_folder(tmp_path: Path) -> None:
    """Though Python itself would not: a command knows the folder of its script alone."""
    (tmp_path / "bots.py").write_text(AGENTS)
    arguments = ["eval", "--agent", "bots:Chance", "--seeds", "2", "--workers", "2", "--json"]
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([COMMAND, *arguments], cwd=tmp_path, env=clean, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)["runs"][0]
    command = f"export PATH={shlex.quote(str(Path(COMMAND).parent))}:$PATH; {told['watch']} --json"
    seen = subprocess.run(["sh", "-c", command], cwd="/", env=clean, capture_output=True, text=True, check=True)
    end = json.loads(seen.stdout.splitlines()[-1])["end"]
    assert (end["result"], end["round"], end["steps"]) == (told["result"], told["round"], told["steps"])


@pytest.mark.parametrize("verb", [["eval", "--seeds", "2", "--workers", "2"], ["watch"], ["agents"]])
def test_the_current_folder_does_no_harm_to_built_in_agents(tmp_path: Path, verb: list[str]) -> None:
    for name in ("random", "numpy", "queue"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('mine')")
    arguments = [*verb, *(["--agent"] if verb != ["agents"] else []), "random"]
    done = subprocess.run([COMMAND, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.usefixtures("bots")
def test_watching_and_replaying(tmp_path: Path) -> None:
    record = str(tmp_path / "run.jsonl")
    arguments = ("--agent", "bots:Chance", "--option", "weights=[1, 2]", "--seed", "TESTSEED", "--record", record)
    result = jimbo("watch", *arguments)
    assert result.exit_code == 0
    assert result.stdout.startswith("bots:Chance weights=[1, 2] plays TESTSEED")
    header = json.loads(Path(record).read_text().splitlines()[0])
    assert (header["agent"], header["options"]) == ("bots:Chance", {"weights": [1, 2]})
    replayed = jimbo("replay", record)
    assert replayed.exit_code == 0
    assert "Confirmed: " in replayed.stderr


def test_a_failing_agent_loses_its_runs_and_the_line_is_told(bots: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = jimbo("eval", "--agent", "bots:Fails", "--seeds", "3", "--workers", "2", "--out", str(out))
    assert result.exit_code == 1  # no run of it says anything
    rows = read_rows(out / "episodes.jsonl")
    assert [(row.result, row.error) for row in rows] == [("loss", "KeyError: 'gone'")] * 3
    note = "bots:Fails failed in 3 runs, first on seed EP6C39ZM: KeyError: 'gone'"
    assert note in result.stdout
    command = result.stdout.split(note)[1].split("\n")[1]
    assert command.startswith(f"cd {tmp_path} && jimbo watch --agent bots:Fails --seed EP6C39ZM")
    shown = jimbo(*shlex.split(command)[4:])
    line = 1 + AGENTS[: AGENTS.index('raise KeyError("gone")')].count("\n")
    assert shown.exit_code == 1
    assert f"The agent bots:Fails failed in decision 2: KeyError: 'gone' ({bots}, line {line})" in shown.stderr


@pytest.mark.usefixtures("bots")
@pytest.mark.parametrize("agent", ["bots:Leaves", "bots:Speechless", "bots:Fails"])
@pytest.mark.parametrize(
    "words", [["watch", "--seed", "A"], ["assist", "--execute", "--seed", "A"], ["advise", "state.json"]]
)
def test_a_command_whose_agent_fails_names_it_and_says_nothing_but_json(words: list[str], agent: str) -> None:
    backend = SimBackend()
    backend.reset(deck="b_red", stake="stake_white", seed="A")
    Path("state.json").write_text(backend.apply(Action("select_blind")).state.to_json())
    result = jimbo(*words, "--agent", agent, "--json")
    assert result.exit_code == 1
    assert f"jimbo: The agent {agent} failed in decision " in result.stderr
    assert all(isinstance(json.loads(line), dict) for line in result.stdout.splitlines())


def test_agents_of_the_same_module_are_compared(bots: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ("--workers", "1", "--vs", "bots:Chance", "--vs-option", "sells=true", "--out", str(out))
    result = jimbo("eval", "--seeds", "3", "--json", "--agent", "bots:Fails", *arguments)
    assert (result.exit_code, json.loads(result.stdout)["vs"]["agent"]) == (1, "bots:Chance")
    assert evaluated("--agent", "bots:Chance", "--vs", "bots:Chance", "--out", str(tmp_path / "same"), "--workers", "1")
    assert sorted(path.name for path in out.iterdir() if path.is_dir()) == ["bots.Chance", "bots.Fails"]
    assert (tmp_path / "same" / "bots.Chance-vs").is_dir()


# --- Going on ---------------------------------------------------------------------------------------------------------


def test_a_changed_agent_does_not_go_on(write: Write, tmp_path: Path) -> None:
    write("bots.py", AGENTS)
    arguments = ("eval", "--agent", "bots:Chance", "--workers", "1", "--out", str(tmp_path / "out"))
    assert jimbo(*arguments, "--seeds", "2").exit_code == 0
    assert jimbo(*arguments, "--seeds", "3").exit_code == 0
    kept = {path: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    write("bots.py", AGENTS + "# a better idea\n")
    changed = jimbo(*arguments, "--seeds", "4")
    assert (changed.exit_code, changed.stdout) == (2, "")
    assert changed.stderr == (
        f"jimbo: {tmp_path}/out holds an evaluation of bots:Chance as it was before its source changed. "
        "Choose another folder for the changed agent.\n"
    )
    assert {path: path.read_bytes() for path in (tmp_path / "out").iterdir()} == kept
    write("bots.py", AGENTS)
    again = jimbo(*arguments, "--seeds", "4")
    assert again.exit_code == 0
    assert "3 games were already there." in again.stderr


def test_a_source_that_changes_in_between_is_not_the_one_that_played(write: Write, tmp_path: Path) -> None:
    """The folder tells of the file as it was when it was loaded."""
    restless = """
class Restless(Chance):
    def reset(self, nonce):
        super().reset(nonce)
        with open(__file__, "a") as file:
            file.write("# more\\n")
"""
    path = write("bots.py", AGENTS + restless)
    evaluated("--agent", "bots:Restless", "--workers", "1", "--out", str(tmp_path / "out"))
    assert path.read_text().count("# more\n") == 3
    config, summary = (json.loads((tmp_path / "out" / f"{name}.json").read_text()) for name in ("config", "summary"))
    assert config["agent_source"] == summary["agent_source"]


def test_another_version_of_a_package_does_not_go_on(bots: Path, install: Callable[..., None], tmp_path: Path) -> None:
    arguments = ("eval", "--agent", "chance", "--workers", "1", "--seeds", "2", "--out", str(tmp_path / "out"))
    install("my-bots", "1.2", chance="bots:Chance")
    assert jimbo(*arguments).exit_code == 0
    (tmp_path / "my-bots-1.2.dist-info").rename(tmp_path / "old")
    install("my-bots", "1.3", chance="bots:Chance")
    changed = jimbo(*arguments)
    assert changed.exit_code == 2
    assert "as it was before its source changed" in changed.stderr


# --- jimbo agents -----------------------------------------------------------------------------------------------------


def test_agents_are_listed(bots: Path, install: Callable[..., None]) -> None:
    install("my-bots", "1.2", chance="bots:Chance", broken="no_bots:First", greedy="bots:Fails")
    result = jimbo("agents")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith("random       built in      Chooses uniformly")
    assert "chance       my-bots 1.2   Any allowed action." in [line.rstrip() for line in lines]
    text = " ".join(result.stdout.split())
    assert "The agent broken, which my-bots 1.2 brings, cannot be used. There is no module no_bots" in text
    assert "my-bots 1.2 brings an agent greedy, too, but that name means the built-in one." in text


def test_an_agent_is_described_by_its_class(bots: Path, install: Callable[..., None]) -> None:
    install("my-bots", "1.2", chance="bots:Chance")
    about = [
        "Any allowed action.", "", "With a second paragraph.", "",
        "Options, each as --set NAME=VALUE:",
        "  sells=false: true sells things, too.", "  weights=[]: what it likes.",
    ]  # fmt: skip
    named = [line.rstrip() for line in jimbo("agents", "chance").stdout.splitlines()]
    assert named == ["chance   my-bots 1.2 · bots:Chance", *about]
    placed = [line.rstrip() for line in jimbo("agents", "bots:Chance").stdout.splitlines()]
    assert placed == ["bots:Chance", *about]
    assert "It has no options." in jimbo("agents", "bots:Fails").stdout
    assert "effort=1.0, a number from 0.001 to 1,000: " in jimbo("agents", "expert").stdout
    nobody = jimbo("agents", "nobody")
    assert (nobody.exit_code, nobody.stdout) == (2, "")
    names = "random, greedy, expert, fast, risk_aware, network, claude, llm, chance"
    assert nobody.stderr.startswith(f'jimbo: There is no agent "nobody". Choose one of {names}')


@pytest.mark.parametrize("verb", ["eval", "watch"])
def test_help_loads_no_agent_of_others(verb: str, write: Write, install: Callable[..., None]) -> None:
    write("bots.py", "raise RuntimeError('loaded')")
    install("my-bots", chance="bots:Chance")
    result = jimbo(verb, "--help")
    assert result.exit_code == 0
    text = " ".join(result.stdout.split())
    assert "Options of expert: effort=1.0, a number" in text
    assert "jimbo agents NAME lists those of any agent." in text


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--agent", "no_bots:Chance"], "There is no module no_bots in the current folder"),
        (["--agent", "bots:Chance", "--option", "sells=maybe"], 'sells must be true or false, not "maybe".'),
        (["--agent", "bots:Chance", "--option", "weights=1"], "weights must be a list, not 1."),
        (["--agent", "bots:Chance", "--option", "weights=[1"], 'weights must be a list, not "[1".'),
        (["--agent", "bots:Chance", "--option", "depth=1"], "has no option depth. Its options are sells, weights."),
        (["--agent", "bots:Fails", "--option", "depth=1"], "The agent bots:Fails has no options, so depth cannot"),
    ],
)
@pytest.mark.parametrize("verb", ["eval", "watch"])
@pytest.mark.usefixtures("bots")
def test_bad_input_gets_a_sentence(verb: str, arguments: list[str], sentence: str) -> None:
    result = jimbo(verb, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("jimbo: ")
    assert sentence in result.stderr
