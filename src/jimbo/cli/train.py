"""``jimbo train``: learn from games, one verb per method."""

import typer

from jimbo.cli.train_expert import expert
from jimbo.cli.train_networks import bc, dagger, distill, pv

app = typer.Typer(help="Learn from games: one verb per method.", no_args_is_help=True)
for verb in (bc, pv, dagger, distill, expert):
    app.command()(verb)
