"""How commands refuse bad input."""

from typing import NoReturn

import typer

BAD_INPUT = 2


def fail(message: str) -> NoReturn:
    """Ends the command with a sentence on the error stream."""
    typer.echo(f"jimbo: {message}", err=True)
    raise typer.Exit(BAD_INPUT)
