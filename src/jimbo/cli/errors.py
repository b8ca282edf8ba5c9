"""How commands refuse bad input."""

from typing import NoReturn

import typer

BAD_INPUT = 2


def fail(message: str) -> NoReturn:
    """Ends the command with a sentence on the error stream."""
    typer.echo(f"jimbo: {sentence(message)}", err=True)
    raise typer.Exit(BAD_INPUT)


def sentence(text: str) -> str:
    """With one full stop at its end: a message that quotes another may have none, or two."""
    return text if text.endswith(("?", "!")) else f"{text.rstrip('.')}."
