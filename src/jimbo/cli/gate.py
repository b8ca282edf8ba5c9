"""``jimbo gate``: whether one agent is better than another, with as few games as the answer needs."""

import json
import os
import shlex
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.live import Live
from rich.table import Table

from jimbo.cli.agent_flags import agent_from_flags, import_from_here
from jimbo.cli.commands import Verbs, explicit_flags
from jimbo.cli.errors import report_errors
from jimbo.cli.flags import AsJson, Workers
from jimbo.cli.registry import Folder
from jimbo.console import make_console, make_progress
from jimbo.deploy.safe_run import SafeRun
from jimbo.league.chain import StepEnd, run_chain
from jimbo.league.decision import GateDecision
from jimbo.league.entry import PREFIX
from jimbo.league.gate import Contestant, GateMoment, contestant_of, run_gate
from jimbo.league.registry import CHAMPION, VARIABLE, Registry
from jimbo.league.spec import CHAINS, ChainSpec, GateSpec, Step, read_chain, read_spec, shipped
from jimbo.report import terminal
from jimbo.text import counted

app = Verbs(help="Decide by games whether one agent may take another's place.", no_args_is_help=True)
NOT_PROMOTED = 1
_AGAIN, _AGAIN_IN_LOGS = 0.2, 60.0
"""Seconds between two pictures, and between two lines where there is no terminal."""
_WIDTH = 61

Spec = Annotated[
    str, typer.Argument(metavar="SPEC", help="A gate of jimbo gate list, or a .yaml or .toml file.", show_default=False)
]
_AGENT = '"AGENT [KEY=VALUE]..." or registry:NAME'
Challenger = Annotated[str | None, typer.Option(metavar="AGENT", help=f"Who wants the place: {_AGENT}.")]
Champion = Annotated[str, typer.Option(metavar="AGENT", help="Who holds it now, named in the same way.")]
OutFolder = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="DIR",
        help="Keep games and decision here; the same command resumes. Default of a chain: jimbo- and its name.",
    ),
]
_CHAINS = "Chains"
Skip1000 = Annotated[
    bool, typer.Option("--skip-milestone-1000", help="Leave out the 1,000 games.", rich_help_panel=_CHAINS)
]
Skip2000 = Annotated[
    bool, typer.Option("--skip-milestone-2000", help="Leave out the 2,000 games.", rich_help_panel=_CHAINS)
]
_OF_GAMES, _OF_CHAINS = ("challenger", "champion", "workers"), ("skip_1000", "skip_2000")


@app.command("run")
def run(
    context: typer.Context,
    spec: Spec,
    challenger: Challenger = None,
    champion: Champion = PREFIX + CHAMPION,
    out: OutFolder = None,
    folder: Folder = None,
    workers: Workers = None,
    skip_1000: Skip1000 = False,
    skip_2000: Skip2000 = False,
    as_json: AsJson = False,
) -> None:
    """Play a challenger against a champion until a gate has its answer; or run a chain of commands.

    For example: jimbo gate run quick --challenger "expert effort=2" --champion expert --out DIR

    The verdict is promote, reject, equivalent or inconclusive; the exit code is 0 for promote and 1 for the others. The
    registry counts the tests of each champion.

    A chain names its own players: jimbo gate run p18. Its exit code is 0 if every step and gate passes, else 1.
    """
    with report_errors(out or "Nothing was kept."):
        flags = explicit_flags(context)
        if chain := read_chain(spec):
            if wrong := [flags[name] for name in _OF_GAMES if name in flags]:
                raise ValueError(f"{wrong[0]} is about a gate of games; {spec} is a chain, which names its players.")
            skipped = [size for size, left_out in ((1000, skip_1000), (2000, skip_2000)) if left_out]
            _run_chain(chain, out or Path(f"jimbo-{chain.name}"), folder, skipped, as_json)
        registry, gate = Registry(folder), read_spec(spec)
        if wrong := [flags[name] for name in _OF_CHAINS if name in flags]:
            raise ValueError(f"{wrong[0]} is about chains, and {spec} is none. Leave it out.")
        if challenger is None:
            raise ValueError(f"{spec} needs somebody who wants the champion's place: --challenger {_AGENT}.")
        players = [contestant(text, registry) for text in (challenger, champion)]
        with GateScreen(gate) as screen:
            decision = run_gate(gate, *players, registry=registry, folder=out, workers=workers, progress=screen.show)
        show_decision(decision, as_json)
    raise typer.Exit(0 if decision.verdict == "promote" else NOT_PROMOTED)


@app.command("list")
def list_gates(as_json: AsJson = False) -> None:
    """List the gates that come with Jimbo, and the chains."""
    specs = [read_spec(name) for name in shipped()]
    chains = [chain for name in shipped(CHAINS) if (chain := read_chain(name))]
    if as_json:
        typer.echo(json.dumps([*({**spec.data, "hash": spec.hash} for spec in specs), *map(asdict, chains)]))
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for head in ("gate", "points", "at most", "what it is for"):
        table.add_column(head, overflow="fold")
    for spec in specs:
        games = spec.games
        table.add_row(spec.name, f"{points(games.h0)} or {points(games.h1)}", f"{games.pairs:,} pairs", spec.about)
    for chain in chains:
        table.add_row(chain.name, "", counted(len(chain.steps), "step"), chain.about)
    make_console().print(table)


def _run_chain(chain: ChainSpec, out: Path, registry: Path | None, skipped: list[int], as_json: bool) -> NoReturn:
    """Run its steps as commands of their own, on a registry of its own."""
    env = {**os.environ, VARIABLE: str((registry or out / "registry").absolute())}

    def execute(words: Sequence[str], stem: Path, seconds: float) -> dict[str, Any]:
        command = [sys.executable, "-m", "jimbo", *words]
        log, result = stem.with_suffix(".log"), stem.with_suffix(".json")
        return asdict(SafeRun(command=command, timeout=seconds, log=log, result=result, env=env).run())

    with report_errors(out):
        with make_progress(make_console(stderr=True), "{task.completed:.0f} of {task.total:.0f} steps") as bar:
            task = bar.add_task("", total=len(chain.steps))

            def begins(step: Step) -> None:
                bar.update(task, description=step.name)

            def ended(end: StepEnd) -> None:
                bar.update(task, advance=1)
                if end.status != "done before":
                    typer.echo(end.line, err=True)

            end = run_chain(chain, out, execute, skipped=skipped, begins=begins, progress=ended)
        if as_json:
            typer.echo(json.dumps(end.data))
        else:
            make_console().print(terminal(end.report()), crop=False)
        again = "Every step has ended; another --out begins anew." if end.ended else "The same command tries it again."
        typer.echo(f"Kept in {out}.{'' if end.passed else f' {again}'}", err=True)
    raise typer.Exit(0 if end.passed else NOT_PROMOTED)


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
