"""Every run of a report comes with the command that shows it."""

import html
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from jimbo.agents.registry import option_text, read_options
from jimbo.cli.main import app


def jimbo(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "80"})


@pytest.mark.parametrize(
    "arguments",
    [
        ["--agent", "random", "--seeds", "4", "--agent-number", "3"],
        ["--agent", "greedy", "--seeds", "4", "--deck", "plasma", "--stake", "gold"],
        ["--agent", "greedy", "--seeds", "4", "--challenge", "city"],
        ["--agent", "expert", "--seeds", "1", "--effort", "0.02", "--option", "consumables=false"],
        ["--agent", "expert", "--seeds", "1", "--option", "effort=0.02", "--option", "clairvoyant=true"],
    ],
)
def test_a_command_shows_the_very_run(arguments: list[str]) -> None:
    runs = json.loads(jimbo("eval", "--workers", "1", "--json", *arguments).stdout)["runs"]
    for told in runs:
        program, *words = shlex.split(told["watch"])
        assert program == "jimbo"
        shown = jimbo(*words, "--json")
        assert shown.exit_code == 0
        end = json.loads(shown.stdout.splitlines()[-1])["end"]
        assert (end["result"], end["ante"], end["round"], end["steps"]) == (
            told["result"],
            told["ante"] + (told["result"] == "win"),  # beating the last boss begins another ante
            told["round"],
            told["steps"],
        )


def test_another_nonce_is_another_run() -> None:
    """So the nonce in the command is what makes it the same."""
    told = json.loads(jimbo("eval", "--workers", "1", "--agent", "random", "--seeds", "1", "--json").stdout)["runs"][0]
    words = shlex.split(told["watch"])[1:]
    one = jimbo(*words, "--json").stdout.splitlines()
    other = jimbo(*words[:-1], "5", "--json").stdout.splitlines()
    assert one[-1] != other[-1]


def test_pages_and_summaries_have_the_same_commands(tmp_path: Path) -> None:
    options = ("--option", "effort=0.001", "--option", "solver=false")
    jimbo("eval", "--workers", "1", "--agent", "expert", *options, "--seeds", "2", "--out", str(tmp_path))
    runs = json.loads((tmp_path / "summary.json").read_text())["runs"]
    page = (tmp_path / "report.html").read_text()
    commands = [html.unescape(code) for code in re.findall(r"<code[^>]*>(.*?)</code>", page)]
    assert commands == [told["watch"] for told in runs]
    for command in commands:
        words = shlex.split(command)
        assert words[:4] == ["jimbo", "watch", "--agent", "expert"]
        assert [words[i + 1] for i, word in enumerate(words) if word == "--set"] == list(options[1::2])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("effort", 5.0),
        ("effort", 0.5),
        ("solver", True),
        ("solver", False),
        ("model", "text"),
        ("model", "5"),
        ("model", '"quoted"'),
        ("model", "a b'c"),
    ],
)
def test_options_are_read_back(name: str, value: Any) -> None:
    (word,) = shlex.split(shlex.join([f"{name}={option_text(value)}"]))
    assert read_options("expert", [word]) == {name: value}
