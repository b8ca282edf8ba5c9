"""``--register``: what a command has made is kept in the registry when it is done."""

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from jimbo.cli.errors import report_errors
from jimbo.league.entry import SHOWN_ID, Entry, check_name
from jimbo.league.registering import made_of, name_for, register
from jimbo.league.registry import Registry

FLAG = "--register"
Register = Annotated[
    str | None,
    typer.Option(
        FLAG,
        metavar="[NAME]",
        help="When it is done, keep it in the registry: as NAME, or under the name of what --out names.",
    ),
]


def check_register(name: str | None, path: Path | None) -> None:
    """Raise ValueError before the work for what could not be registered after it."""
    if name is None:
        return
    if path is None:
        raise ValueError(f"{FLAG} keeps files: say where they are made, with --out.")
    check_name(name or name_for(path))
    Registry().check_free(name or name_for(path))


def register_result(name: str | None, path: Path | None) -> None:
    """Register what is in a file or folder, if that is wanted."""
    if name is None or path is None:
        return
    with report_errors(f"{path} is complete. The same command registers it."):
        tell_registered(register(made_of(path), name or name_for(path), command=typed_command()))


def typed_command() -> str:
    """The command that runs, as it can be typed again."""
    return shlex.join(["jimbo", *sys.argv[1:]])


def tell_registered(entry: Entry) -> None:
    typer.echo(f"Registered: {entry.kind} {entry.name} ({entry.id[:SHOWN_ID]}).", err=True)
