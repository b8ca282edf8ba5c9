"""``jimbo what-wins``: what things are worth to a learnt value, as a page for players."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Annotated

import typer

from jimbo.cli.errors import fail
from jimbo.cli.flags import AsJson
from jimbo.console import make_console, make_progress
from jimbo.engine.catalog import STAKES
from jimbo.eval.comparison import places_of
from jimbo.eval.worths import Worths, find_worths
from jimbo.files import check_place, reason
from jimbo.league.players import registered_file
from jimbo.report.networks import write_worths

_DECK = "b_red"


def what_wins(
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="The page, in Markdown; its pictures and numbers go next to it.")
    ],
    games: Annotated[
        int, typer.Option(min=1, max=100_000, metavar="N", help="Games of the agent fast, at each stake.")
    ] = 120,
    stakes: Annotated[
        str, typer.Option(metavar="NAMES", help="all, or names of stakes, separated by commas.")
    ] = "white,gold",
    model: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A value of your own, from jimbo train value.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Report what jokers, vouchers, levels and money add to the win probability of a learnt value, ante by ante.

    For example: jimbo what-wins --out what-wins.md
    """
    try:
        asked = [stake for _, stake in places_of(_DECK, stakes)]
        model = Path(registered_file(str(model))) if model else None
        if not out.parent.is_dir():
            raise ValueError(f"There is not a folder {out.parent}. Make it first, or name another one with --out.")
        check_place(out)
        found = [_found(stake, games, model) for stake in asked]
        written = write_worths(out, found, _command(games, stakes, model))
    except ValueError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{out} cannot be written: {reason(error)}.")
    if as_json:
        typer.echo(json.dumps({"files": [str(path) for path in written]}))
    else:
        typer.echo(f"Written: {out}, {len(written) - 2} pictures next to it, and the numbers: {written[-1]}.")


def _found(stake: str, games: int, model: Path | None) -> Worths:
    bars = make_progress(make_console(stderr=True), "{task.completed:,.0f} of {task.total:,.0f}", bar_width=24)
    with bars:
        task = bars.add_task("", total=games)

        def told(doing: str, done: int, of: int) -> None:
            bars.update(task, description=f"{STAKES[stake].name}: {doing}", completed=done, total=of)

        return find_worths(stake, games, told, model)


def _command(games: int, stakes: str, model: Path | None) -> str:
    words = ["jimbo", "what-wins", "--games", str(games), "--stakes", stakes]
    return shlex.join([*words, *(["--model", model.name] if model else [])])
