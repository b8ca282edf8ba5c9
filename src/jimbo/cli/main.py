"""The ``jimbo`` command and its verbs.

A verb is a module beside this one, added at the end of this file with one line: ``app.command()(verify.verify)`` for a
plain verb, ``app.add_typer(seed.app, name="seed")`` for one that has verbs of its own.
"""

from typing import Annotated

import typer

from jimbo import __version__
from jimbo.cli import bench, play, replay, seed, verify, watch
from jimbo.cli.eval import eval_agent
from jimbo.eval.agent_options import options_help

app = typer.Typer(
    name="jimbo",
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
app.command("eval", epilog=options_help())(eval_agent)
app.command()(play.play)
app.command()(replay.replay)
app.add_typer(seed.app, name="seed")
app.command()(verify.verify)
app.command(epilog=options_help())(watch.watch)
