"""The ``jimbo`` command and its verbs.

A verb is one line of ``VERBS``: its name and its place. It is imported when it is called; until then its help is the
first paragraph of its docstring, read from its source.
"""

from typing import Annotated, Any

import typer
from typer.main import get_command

from jimbo.cli.commands import Verbs

VERBS = {
    "Play": {
        "play": "play:play",
        "watch": "play:watch",
        "replay": "play:replay",
        "review": "review:review",
        "assist": "assist:assist",
        "advise": "assist:advise",
        "score": "score:score",
        "web": "web:web",
        "seed": "seed:app",
        "items": "items:items",
        "mcp": "mcp:mcp",
    },
    "Record, train, evaluate": {
        "quickstart": "quickstart:quickstart",
        "rollout": "rollout:rollout",
        "data": "data:app",
        "train": "train:app",
        "az": "az:app",
        "eval": "eval:eval_agent",
        "eval-matrix": "eval:eval_matrix",
        "ablation": "ablation:compare_strategies",
        "bench-llm": "bench_llm:bench_llm",
        "gate": "gate:app",
        "league": "league:app",
        "mine": "mine:mine_failures",
        "what-wins": "what_wins:what_wins",
        "graph": "graph:app",
        "agents": "agents:agents",
        "registry": "registry:app",
        "package": "package:app",
    },
    "The machine and the real game": {
        "doctor": "doctor:doctor",
        "bench": "bench:app",
        "serve": "serve:app",
        "events": "events:app",
        "telemetry": "telemetry:app",
        "parity": "parity:parity",
        "trace": "trace:app",
        "audit": "audit:audit",
        "safe-run": "safe_run:safe_run",
    },
}

OLDER = {"sweep": "bench_real:sweep"}
"""Names that verbs had before. They work; help and completion do not show them."""

app = Verbs(name="jimbo", no_args_is_help=True, pretty_exceptions_show_locals=False)


def version_text() -> str:
    """Return the version on a line of its own, and what decides whether two installations play and store the same.

    The signature is that of ``jimbo bench``; it takes some 50 ms.
    """
    from jimbo import __version__
    from jimbo.engine import batch_schema_hash, schema_hash, signature

    hashes = {
        "signature of the rules": signature(),
        "schema of states": schema_hash(),
        "schema of observations": batch_schema_hash(),
    }
    return "\n".join([f"jimbo {__version__}", *(f"{name + ':':<24}{value}" for name, value in hashes.items())])


def loaded(verb: str) -> Any:
    """Return a verb as a command, imported."""
    group: Any = get_command(app)
    return group.loaded(verb)


def _print_version(wanted: bool) -> None:
    if wanted:
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


for panel, verbs in VERBS.items():
    for name, place in verbs.items():
        app.lazy_command(name, f"jimbo.cli.{place}", panel=panel)
for name, place in OLDER.items():
    app.lazy_command(name, f"jimbo.cli.{place}", hidden=True)
