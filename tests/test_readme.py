"""What the README shows is what there is: its Python runs and prints what it says, and its figures agree."""

import contextlib
import importlib.util
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
# A block of Python, and its output if that follows.
BLOCKS = re.findall(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", README, re.DOTALL)


@pytest.mark.parametrize(("code", "output"), BLOCKS, ids=range(len(BLOCKS)))
def test_python_of_the_readme_runs(code: str, output: str) -> None:
    if "gymnasium" in code:
        pytest.importorskip("gymnasium")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "README.md", "exec"), {})
    assert printed.getvalue() == output


def test_there_is_an_example_with_output() -> None:
    assert any(output for _, output in BLOCKS)


def test_it_is_short() -> None:
    lines = README.splitlines()
    assert len(lines) <= 100
    assert [line for line in lines if len(line) > 120] == []


def test_the_headline_agrees_with_the_table() -> None:
    headline = re.search(r"an agent that wins\s+(\d+) % of\s+its runs", README)
    table = re.search(r"\| `expert`.* \*\*([\d.]+) %\*\*", README)
    assert headline
    assert table
    assert int(headline[1]) == round(float(table[1]))


def test_its_figures_are_those_of_the_results() -> None:
    results = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    exactness = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    shown = README.split("| source |\n")[1].split("\n\n")[0].splitlines()[1:]
    assert len(shown) > 4
    for row in shown:
        for figure in re.findall(r"\d[\d,.]*\d(?: %| to [\d.]+| million)*", row.split(" | ")[1]):
            assert figure in results or figure in exactness, row


def test_the_picture_shows_the_game_as_it_is() -> None:
    """``python docs/picture.py`` draws it anew; tests/serve/test_assist_docs.py checks the one in the README."""
    spec = importlib.util.spec_from_file_location("picture", ROOT / "docs" / "picture.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert "](docs/assistant.svg)" in README
    assert "](play.svg)" in (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert module.picture() == (ROOT / "docs" / "play.svg").read_text(encoding="utf-8")
