"""How a training ends that does not end by itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from jimbo.cli.errors import INTERRUPTED, fail
from jimbo.signals import one_interrupt


@contextmanager
def ends_well(out_dir: Path) -> Iterator[None]:
    """What goes wrong becomes a sentence; Ctrl-C leaves what was done."""
    try:
        with one_interrupt():
            yield
    except (ValueError, ImportError) as error:
        fail(str(error))
    except KeyboardInterrupt:
        typer.echo(f"Stopped. What was done is kept in {out_dir}; the same command goes on.", err=True)
        raise typer.Exit(INTERRUPTED) from None
