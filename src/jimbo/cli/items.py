"""``jimbo items``: the items of the game as tables."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from jimbo.cli.errors import fail
from jimbo.cli.flags import AsJson
from jimbo.colours import CYAN, QUIET
from jimbo.console import make_console
from jimbo.engine.catalog import STAKES
from jimbo.files import in_words, sentence
from jimbo.report.items import KINDS, WITH_WORTHS, MeasuredWorths, Row, as_csv, item_rows, read_measured

_ANTES_OF_ONE_STAKE, _ANTES_OF_MORE = (1, 4, 8), (1, 8)
_WIDTH = len("+6.7 +/- 0.8")


def items(
    kind: Annotated[
        str, typer.Option(metavar="NAME", help=f"What is listed: {', '.join(KINDS)}.", autocompletion=lambda: [*KINDS])
    ] = "jokers",
    worths: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Add what jimbo what-wins has measured: the JSON file next to its page."),
    ] = None,
    as_csv_: Annotated[bool, typer.Option("--csv", help="Print comma-separated values with a head.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the items of the game: name, key, rarity, price and text; with --worths also what they are worth.

    For example: jimbo items --kind jokers --csv > jokers.csv
    """
    if kind not in KINDS:
        fail(f'There are no items "{kind}". Choose one of {", ".join(KINDS)}.')
    if as_csv_ and as_json:
        fail("Choose --csv or --json, not both.")
    if worths and kind not in WITH_WORTHS:
        fail(f"Worths are measured of {', '.join(WITH_WORTHS)}, not of {kind}. Leave --worths out.")
    measured = _read(worths) if worths else None
    rows = item_rows(kind, measured)
    if as_csv_:
        typer.echo(as_csv(rows), nl=False)
    elif as_json:
        typer.echo(json.dumps({"kind": kind, "worths": measured.command if measured else None, "items": rows}))
    else:
        _show(rows, measured)


def _read(path: Path) -> MeasuredWorths:
    try:
        return read_measured(path)
    except (OSError, UnicodeError) as error:
        fail(in_words(error))
    except ValueError as error:
        what = sentence(f"{path} is not what jimbo what-wins has measured: {error}")
        fail(f"{what} Make it with jimbo what-wins --out PAGE.md")


def _show(rows: Sequence[Row], measured: MeasuredWorths | None) -> None:
    """As much as fits: keys are left to the other forms, and where there are worths, texts and most antes, too."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=QUIET)
    facts = [name for name in rows[0] if name not in ("key", "text") and not name.startswith("worth_")]
    for name in facts:
        table.add_column(name.replace("_", " "), style=CYAN if name == "name" else "", no_wrap=name == "name")
    stakes = measured.stakes if measured else ()
    antes = _ANTES_OF_ONE_STAKE if len(stakes) == 1 else _ANTES_OF_MORE
    names = [f"{one.stake.removeprefix('stake_')}_{ante}" for one in stakes for ante in antes]
    for name in names:
        table.add_column(name.replace("_", " "), justify="right", no_wrap=True, min_width=_WIDTH)
    if not measured:
        table.add_column("text", ratio=1)
        facts.append("text")
    for row in rows:
        table.add_row(*(_text(row[name]) for name in facts), *(_worth(row, f"worth_{name}") for name in names))
    console = make_console()
    console.print(table)
    if measured:
        of = ", ".join(f"{STAKES[one.stake].name} ({one.games} games)" for one in stakes)
        console.print(
            Text(
                f"Worth in points of the chance to win, by stake and ante, with the half of its 95 % interval: {of}. "
                "--csv and --json have all antes, keys and texts.",
                style=QUIET,
            )
        )


def _text(value: object) -> Text:
    return Text("" if value is None else f"{value:g}" if isinstance(value, float) else str(value))


def _worth(row: Row, name: str) -> Text:
    if row[name] is None:
        return Text("")
    mean = round(row[name], 1) or 0.0  # and not -0.0
    return Text(f"{mean:+.1f} +/- {(row[f'{name}_high'] - row[f'{name}_low']) / 2:.1f}")
