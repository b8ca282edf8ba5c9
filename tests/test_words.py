"""Wordings that misled readers have gone and stay away, and the fields' own terms stand in their place."""

import re
import tomllib
from dataclasses import fields
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jimbo.cli.main import app
from jimbo.engine.catalog import JOKERS

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("src", "engine", "bindings", "docs", "examples", "benchmarks")
ENDINGS = (".py", ".md", ".yaml", ".toml", ".hpp", ".cpp", ".txt", ".html")

RETIRED = (
    "PPO of our own",
    "drawn for the occasion",
    "is the same in a hurry",
    "what to do where it has not",
    "the games are counted",
    "the own learner",
    "no part of the network that plays",
    "The best network is of iteration",
    "wants the same word",
    "written, not tried",
    "tells no chances",
    "no theorem",
    "is not as its game goes",
    "Actors that rest",
    "more from each defeated Boss Blind on",
    "mean 0 and spread",
    # What twenty games of a training do not show.
    "it gains nothing here",
    "change nothing that 20 seeds could show",
    "`pv` and `bc` cannot be told apart",
)


def plain(text: str) -> str:
    """On one line, without the signs of comments, as it is read."""
    return " ".join(re.sub(r"^\s*(//|#)\s?", " ", line) for line in text.splitlines()).replace("  ", " ").lower()


@cache
def texts() -> dict[str, str]:
    files = [path for name in FOLDERS for path in (ROOT / name).rglob("*") if path.suffix in ENDINGS]
    files += [path for path in ROOT.iterdir() if path.is_file() and path.suffix in ENDINGS]
    assert len(files) > 200
    return {str(path.relative_to(ROOT)): " ".join(plain(path.read_text(encoding="utf-8")).split()) for path in files}


@pytest.mark.parametrize("phrase", RETIRED)
def test_retired_phrases_are_nowhere(phrase: str) -> None:
    assert [name for name, text in texts().items() if phrase.lower() in text] == []


def test_rocket_says_when_it_rises() -> None:
    assert "rises by $2 for each Boss Blind defeated" in JOKERS["j_rocket"].text


@pytest.mark.parametrize(
    ("verb", "terms"),
    [
        ("train rl", ["Discount factor", "Entropy coefficient", "learning rate"]),
        ("train pv", ["Weight decay", "Dropout rate", "Peak learning rate", "passes over the data (epochs)"]),
        ("az loop", ["Weight decay", "Learning rate"]),
    ],
)
def test_help_uses_the_terms_of_the_field(verb: str, terms: list[str]) -> None:
    shown = CliRunner().invoke(app, [*verb.split(), "--help"], env={"COLUMNS": "80"}).stdout
    text = " ".join(shown.split()).lower()
    assert [term for term in terms if term.lower() not in text] == []


def test_normalization_and_comparisons_tell_standard_deviations(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sb3_contrib")
    from jimbo.training.config import TrainerConfig
    from jimbo.training.metrics import print_comparison_table

    told = {field.name: str(field.metadata) for field in fields(TrainerConfig)}
    for name in ("normalize_obs", "normalize_reward"):
        assert "standard deviation 1" in told[name]
    print_comparison_table([{"algorithm": "PPO", "mean_reward": 0.5, "std_reward": 0.25}])
    shown = capsys.readouterr().out
    assert "std" in shown
    assert "spread" not in shown


def test_the_package_says_what_it_is() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for part in ("simulator", "environments", "training pipeline", "assistant", "bridge to the game"):
        assert part in project["description"]


def test_nobody_is_sent_to_the_package_of_others() -> None:
    """The package index has another project by the name of the module."""
    sent = {name for name, text in texts().items() if re.search(r"pip install (-\w+ )*[\"']?jimbo(?![\w-])", text)}
    assert sent == set()


def rows() -> list[str]:
    """Rows of tables and paragraphs of the pages for readers."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    blocks = [block for page in pages for block in page.read_text(encoding="utf-8").split("\n\n")]
    return [row for block in blocks for row in (block.splitlines() if block.startswith("|") else [block])]


@pytest.mark.parametrize("verb", ["train sb3", "train rllib"])
def test_rows_of_tables_stand_by_themselves(verb: str) -> None:
    told = [row for row in rows() if row.startswith(f"| `jimbo {verb} ")]
    assert told
    assert [row for row in told if "| the same" in row] == []


@pytest.mark.parametrize("figure", ["3 of 20", "2.35 %", "1.6 to 3.2 %"])
def test_figures_of_other_projects_have_their_sources(figure: str) -> None:
    told = [row for row in rows() if figure in row]
    assert told
    assert [row for row in told if "](https://" not in row] == []
