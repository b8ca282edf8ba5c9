"""The code of docs/own-network.md runs, and the example learns."""

import re
import runpy
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jimbo.cli.main import app

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "own-network.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def test_the_page_has_its_programs() -> None:
    assert len(BLOCKS) == 5


@pytest.mark.parametrize("number", range(5))
def test_the_programs_run(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pytest.importorskip("sb3_contrib" if "sb3_contrib" in BLOCKS[number] else "torch")
    if "games.parquet" in BLOCKS[number]:
        recorded = CliRunner().invoke(app, ["rollout", "--agent", "random", "--games", "2", "--out", "games.parquet"])
        assert recorded.exit_code == 0
    exec(compile(BLOCKS[number], str(PAGE), "exec"), {})


def test_the_example_learns_and_is_evaluated(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    example = runpy.run_path(str(ROOT / "examples" / "ppo_campaign.py"))
    shared = example["main"].__globals__
    shared.update(ENVS=8, STEPS=8, MINIBATCH=16)
    monkeypatch.setattr(sys, "argv", ["ppo_campaign.py", "0.005", "--games", "2", "--threads", "1"])
    example["main"]()
    *updates, last = capsys.readouterr().out.splitlines()
    assert updates
    assert all("decisions" in line for line in updates)
    assert re.fullmatch(r"\d+\.\d% of 2 new games won, always taking the likeliest option", last)
    assert len((ROOT / "examples" / "ppo_campaign.py").read_text().splitlines()) <= 250


def test_choosing_from_lists_of_different_lengths() -> None:
    pytest.importorskip("torch")
    import numpy as np

    example = runpy.run_path(str(ROOT / "examples" / "ppo_campaign.py"))
    lengths = np.array([2, 0, 3, 1])
    assert example["spans"](lengths, np.array([2, 0, 1])).tolist() == [2, 3, 4, 0, 1]
