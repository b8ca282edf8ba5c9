"""``jimbo replay``: a recorded run again, checked step by step."""

from pathlib import Path
from typing import Annotated

import typer

from jimbo.cli.errors import fail
from jimbo.eval.record_files import read_record
from jimbo.eval.recording import BadRecord, Record, ending, replayed
from jimbo.eval.runner import versions
from jimbo.serve.terminal.show import DELAY, Show

NOT_CONFIRMED = 1


def replay(
    file: Annotated[Path, typer.Argument(help="A run recorded by jimbo watch --record.")],
    delay: Annotated[
        float | None, typer.Option(metavar="SECONDS", help=f"Pause after a decision; default {DELAY:g}.")
    ] = None,
    on_enter: Annotated[bool, typer.Option("--step", help="Wait for Enter after each decision.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the run as JSON lines and nothing else.")] = False,
) -> None:
    """Show a recorded run and confirm that it can be played: every action is legal, and the end is the same.

    The exit code is 1 if it is not.
    """
    try:
        show = Show(as_json=as_json, delay=delay, on_enter=on_enter)
        record = read_record(file)
        run = record.header.start()
    except ValueError as error:
        fail(str(error))
    show.begin(record.header)
    steps = 0
    try:
        for moment in replayed(record, run):
            steps = moment.step
            show.moment(moment)
    except BadRecord as error:
        _refuse(str(error), record)
    except (KeyboardInterrupt, EOFError):
        typer.echo("Left before the end, which is not checked.", err=True)
        raise typer.Exit(NOT_CONFIRMED) from None
    end = ending(run, steps)
    show.finish(end)
    if record.end is None:
        _refuse("The record has no end, so the last state cannot be checked.", record)
    if end != record.end:
        _refuse("The run ends in another state than the record says.", record)
    typer.echo(
        f"Confirmed: all actions ({steps}) are legal and the last state agrees ({end.state_hash[:16]}).", err=True
    )


def _refuse(message: str, record: Record) -> None:
    """Says that the record is not confirmed, and of a reason that is no fault of the file."""
    typer.echo(f"Not confirmed. {message}", err=True)
    if dict(record.header.versions) != versions():
        typer.echo("It was recorded by another version: " + ", ".join(record.header.versions.values()) + ".", err=True)
    raise typer.Exit(NOT_CONFIRMED)
