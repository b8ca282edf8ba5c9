"""``jimbo audit``: whether the same runs are the same everywhere."""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from jimbo.cli.agent_flags import agent_from_flags
from jimbo.cli.errors import report_errors
from jimbo.cli.flags import MOST_THREADS, MOST_WORKERS, AgentName, AgentOption, AsJson, Deck, Effort, Stake, games_flag
from jimbo.console import make_console, make_progress
from jimbo.data import versions
from jimbo.deploy.audit import (
    SCHEMA,
    Audited,
    AuditPlan,
    PackedRun,
    again,
    batches,
    by_interpreter,
    by_threads,
    by_workers,
    compared,
    over_the_wire,
    within_the_mod,
)
from jimbo.eval.store import write_json
from jimbo.files import check_folder, write_text
from jimbo.report import Document, Section, TextTable, markdown, terminal
from jimbo.rollout.loop import MAX_STEPS
from jimbo.seeds.seed_sets import seed_set
from jimbo.seeds.starts import deck_key, stake_key
from jimbo.text import counted, game_text

DIFFERENT = 1
REPORT = "determinism_report"
_HEADS = ("compared with the first run", "games", "steps", "")
_WIRE = "the wire"
_LONGEST = 60
_Way = tuple[str, Callable[[AuditPlan, Callable[[], None]], Iterator[PackedRun]]]


def audit(
    agent: AgentName = "expert",
    option: AgentOption = None,
    effort: Effort = None,
    games: Annotated[int, games_flag("Games, on the first seeds of dev-100.")] = 4,
    deck: Deck = None,
    stake: Stake = "white",
    runs: Annotated[int, typer.Option(min=2, max=100, help="How often they are played in this process.")] = 2,
    workers: Annotated[int, typer.Option(min=1, max=MOST_WORKERS, metavar="N", help="Worker processes.")] = 2,
    threads: Annotated[int, typer.Option(min=1, max=MOST_THREADS, metavar="N", help="Threads.")] = 2,
    python: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Another Python with Jimbo, such as that of a wheel; repeatable."),
    ] = None,
    no_wire: Annotated[bool, typer.Option("--no-wire", help="Leave out the simulator behind its server.")] = False,
    max_steps: Annotated[int, typer.Option(min=1, max=1_000_000, help="Decisions of each game.")] = MAX_STEPS,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help=f"Write {REPORT}.json and .md here.")] = None,
    as_json: AsJson = False,
) -> None:
    """Play the same games in several ways and compare every step: decisions, values, and the whole state.

    Again in this process, by worker processes, in threads, over the wire on a server of this package, and by other
    interpreters. The exit code is 0 if all are the same, 1 if not; the first difference is told by its path.
    """
    with report_errors():
        if out:
            check_folder(out)
        player, options = agent_from_flags(agent, option, effort)
        plan = AuditPlan(
            agent=player.name,
            options=options,
            deck=deck_key(deck or "b_red"),
            stake=stake_key(stake),
            seeds=seed_set(None, games).seeds,
            max_steps=max_steps,
        )
        ways: list[_Way] = [(f"run {number}", again) for number in range(2, runs + 1)]
        ways += [(counted(workers, "worker"), by_workers(workers)), (counted(threads, "thread"), by_threads(threads))]
        ways += [(str(path), by_interpreter(str(path))) for path in python or ()]
        found = _audited(plan, ways, threads, wire=not (no_wire or player.clairvoyant))
        data = _data(plan, found)
        shown = _document(plan, found)
        if out:
            out.mkdir(parents=True, exist_ok=True)
            write_json(out / f"{REPORT}.json", data)
            write_text(out / f"{REPORT}.md", markdown(shown))
    if as_json:
        typer.echo(json.dumps(data))
    else:
        make_console().print(terminal(shown), crop=False)
    raise typer.Exit(0 if data["audit_pass"] else DIFFERENT)


def _audited(plan: AuditPlan, ways: list[_Way], threads: int, *, wire: bool) -> list[Audited]:
    with make_progress(make_console(stderr=True), "{task.completed:.0f} of {task.total:.0f} games") as progress:
        task = progress.add_task("run 1", total=len(plan.seeds) * (1 + len(ways) + 2 * wire))
        first = list(again(plan, lambda: progress.advance(task)))
        found = []
        for name, way in ways:
            progress.update(task, description=name)
            found.append(compared(name, plan, first, way(plan, lambda: progress.advance(task))))
        if wire:  # the mod cannot do all that the rules allow, so both sides play within that
            progress.update(task, description=_WIRE)
            first = list(within_the_mod(plan, lambda: progress.advance(task)))
            found.append(compared(_WIRE, plan, first, over_the_wire(plan, lambda: progress.advance(task))))
        return [*found, batches(threads)]


def _data(plan: AuditPlan, found: list[Audited]) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "audit_pass": all(one.passed for one in found),
        **asdict(plan),
        "versions": dict(versions()),
        "compared": [asdict(one) | {"passed": one.passed} for one in found],
    }


def _document(plan: AuditPlan, found: list[Audited]) -> Document:
    lines = [(one.name, str(one.games), f"{one.steps:,}", _words(one)) for one in found]
    notes = [_told(one) for one in found if not one.passed]
    return Document(
        f"{plan.agent}: the same runs in {counted(len(found), 'other way')}",
        game_text(plan.deck, plan.stake, None),
        versions()["engine"],
        notes,
        sections=[
            Section("", parts=[TextTable(("compared with the first run", "games", "steps", ""), lines, left=True)])
        ],
    )


def _words(one: Audited) -> str:
    return "the same" if one.passed else "not played" if one.trouble else "different"


def _told(one: Audited) -> str:
    if one.difference is None:
        return f"{one.name}: {one.trouble}."
    found = one.difference
    values = " and ".join(json.dumps(value)[:_LONGEST] for value in (found.one, found.other))
    return f"{one.name}: the first difference is in step {found.step} of {found.seed} at {found.path}: {values}."
