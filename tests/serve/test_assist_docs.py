"""docs/assistant.md says what is there."""

import contextlib
import importlib.util
import io
import json
import re
import shlex
from pathlib import Path

from typer.testing import CliRunner

from jimbo.cli.main import app
from jimbo.serve.tui.app import AssistantApp

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "assistant.md").read_text(encoding="utf-8")


def test_the_picture_shows_the_assistant_as_it_is() -> None:
    """``python docs/picture.py`` draws it anew."""
    spec = importlib.util.spec_from_file_location("picture", ROOT / "docs" / "picture.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert "](assistant.svg)" in PAGE
    assert module.assistant_picture() == (ROOT / "docs" / "assistant.svg").read_text(encoding="utf-8")
    assert "](lesson.svg)" in PAGE
    assert module.lesson_picture() == (ROOT / "docs" / "lesson.svg").read_text(encoding="utf-8")


def test_its_python_prints_what_it_says() -> None:
    ((code, output),) = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```\n", PAGE, re.DOTALL)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "assistant.md", "exec"), {})
    assert printed.getvalue() == output


def test_its_options_are_there() -> None:
    for verb in ("assist", "advise"):
        helped = CliRunner().invoke(app, [verb, "--help"], env={"COLUMNS": "200"}).stdout
        lines = [line.partition("#")[0] for line in PAGE.splitlines() if line.startswith(f"jimbo {verb}")]
        used = {word for line in lines for word in shlex.split(line) if word.startswith("--")}
        assert used
        assert [option for option in used if option not in helped] == []


def test_its_fields_are_those_of_the_json() -> None:
    line, *_ = CliRunner().invoke(app, ["assist", "--agent", "greedy"], input="").stdout.splitlines()
    advice = json.loads(line)
    tables = PAGE.split("| field | what |\n")[1].split("| field of a suggestion | what |\n")
    named = [{name for row in _rows(table) for name in re.findall(r"`(\w+)`", row)} for table in tables]
    assert named[0] == advice.keys() - {"schema"}
    assert named[1] == advice["suggestions"][0].keys()


def _rows(table: str) -> list[str]:
    """The first column, as far as the table goes."""
    lines = table.splitlines()[1:]
    return [line.split("|")[1] for line in lines[: lines.index("")]]


def test_its_keys_are_those_of_the_screen() -> None:
    told = PAGE.split("| key | what it does |\n|---|---|\n")[1].split("\n\n")[0]
    keys = {line.split("|")[1].strip().split(",")[0] for line in told.splitlines()}
    shown = {binding.key_display or binding.key.split(",")[0] for binding in AssistantApp.BINDINGS if binding.show}  # type: ignore[union-attr]
    assert keys - {"up"} == shown
