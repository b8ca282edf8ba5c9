"""The ``jimbo`` command and its verbs.

A verb is a module beside this one, added at the end of this file with one line: ``app.command()(verify.verify)`` for a
plain verb, ``app.add_typer(seed.app, name="seed")`` for one that has verbs of its own.
"""

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from jimbo import __version__
from jimbo.cli import bench, play, replay, seed, verify, watch
from jimbo.cli.console import use_ascii_where_needed
from jimbo.cli.eval import eval_agent


class Verbs(TyperGroup):
    """The command as a whole."""

    def main(self, *args: Any, **options: Any) -> Any:
        use_ascii_where_needed()
        return super().main(*args, **options)


app = typer.Typer(
    name="jimbo",
    cls=Verbs,
    help="An exact, fast rules engine for Balatro.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"jimbo {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """An exact, fast rules engine for Balatro."""


app.command()(bench.bench)
app.command("eval")(eval_agent)
app.command()(play.play)
app.command()(replay.replay)
app.add_typer(seed.app, name="seed")
app.command()(verify.verify)
app.command()(watch.watch)
