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


def test_there_are_examples_with_and_without_output() -> None:
    assert len(BLOCKS) >= 2
    assert any(output for _, output in BLOCKS)


def test_the_headline_agrees_with_the_table() -> None:
    headline = re.search(r"an agent that wins\s+(\d+) % of its runs", README)
    table = re.search(r"\| `expert` \| \*\*([\d.]+) %\*\*", README)
    assert headline
    assert table
    assert int(headline[1]) == round(float(table[1]))


def test_the_picture_shows_the_game_as_it_is() -> None:
    """``python docs/picture.py`` draws it anew."""
    spec = importlib.util.spec_from_file_location("picture", ROOT / "docs" / "picture.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert "](docs/play.svg)" in README
    assert module.picture() == (ROOT / "docs" / "play.svg").read_text(encoding="utf-8")
