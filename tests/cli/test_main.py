"""The command line as a whole."""

import inspect
import re
import subprocess
import sys
import tomllib
from importlib.metadata import distribution, entry_points
from pathlib import Path

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

import jimbo
from jimbo.cli.errors import fail
from jimbo.cli.main import app
from jimbo.cli.verbs import load
from jimbo.engine.bench import signature
from jimbo.engine.observation import batch_schema_hash

ROOT = Path(__file__).resolve().parents[2]
VERBS = (
    *("ablation", "advise", "agents", "assist", "az", "bench", "data", "doctor", "eval", "eval-matrix", "parity"),
    *("play", "quickstart", "replay", "rollout", "seed", "serve", "sweep", "trace", "train"),
    *("watch", "what-wins"),
)


def test_version_tells_what_decides_whether_two_installations_agree() -> None:
    result = CliRunner().invoke(app, ["--version"])
    assert result.exit_code == 0
    version, rules, states, observations = result.output.splitlines()
    assert version == f"jimbo {jimbo.__version__}"
    assert re.fullmatch(rf"signature of the rules: +{signature()}", rules)
    schemas = (ROOT / "docs" / "schemas.md").read_text()
    assert re.fullmatch(r"schema of states: +[0-9a-f]{16}", states)
    assert f"`{states.split()[-1]}`" in schemas
    assert re.fullmatch(rf"schema of observations: +{batch_schema_hash()}", observations)


def test_the_version_is_that_of_the_distribution() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["name"] == "jimbo-balatro"
    assert jimbo.__version__ == project["version"] == distribution("jimbo-balatro").version
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = jimbo.nothing


def test_the_old_distribution_is_gone() -> None:
    owners = {entry.dist.name for entry in entry_points(group="console_scripts", name="jimbo") if entry.dist}
    assert owners == {"jimbo-balatro"}


def test_the_module_is_the_command() -> None:
    command = [sys.executable, "-m", "jimbo", "seed", "show", "TESTSEED", "--antes", "1", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stdout == CliRunner().invoke(app, command[3:]).stdout


def test_unknown_verb_is_an_input_error() -> None:
    result = CliRunner().invoke(app, ["no-such-verb"])
    assert result.exit_code == 2


@pytest.mark.parametrize("name", VERBS)
def test_verbs_are_listed_with_their_own_words(name: str) -> None:
    """The line of help that is known before a verb is imported is the verb's own."""
    listed = get_command(app).commands[name].help
    assert listed == inspect.cleandoc(load(name).help).partition("\n\n")[0].replace("\n", " ")


def test_all_verbs_are_listed() -> None:
    assert tuple(get_command(app).commands) == VERBS


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("there is none", "there is none."),
        ("Allowed are red, erratic..", "Allowed are red, erratic."),
        ('Did you mean "red"?', 'Did you mean "red"?'),
    ],
)
def test_complaints_end_with_one_full_stop(message: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit):
        fail(message)
    assert capsys.readouterr().err == f"jimbo: {told}\n"
