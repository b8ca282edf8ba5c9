"""``jimbo replay``: a recorded run again, checked step by step."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from jimbo.backends import ReplayBackend
from jimbo.cli.errors import fail
from jimbo.data import BadRecord, Record, read_record, versions
from jimbo.rollout import Rollout
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
    """Show a recorded run and check it: every action must be legal, and the end the same.

    The exit code is 1 if the check fails.
    """
    try:
        show = Show(as_json=as_json, delay=delay, on_enter=on_enter)
        record = read_record(file)
        backend = _backend(record)
        rollout = Rollout(backend)
        rollout.start_as(record.header)
    except ValueError as error:
        fail(str(error))
    show.begin(record.header)
    try:
        for moment in rollout.replay(record.decisions):
            show.moment(moment)
    except BadRecord as error:
        _refuse(str(error), record)
    except (KeyboardInterrupt, EOFError):
        typer.echo("Left before the end, so the end is not checked.", err=True)
        raise typer.Exit(NOT_CONFIRMED) from None
    end = rollout.ending()
    show.finish(end)
    if backend.differences:
        step, found = backend.differences[0]
        where = f"after decision {step}, {found.path} is {found.there} in the record and {found.here} in the simulator"
        _refuse(f"Of the states that were kept, the first that is not the same: {where}.", record)
    if record.end is None:
        _refuse("The record has no end, so the last state cannot be checked.", record)
    # A world that was not the simulator can tell only what its player saw.
    if (end if record.end.state_hash else replace(end, state_hash=None)) != record.end:
        _refuse("The run ends in a different state from the one recorded.", record)
    state = (end.state_hash or end.public_hash)[:16]
    typer.echo(f"Confirmed: all actions ({end.steps}) are legal and the last state agrees ({state}).", err=True)


def _backend(record: Record) -> ReplayBackend:
    header = record.header
    return ReplayBackend(
        deck=header.deck,
        stake=header.stake,
        seed=header.seed,
        challenge=header.challenge,
        actions=[decision.action for decision in record.decisions],
        states={snapshot.step: snapshot.state for snapshot in record.snapshots},
    )


def _refuse(message: str, record: Record) -> NoReturn:
    """Says that the record is not confirmed, and names a reason that is not the file's fault."""
    typer.echo(f"Not confirmed. {message}", err=True)
    if dict(record.header.versions) != versions():
        typer.echo(
            "It was recorded by a different version: " + ", ".join(record.header.versions.values()) + ".", err=True
        )
    raise typer.Exit(NOT_CONFIRMED)
