"""docs/tutorial.md can be followed: its commands run, one after the other, and print what the page shows."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "tutorial.md").read_text(encoding="utf-8")
# Commands, and what they print if that follows. What depends on the luck of a training is marked "text example".
BLOCKS = re.findall(r"```sh\n(.*?)```\n(?:\n```text( example)?\n(.*?)```\n)?", PAGE, re.DOTALL)
CUT = "..."


def run(commands: str, folder: Path) -> str:
    """What they print, as on a terminal of 80 columns."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        cwd=folder,
        env={**os.environ, "PATH": path, "COLUMNS": "80", "LANG": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{commands}\n{done.stdout}"
    return done.stdout


def words(text: str) -> list[str]:
    """Its lines without their numbers, which differ from one machine to the next."""
    lines = (" ".join(re.sub(r"[-+]?\d[\d,.]*", "#", line).split()) for line in text.splitlines())
    return [line for line in lines if line and line != CUT]


@pytest.mark.slow
def test_every_command_runs_and_prints_what_is_shown(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    for commands, example, shown in BLOCKS:
        printed = words(run(commands, tmp_path))
        if not example:
            assert [line for line in words(shown) if line not in printed] == []


def test_every_command_is_in_a_block_that_is_run() -> None:
    fenced = re.findall(r"```(\w*)[^\n]*\n(.*?)```", PAGE, re.DOTALL)
    typed = [line for kind, block in fenced if kind != "sh" for line in block.splitlines() if line.startswith("jimbo ")]
    assert typed == []
    verbs = {" ".join(line.split()[1:3]) for commands, *_ in BLOCKS for line in commands.splitlines()}
    for verb in ("train bc", "train pv", "train dagger", "train distill", "data summary"):
        assert verb in verbs
    for verb in ("rollout", "eval", "ablation", "assist", "advise", "watch"):
        assert any(name.split()[0] == verb for name in verbs)


def test_it_warns_that_figures_differ_and_draws_no_more_than_holds_everywhere() -> None:
    """What a training of a minute shows depends on the machine; tests/test_words.py holds what was said too much."""
    before_the_steps = " ".join(PAGE.split("\n## ")[0].split())
    assert "Your figures will differ from these." in before_the_steps
    assert "read everything else off your own intervals" in before_the_steps
