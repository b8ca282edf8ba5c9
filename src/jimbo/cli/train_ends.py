"""How a training ends that does not end by itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from jimbo.cli.errors import INTERRUPTED, fail
from jimbo.signals import one_interrupt


@contextmanager
def ends_well(stopped: Path | str) -> Iterator[None]:
    """What goes wrong becomes a sentence. ``stopped``: what is told after Ctrl-C, or where the same command goes on."""
    try:
        with one_interrupt():
            yield
    except (ValueError, ImportError) as error:
        fail(str(error))
    except KeyboardInterrupt:
        goes_on = f"Progress is saved in {stopped}. Run the same command to resume."
        typer.echo(f"Stopped. {goes_on if isinstance(stopped, Path) else stopped}", err=True)
        raise typer.Exit(INTERRUPTED) from None
