"""``jimbo data``: files of decisions summarized, validated and converted."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from jimbo.cli.commands import Verbs
from jimbo.cli.errors import fail
from jimbo.console import make_console
from jimbo.data import dataset
from jimbo.signals import one_interrupt
from jimbo.text import counted

app = Verbs(help="Summarise, check and convert files of jimbo rollout.", no_args_is_help=True)

File = Annotated[Path, typer.Argument(metavar="FILE", help="A .jsonl or .parquet file of jimbo rollout.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


@app.command()
def summary(file: File, as_json: AsJson = False) -> None:
    """Summarise games, decisions and results. JSON lines are read by replaying their games."""
    try:
        found = dataset.summarize(file)
    except (ValueError, ImportError) as error:
        fail(str(error))
    if as_json:
        typer.echo(json.dumps(found))
    else:
        _show(found)


@app.command()
def validate(file: File, as_json: AsJson = False) -> None:
    """Check every decision by replaying its game, and name the first that disagrees."""
    try:
        count = dataset.validate(file)
    except (ValueError, ImportError) as error:
        fail(str(error))
    typer.echo(json.dumps({"validated_records": count}) if as_json else f"validated_records={count}")


@app.command()
def convert(
    file: File,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where to write: .parquet for .jsonl, or the other way.")],
    as_json: AsJson = False,
) -> None:
    """Convert JSON lines to Parquet, or Parquet to JSON lines."""
    with one_interrupt():
        try:
            count = dataset.convert(file, out)
        except (ValueError, ImportError) as error:
            fail(str(error))
    data = {"converted_records": count, "file": str(out)}
    typer.echo(json.dumps(data) if as_json else f"{counted(count, 'decision')} written: {out}")


# --- What is shown ----------------------------------------------------------------------------------------------------


def _show(found: Mapping[str, Any]) -> None:
    console = make_console()
    table = Table.grid(padding=(0, 2))
    for name, text in _lines(found):
        table.add_row(name, text)
    console.print(table)


def _lines(data: Mapping[str, Any]) -> list[tuple[str, str]]:
    made = " ".join(f"{name} {text}," for name, text in data["versions"].items() if name != "engine")
    listed, valued = data["listed_share"], data["valued_share"]
    return [
        ("file", f"{data['file']} ({data['schema']})"),
        ("size", f"{data['bytes']:,} bytes, {data['bytes_per_decision']:,.0f} for each decision"),
        ("games", f"{data['games']:,}: {_shares(data['results'])}"),
        ("players", "; ".join(f"{name} ({count:,})" for name, count in data["players"].items())),
        ("final antes", _counts(data["final_antes"])),
        ("decisions", f"{data['total_records']:,}: {_shares(data['phases'])}"),
        ("actions", _counts(data["actions"])),
        ("candidates", f"{listed:.1%} of the actions taken are listed, {valued:.1%} of the decisions have values"),
        ("versions", f"{made} schema_hash {data['schema_hash']}"),
    ]


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name}: {count:,}" for name, count in counts.items())


def _shares(counts: Mapping[str, int]) -> str:
    total = sum(counts.values())
    return ", ".join(f"{name} {count / total:.1%}" for name, count in counts.items())
