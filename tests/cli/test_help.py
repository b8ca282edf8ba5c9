"""The help of every verb, on a terminal of 80 columns."""

import re
from collections.abc import Iterator

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from jimbo.cli.main import app
from jimbo.cli.verbs import load


def verbs(command: object, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    yield words, command
    for name, below in getattr(command, "commands", {}).items():
        yield from verbs(below if words else load(name), (*words, name))


ALL = list(verbs(get_command(app)))
IDS = [" ".join(words) or "jimbo" for words, _ in ALL]


def help_of(words: tuple[str, ...]) -> str:
    result = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "80"})
    assert result.exit_code == 0
    return result.stdout


@pytest.mark.parametrize(("words", "command"), ALL, ids=IDS)
def test_no_name_is_cut(words: tuple[str, ...], command: object) -> None:
    text = help_of(words)
    names = {name for param in command.params for name in (*param.opts, *param.secondary_opts) if name.startswith("-")}
    assert {name for name in names if not re.search(rf"(?<![\w-]){name}(?![\w-])", text)} == set()
    assert "…" not in text
    assert "..." not in re.sub(r"[\])}.A-Z]\.\.\.|\.\.\.\.|rl\.\.\.|override\.\.\.|//\.\.\.", "", text)
    assert [line for line in text.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("words", [words for words, _ in ALL], ids=IDS)
def test_types_are_words_and_flags_take_none(words: tuple[str, ...]) -> None:
    assert re.findall(r"<[^>]*>", help_of(words)) == []


@pytest.mark.parametrize(("words", "command"), ALL, ids=IDS)
def test_defaults_are_shown(words: tuple[str, ...], command: object) -> None:
    text = " ".join(help_of(words).split())
    for param in command.params:
        if param.param_type_name == "option" and not param.is_flag and param.default not in (None, "", ()):
            assert f"[default: {param.default}" in text


@pytest.mark.parametrize(
    ("verb", "shown"),
    [
        ("train rl", ["[default: tiny]", "[default: 4000000]", "[default: 0.999]", "[default: 0.01]"]),
        ("train sb3", ["[default: PPO]", "[default: tiny]", "[default: 7]"]),
        ("train value", ["[default: 7]"]),
        ("az loop", ["[default: 800]", "[default: puct]", "[default: true]"]),
    ],
)
def test_defaults_of_settings_are_shown(verb: str, shown: list[str]) -> None:
    text = help_of(tuple(verb.split()))
    assert [default for default in shown if default not in text] == []


def test_tables_in_a_text_keep_their_lines() -> None:
    assert '    "blueprint @ 2"           in ante 2\n' in help_of(("seed", "find"))


def test_it_says_what_the_package_is() -> None:
    text = " ".join(help_of(()).split())
    for part in ("simulator", "environments", "training pipeline", "assistant", "bridge to the game"):
        assert part in text
