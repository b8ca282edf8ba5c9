"""docs/data.md says what is there, and its commands and programs run."""

import importlib.util
import re
import shlex
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from data_page import with_tables
from jimbo.cli.main import app
from jimbo.data.columns import columns
from jimbo.data.record_v1 import FIELDS
from jimbo.data.record_v1_actions import SHOP_ACTIONS, action_entries
from jimbo.rollout.farm import SECONDS_AT_RISK, TRIES
from jimbo.rollout.runner import SEED_PREFIX
from jimbo.seeds.seed_sets import train_seeds

PAGE = Path(__file__).parents[2] / "docs" / "data.md"
TEXT = PAGE.read_text(encoding="utf-8")


def table(header: str) -> list[tuple[str, ...]]:
    rows = TEXT.split(header)[1].split("\n\n")[0].splitlines()[2:]
    return [tuple(cell.strip() for cell in row.strip("|").split(" | ")) for row in rows]


def test_the_tables_are_those_of_the_code() -> None:
    assert with_tables(TEXT) == TEXT, "run: python tools/data_page.py"
    assert len(table("| field | meaning |")) == len(FIELDS)
    assert table("| column | type | meaning |") == [(f"`{c.name}`", c.type, c.doc) for c in columns()]


def test_figures_are_those_of_the_code() -> None:
    text = " ".join(TEXT.split())
    assert f"(default `{SEED_PREFIX}`)" in text
    assert f"a new one every {SECONDS_AT_RISK:.0f} seconds" in text
    assert f"up to {('no', 'one', 'two', 'three')[TRIES]} times" in text
    eight = [kind for kind, _ in action_entries(8)]
    assert (eight.index("DISCARD"), len(eight), len(SHOP_ACTIONS)) == (218, 437, 10)


def test_seeds_are_made_as_the_page_says() -> None:
    import hashlib

    characters = "123456789ABCDEFGHIJKLMNPQRSTUVWXYZ"
    number = int(hashlib.sha256(b"jimbo-seeds/train-rollout-MINE/v1/0").hexdigest(), 16)
    digits = [number // 34**place % 34 for place in range(8)][::-1]
    assert list(islice(train_seeds("rollout-MINE"), 1)) == ["".join(characters[digit] for digit in digits)]


def test_commands_and_programs_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^jimbo (.*)$", TEXT, re.MULTILINE)
    assert len(commands) == 5
    for line in commands:
        words = shlex.split(line.replace("--agent expert --games 10", "--agent greedy --games 2"))
        words += ["--workers", "1"] if words[0] == "rollout" else []
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 0, done.stderr
    names: dict[str, Any] = {}
    ran = 0
    for block in re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL):
        package = re.search(r"import (pandas|polars)", block)
        if package is None or importlib.util.find_spec(package[1]):
            exec(compile(block, str(PAGE), "exec"), names)
            ran += 1
    assert ran >= 3
    assert (names["kind"], len(names["samples"].played)) == ("PLAY", 12)
    assert len(names["values"]) == len(names["ids"]) == len(names["numbers"])
