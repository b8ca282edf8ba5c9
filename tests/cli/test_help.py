"""The help of every verb, on a terminal of 80 columns."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from jimbo.cli.main import app, loaded


def verbs(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield words, command
    for name, below in getattr(command, "commands", {}).items():
        yield from verbs(below if words else loaded(name), (*words, name))


ALL = list(verbs(get_command(app)))
IDS = [" ".join(words) or "jimbo" for words, _ in ALL]


@cache
def help_of(words: tuple[str, ...]) -> str:
    result = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "80"})
    assert result.exit_code == 0
    return result.stdout


def in_one_line(text: str | None) -> str:
    return " ".join((text or "").split())


@pytest.mark.parametrize(("words", "command"), ALL, ids=IDS)
def test_names_and_texts_are_whole(words: tuple[str, ...], command: Any) -> None:
    text = help_of(words)
    for param in command.params:
        shown = () if getattr(param, "hidden", False) else (*param.opts[:1], *param.secondary_opts)
        names = [name for name in shown if name.startswith("-")]
        assert [name for name in names if not re.search(rf"(?<![\w-]){name}(?![\w-])", text)] == []
        assert in_one_line(param.help) in in_one_line(text)
    for below in getattr(command, "commands", {}).values():
        assert below.hidden or in_one_line(below.help.partition("\n\n")[0]) in in_one_line(text)
    assert [line for line in text.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("words", [words for words, _ in ALL], ids=IDS)
def test_flags_and_numbers_show_no_types(words: tuple[str, ...]) -> None:
    assert re.findall(r"<[a-z][^>]*>", help_of(words)) == []


@pytest.mark.parametrize(("words", "command"), ALL, ids=IDS)
def test_defaults_are_shown(words: tuple[str, ...], command: Any) -> None:
    text = in_one_line(help_of(words))
    for param in command.params:
        if param.param_type_name == "option" and not param.is_flag and param.default not in (None, "", ()):
            assert f"[default: {param.default}" in text


@pytest.mark.parametrize(
    ("verb", "shown"),
    [
        ("train rl", ["tiny", "4000000", "0.999", "0.01"]),
        (
            "train sb3",
            ["PPO", "1000000", "64 for PPO, 64 for A2C, 16 for DQN", "tuned, or campaign with its env", "tiny", "42"],
        ),
        ("train value", ["13", "7"]),
        ("az loop", ["800", "puct", "true"]),
    ],
)
def test_defaults_of_settings_are_shown(verb: str, shown: list[str]) -> None:
    text = in_one_line(help_of(tuple(verb.split())))
    assert [default for default in shown if f"[default: {default}]" not in text] == []


def test_a_table_keeps_its_lines() -> None:
    assert '    "blueprint @ 2"           in ante 2\n' in help_of(("seed", "find"))


@pytest.mark.parametrize("words", [(), ("seed",)])
def test_a_group_alone_shows_its_help(words: tuple[str, ...]) -> None:
    result = CliRunner().invoke(app, words, env={"COLUMNS": "80"})
    assert result.exit_code == 2
    assert help_of(words).strip() in result.output


def test_it_says_what_the_package_is() -> None:
    text = in_one_line(help_of(()))
    for part in ("simulator", "environments", "training pipeline", "assistant", "bridge to the game"):
        assert part in text
