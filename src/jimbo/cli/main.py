"""The ``jimbo`` command and its verbs.

A verb is a module beside this one, added at the end of this file by its name, its place and the first line of its help.
"""

from typing import Annotated

import typer

from jimbo.cli.help import Verbs
from jimbo.cli.verbs import LateVerbs, late_verb

app = Verbs(
    name="jimbo",
    cls=LateVerbs,
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from jimbo.cli.version import version_text

        typer.echo(version_text())
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            help="Print the version, the signature of the rules and the hashes of the schemas.",
        ),
    ] = False,
) -> None:
    """An exact simulator of Balatro, with environments, a training pipeline, an assistant and a bridge to the game."""


late_verb(
    app,
    "ablation",
    "jimbo.cli.ablation:compare_strategies",
    "Compare several strategies with the first one, on the same seeds.",
)
late_verb(app, "advise", "jimbo.cli.advise:advise", "Say what to do in one state of the game, read from a file.")
late_verb(app, "agents", "jimbo.cli.agents:agents", "List the agents, or describe one and its options.")
late_verb(
    app,
    "assist",
    "jimbo.cli.assist:assist",
    "Play with an agent at your side: it suggests, you accept, refuse or do something else.",
)
late_verb(app, "az", "jimbo.cli.az:app", "Learn by self-play: actors, a trainer, an evaluator, a loop.")
late_verb(app, "bench", "jimbo.cli.bench:app", "Measure the engine on this machine.")
late_verb(app, "data", "jimbo.cli.data:app", "Summarise, check and convert files of jimbo rollout.")
late_verb(
    app,
    "doctor",
    "jimbo.cli.doctor:doctor",
    "Say whether this machine has what Jimbo needs, and how to fix what is missing.",
)
late_verb(app, "eval", "jimbo.cli.eval:eval_agent", "Evaluate an agent over many runs.")
late_verb(
    app,
    "eval-matrix",
    "jimbo.cli.eval_matrix:eval_matrix",
    "Evaluate an agent on several decks and stakes.",
)
late_verb(
    app, "parity", "jimbo.cli.parity:parity", "Set up situations in a game, play them, and compare with the simulator."
)
late_verb(app, "play", "jimbo.cli.play:play", "Play a run by typing numbers and letters; ? lists what you can do.")
late_verb(
    app,
    "quickstart",
    "jimbo.cli.quickstart:quickstart",
    "From nothing to a network that plays, in minutes: games, dataset, training, evaluation, a suggestion.",
)
late_verb(
    app,
    "replay",
    "jimbo.cli.replay:replay",
    "Show a recorded run and check it: every action must be legal, and the end the same.",
)
late_verb(app, "rollout", "jimbo.cli.rollout:rollout", "Let an agent play games and record every decision.")
late_verb(app, "seed", "jimbo.cli.seed:app", "Show what seeds contain, or find seeds that contain what you want.")
late_verb(app, "serve", "jimbo.cli.serve:app", "Serve the simulator to programs that talk to the game.")
late_verb(
    app,
    "sweep",
    "jimbo.cli.sweep:sweep",
    "Measure steps per second for several numbers of instances, each several times.",
)
late_verb(app, "trace", "jimbo.cli.trace:app", "Record runs over the wire, play them again elsewhere, compare.")
late_verb(app, "train", "jimbo.cli.train:app", "Train networks and values: one verb per method.")
late_verb(
    app,
    "watch",
    "jimbo.cli.watch:watch",
    "Watch an agent play a run, with what it considered and why it chose as it did.",
)
late_verb(
    app,
    "what-wins",
    "jimbo.cli.what_wins:what_wins",
    "Report what jokers, vouchers, levels and money add to the win probability of a learnt value, ante by ante.",
)
