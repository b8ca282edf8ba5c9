"""What ``jimbo quickstart`` ends with: a table, the files, and what to try next."""

from __future__ import annotations

import json
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from jimbo.cli.quickstart_steps import Places, Sizes, next_steps, steps
from jimbo.colours import CYAN, QUIET
from jimbo.eval.folders import SUMMARY
from jimbo.files import read_text
from jimbo.text import percent_text

SCHEMA = "jimbo_quickstart_v1"
_TUTORIAL = "docs/tutorial.md goes through all of this step by step."


def result_data(places: Places, sizes: Sizes, found: dict[str, Any], seconds: float) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "out": str(places.out),
        "seconds": round(seconds, 1),
        "agents": agent_rows(places),
        "commands": [str(command) for step in steps(places, sizes) for command in step.commands],
        "files": [str(path) for path in places.files()],
        "next": [str(command) for command in next_steps(places, sizes)],
        **found,
    }


def agent_rows(places: Places) -> list[dict[str, Any]]:
    """How well each agent played."""
    rows = json.loads(read_text(places.online / SUMMARY))["rows"]
    wanted = ("games", "ante1_clear", "mean_ante", "wins")
    return [{"agent": row["strategy"], **{name: row[name] for name in wanted}} for row in rows]


def show(console: Console, places: Places, sizes: Sizes, seconds: float) -> None:
    _head(console, f"Done in {seconds:.0f} seconds")
    console.print(_agents(places))
    _head(console, "Files")
    _pairs(console, [(str(path), what) for path, what in places.files().items()])
    _head(console, "What to try next")
    for command, what in next_steps(places, sizes).items():
        console.print(Text(what, style=QUIET))
        console.print(Text(f"  {command}"), soft_wrap=True)  # it is copied as it is, so it is not broken into lines
    console.print(Text(f"\n{_TUTORIAL}"))


def _head(console: Console, text: str) -> None:
    console.print(Text(f"\n{text}", style=f"bold {CYAN}"))


def _agents(places: Places) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style=QUIET)
    table.add_column("agent")
    for name in ("games", "ante 1 cleared", "mean ante", "won"):
        table.add_column(name, justify="right")
    for row in agent_rows(places):
        figures = (f"{row['games']}", percent_text(row["ante1_clear"]), f"{row['mean_ante']:.2f}", f"{row['wins']}")
        table.add_row(row["agent"], *figures)
    return table


def _pairs(console: Console, pairs: list[tuple[str, str]]) -> None:
    width = max(len(name) for name, _ in pairs)
    for name, what in pairs:
        console.print(Text.assemble(f"{name:<{width}}  ", (what, QUIET)), soft_wrap=True)
