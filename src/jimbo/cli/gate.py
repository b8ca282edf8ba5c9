"""``jimbo gate``: whether one agent is better than another, with as few games as the answer needs."""

import json
import shlex
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.live import Live
from rich.table import Table

from jimbo.cli.agent_flags import agent_from_flags, import_from_here
from jimbo.cli.commands import Verbs
from jimbo.cli.errors import report_errors
from jimbo.cli.flags import AsJson, Workers
from jimbo.cli.registry import Folder
from jimbo.console import make_console
from jimbo.league.decision import GateDecision
from jimbo.league.entry import PREFIX
from jimbo.league.gate import Contestant, GateMoment, contestant_of, run_gate
from jimbo.league.registry import CHAMPION, Registry
from jimbo.league.spec import GateSpec, read_spec, shipped
from jimbo.report import terminal

app = Verbs(help="Decide by games whether one agent may take another's place.", no_args_is_help=True)
NOT_PROMOTED = 1
_AGAIN, _AGAIN_IN_LOGS = 0.2, 60.0
"""Seconds between two pictures, and between two lines where there is no terminal."""
_WIDTH = 61

Spec = Annotated[
    str, typer.Argument(metavar="SPEC", help="A gate of jimbo gate list, or a .yaml or .toml file.", show_default=False)
]
_AGENT = '"AGENT [KEY=VALUE]..." or registry:NAME'
Challenger = Annotated[str, typer.Option(metavar="AGENT", help=f"Who wants the place: {_AGENT}.")]
Champion = Annotated[str, typer.Option(metavar="AGENT", help="Who holds it now, named in the same way.")]
OutFolder = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="Keep games and decision here; the same command resumes.")
]


@app.command("run")
def run(
    spec: Spec,
    challenger: Challenger,
    champion: Champion = PREFIX + CHAMPION,
    out: OutFolder = None,
    folder: Folder = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Play a challenger against a champion until a gate has its answer.

    For example: jimbo gate run quick --challenger "expert effort=2" --champion expert --out DIR

    The verdict is promote, reject, equivalent or inconclusive; the exit code is 0 for promote and 1 for the others. The
    registry counts the tests of each champion.
    """
    with report_errors(out or "Nothing was kept."):
        registry, gate = Registry(folder), read_spec(spec)
        players = [contestant(text, registry) for text in (challenger, champion)]
        with GateScreen(gate) as screen:
            decision = run_gate(gate, *players, registry=registry, folder=out, workers=workers, progress=screen.show)
        show_decision(decision, as_json)
    raise typer.Exit(0 if decision.verdict == "promote" else NOT_PROMOTED)


@app.command("list")
def list_gates(as_json: AsJson = False) -> None:
    """List the gates that come with Jimbo."""
    specs = [read_spec(name) for name in shipped()]
    if as_json:
        typer.echo(json.dumps([{**spec.data, "hash": spec.hash} for spec in specs]))
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for head in ("gate", "points", "at most", "what it is for"):
        table.add_column(head, overflow="fold")
    for spec in specs:
        games = spec.games
        table.add_row(spec.name, f"{points(games.h0)} or {points(games.h1)}", f"{games.pairs:,} pairs", spec.about)
    make_console().print(table)


def contestant(text: str, registry: Registry) -> Contestant:
    """Who is meant by ``registry:NAME``, or by an agent with its options; ValueError for anything else."""
    if text.startswith(PREFIX):
        found = contestant_of(registry, registry.resolve(text))
        import_from_here(found.agent)
        return found
    try:
        agent, *options = shlex.split(text)
    except ValueError:
        raise ValueError(f'"{text}" is not an agent. Write {_AGENT}.') from None
    made, given = agent_from_flags(agent, options)
    return Contestant(name=text, agent=made.name, options=given)


def show_decision(decision: GateDecision, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(decision.data))
    else:
        make_console().print(terminal(decision.report()), crop=False)


class GateScreen:
    """The log-likelihood ratio between its bounds while games are played; a line now and then without a terminal."""

    def __init__(self, spec: GateSpec) -> None:
        self._spec = spec
        self._console = make_console(stderr=True)
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._next = 0.0

    def __enter__(self) -> "GateScreen":
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def show(self, now: GateMoment) -> None:
        if time.monotonic() < self._next:
            return
        if self._console.is_terminal:
            self._next = time.monotonic() + _AGAIN
            self._live.update(gate_picture(self._spec, now), refresh=True)
        else:
            self._next = time.monotonic() + _AGAIN_IN_LOGS
            if now.tally.pairs:
                typer.echo(f"{now.stage.name}: {now.stage.test.line(now.tally)}", err=True)


def points(number: float) -> str:
    """A difference as people read it: 0 without a sign."""
    return f"{number:+g}" if number else "0"


def gate_picture(spec: GateSpec, now: GateMoment) -> Any:
    """The ratio as a mark between "not better" and "better", and the counts."""
    test, tally = now.stage.test, now.tally
    low, high = test.bounds
    ratio = test.ratio(tally) if tally.pairs else 0.0
    marks = ["─"] * _WIDTH
    for value, mark in ((0.0, "│"), (ratio, "●")):
        marks[round((min(max(value, low), high) - low) / (high - low) * (_WIDTH - 1))] = mark
    picture = Table.grid()
    picture.add_row(f"gate {spec.name}, stage {now.stage.name}: {tally.pairs:,} of at most {now.stage.pairs:,} pairs")
    picture.add_row(f"{points(test.h0)} {''.join(marks)} {points(test.h1)} points")
    picture.add_row(test.line(tally) if tally.pairs else "No pair is complete yet.")
    if now.outcome == "h1":
        picture.add_row("Answered; more pairs are played for the guards.")
    return picture
