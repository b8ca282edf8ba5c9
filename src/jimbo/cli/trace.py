"""``jimbo trace``: runs over the wire, played again elsewhere and compared."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from jimbo.cli.agent_flags import agent_from_flags
from jimbo.cli.commands import Verbs
from jimbo.cli.errors import AGENT_FAILED, fail, report_errors
from jimbo.cli.flags import STAKE, AgentName, AgentOption, Deck, Seed
from jimbo.console import make_console, make_progress
from jimbo.files import check_place, write_text
from jimbo.parity.playing import Server, check_idle, record, replay, simulator
from jimbo.parity.scopes import SCOPES, project, scope_named
from jimbo.parity.trace import StepDifference, Trace, TraceFormat, read_trace, report, trace_differences, write_trace
from jimbo.rollout.loop import MAX_STEPS, AgentFailed
from jimbo.seeds.starts import deck_key, stake_key
from jimbo.text import counted
from jimbo.wire.errors import WireError

app = Verbs(help="Record runs over the wire, play them again elsewhere, compare.", no_args_is_help=True)
DIFFERENT = 1

BaseUrl = Annotated[
    str | None, typer.Option(metavar="URL", help="Where the game listens; default: a simulator started for it.")
]
Out = Annotated[Path, typer.Option(metavar="FILE", help="The trace, JSON lines; packed if the name ends in .gz.")]
EndRun = Annotated[bool, typer.Option("--end-run", help="End a run that is being played there.")]
Scope = Annotated[str, typer.Option(metavar="NAME", help=f"What is compared: {', '.join(SCOPES)}; P0 to P3 for short.")]


@app.command("record")
def record_run(
    out: Out,
    base_url: BaseUrl = None,
    agent: AgentName = "expert",
    option: AgentOption = None,
    seed: Seed = None,
    deck: Deck = None,
    stake: Annotated[str, STAKE] = "white",
    max_steps: Annotated[int, typer.Option(min=1, max=1_000_000, help="Decisions after which it ends.")] = MAX_STEPS,
    end_run: EndRun = False,
    format: Annotated[
        TraceFormat, typer.Option(help="What is kept: calls and states, or trace_v1 with actions and hashes.")
    ] = "wire_trace_v1",
) -> None:
    """Let an agent play a run on a server, and keep every call and the state after it.

    jimbo trace replay and diff read wire_trace_v1. Hashes of trace_v1 are those of the simulator, so a run of the real
    game is kept in it as long as both go the same way.
    """
    try:
        with report_errors("", WireError), _kept(out, format) as keep, _server(base_url, end_run) as server:
            player, _ = agent_from_flags(agent, option)
            where, foreseen = (deck_key(deck or "b_red"), stake_key(stake), seed), format == "trace_v1"
            with run_progress("Recording") as steps:
                record(server, player, *where, max_steps=max_steps, foreseen=foreseen, on_start=keep, on_progress=steps)
    except AgentFailed as error:
        fail(str(error), AGENT_FAILED)


@app.command("replay")
def replay_run(
    trace: Annotated[Path, typer.Argument(metavar="TRACE", help="A trace that jimbo trace record wrote.")],
    out: Out,
    base_url: BaseUrl = None,
    end_run: EndRun = False,
) -> None:
    """Send the calls of a trace to another server, and record the resulting states."""
    with report_errors("", WireError):
        there = read_trace(trace)
        with _kept(out) as keep, _server(base_url, end_run) as server, run_progress("Replaying") as steps:
            replay(there, server, on_start=keep, on_progress=steps)


@app.command("diff")
def diff_traces(
    one: Annotated[Path, typer.Argument(metavar="A", help="A trace.")],
    other: Annotated[Path, typer.Argument(metavar="B", help="Another trace of the same run.")],
    scope: Scope = "full",
    fail_fast: Annotated[bool, typer.Option("--fail-fast", help="Stop at the first step that differs.")] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the report and both sides of the first difference here.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Compare two traces step by step.

    The exit code is 0 if they agree in all that the scope compares, 1 if not. Ids are never compared, and wordings only
    by the scope texts.
    """
    with report_errors("", WireError):
        scope, traces = scope_named(scope), (read_trace(one), read_trace(other))
        found = list(islice(trace_differences(*traces, scope), 1 if fail_fast else None))
        names = str(one), str(other)
        told = report(*traces, names, scope, found)
        if out:
            write_differences(out, traces, scope, told, found)
    typer.echo(json.dumps(told) if as_json else difference_words(traces[0], names, scope, found))
    raise typer.Exit(DIFFERENT if found else 0)


def difference_words(one: Trace, names: tuple[str, str], scope: str, found: list[StepDifference]) -> str:
    if not found:
        return f"No difference in {counted(len(one.steps), 'step')} (scope {scope}, seed {one.seed})."
    first = found[0]
    more = f"\n{counted(len(found) - 1, 'more step')} differ." if len(found) > 1 else ""
    return (
        f"First difference at step {first.step}, {first.call} (scope {scope}):\n"
        f"  {first.path}\n  {names[0]}: {json.dumps(first.one)}\n  {names[1]}: {json.dumps(first.other)}\n"
        f"To repeat it: seed {one.seed}, deck {one.deck}, stake {one.stake}.{more}"
    )


def write_differences(
    out: Path, traces: tuple[Trace, Trace], scope: str, told: dict[str, Any], found: list[StepDifference]
) -> None:
    out.mkdir(parents=True, exist_ok=True)
    write_text(out / "report.json", json.dumps(told, indent=1))
    for name, trace in zip(("a.json", "b.json"), traces, strict=True):
        for moment in islice(trace.moments(), found[0].step, found[0].step + 1) if found else ():
            sides = {"compared": project(moment, scope), "state": moment.state}
            write_text(out / name, json.dumps(sides, indent=1))


@contextmanager
def _kept(out: Path, form: TraceFormat = "wire_trace_v1") -> Iterator[Callable[[Trace], None]]:
    """Whatever ends it, the trace is written as far as it came."""
    check_place(out)
    traces: list[Trace] = []
    try:
        yield traces.append
    finally:
        for trace in traces:
            out.parent.mkdir(parents=True, exist_ok=True)
            write_trace(out, trace, form)
            typer.echo(f"{out}: {counted(len(trace.steps), 'step')} of seed {trace.seed} at {trace.source}.")


@contextmanager
def _server(base_url: str | None, end_run: bool) -> Iterator[Server]:
    if base_url is not None:
        if not end_run:
            check_idle(Server(base_url), "Finish it or go to the main menu, or add --end-run.")
        yield Server(base_url)
        return
    with simulator() as server:
        yield server


@contextmanager
def run_progress(what: str) -> Iterator[Callable[[int], None]]:
    with make_progress(make_console(stderr=True), "{task.completed:.0f} steps") as progress:
        task = progress.add_task(what, total=None)
        yield lambda steps: progress.update(task, completed=steps)
