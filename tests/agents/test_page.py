"""The agents of docs/agents.md play, and what the page says about them is so."""

import json
import re
import shlex
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from jimbo.cli.main import app
from jimbo.eval.episodes import MAX_STEPS

Write = Callable[[str, str], Path]
PAGE = (Path(__file__).parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")
AGENTS = dict(zip(("patient", "talking", "thrifty"), re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL), strict=True))
COMMANDS = [line.split("  #")[0] for line in re.findall(r"^jimbo (?:watch|eval|agents) .*$", PAGE, re.MULTILINE)]


@pytest.fixture(autouse=True)
def page(write: Write) -> None:
    for name, code in AGENTS.items():
        write(f"{name}.py", code)


def jimbo(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "80", "LANG": "C.UTF-8"})


def test_the_first_agent_has_twenty_lines() -> None:
    assert sum(bool(line.strip()) for line in AGENTS["patient"].splitlines()) <= 20


def test_the_commands_work() -> None:
    assert len(COMMANDS) == 4
    for command in COMMANDS:
        words = shlex.split(command.replace("--games 100", "--games 2 --workers 2"))
        result = jimbo(*words[1:])
        assert result.exit_code == 0, result.stderr
        assert "failed" not in result.stdout


def test_the_first_agent_is_much_better_than_greedy() -> None:
    result = jimbo("eval", "--agent", "patient:Patient", "--vs", "greedy", "--seeds", "20", "--workers", "1", "--json")
    data = json.loads(result.stdout)
    assert data["errors"] == 0
    assert data["ante1_clear"] > 0.5 > data["vs"]["ante1_clear"]


def test_reasons_are_shown() -> None:
    text = jimbo("watch", "--agent", "talking:Talking", "--seed", "TESTSEED").stdout
    assert "Two Pair is the best I have\n     score  considered, by the expected score\n  ▶     96  play" in text


def test_options_change_how_it_plays() -> None:
    def steps(*options: str) -> list[int]:
        arguments = ("--agent", "thrifty:Thrifty", "--seeds", "4", "--workers", "1", "--json", *options)
        return [run["steps"] for run in json.loads(jimbo("eval", *arguments).stdout)["runs"]]

    plain = steps()
    assert plain != steps("--option", "keep=100")
    assert plain != steps("--option", "keep=0", "--option", "rerolls=true")


def test_a_package_gives_it_a_name(install: Callable[..., None]) -> None:
    (table,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    entries = tomllib.loads(table)["project"]["entry-points"]["jimbo.agents"]
    install("thrifty", **entries)
    result = jimbo("watch", "--agent", "thrifty", "--option", "keep=10", "--seed", "TESTSEED")
    assert result.exit_code == 0
    assert result.stdout.startswith("thrifty keep=10 plays TESTSEED")


def test_the_limit_of_decisions_is_told() -> None:
    assert f"more than {MAX_STEPS:,} decisions" in PAGE
