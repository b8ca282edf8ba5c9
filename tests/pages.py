"""Pages that can be followed: their commands run, one after the other, and print what the page shows."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).resolve().parents[1] / "docs"
_CUT = "..."


class Block(NamedTuple):
    """Commands, and what they print if that follows. What depends on luck is marked "text example"."""

    commands: str
    is_example: bool
    shown: str


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def blocks(text: str) -> list[Block]:
    found = re.findall(r"```sh\n(.*?)```\n(?:\n```text( example)?\n(.*?)```\n)?", text, re.DOTALL)
    return [Block(commands, bool(example), shown) for commands, example, shown in found]


def follow(text: str, folder: Path, **env: str) -> None:
    """Run all of it in a folder; AssertionError for a command that fails or does not print what is shown."""
    for block in blocks(text):
        printed = _words(_run(block.commands, folder, env))
        if not block.is_example:
            assert [line for line in _words(block.shown) if line not in printed] == []


def unrun(text: str) -> list[str]:
    """Commands in blocks of other kinds, which nobody runs."""
    fenced = re.findall(r"```(\w*)[^\n]*\n(.*?)```", text, re.DOTALL)
    return [line for kind, block in fenced if kind != "sh" for line in block.splitlines() if line.startswith("jimbo ")]


def _run(commands: str, folder: Path, env: dict[str, str]) -> str:
    """What they print, as on a terminal of 80 columns."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        cwd=folder,
        env={**os.environ, "PATH": path, "COLUMNS": "80", "LANG": "C.UTF-8", **env},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{commands}\n{done.stdout}"
    return done.stdout


def _words(text: str) -> list[str]:
    """Its lines without their numbers, which differ from one machine to the next."""
    lines = (" ".join(re.sub(r"[-+]?\d[\d,.]*", "#", line).split()) for line in text.splitlines())
    return [line for line in lines if line and line != _CUT]
