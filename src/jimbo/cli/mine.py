"""``jimbo mine``: what the lost runs of an evaluation were lost to."""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from jimbo.agents import make_agent
from jimbo.cli.agent_flags import import_from_here
from jimbo.cli.errors import INTERRUPTED, fail, report_errors
from jimbo.cli.eval_games import CommandResult, complaint_of, say_kept
from jimbo.cli.flags import AsJson, Workers
from jimbo.console import make_console, make_progress
from jimbo.data.curriculum import write_curriculum
from jimbo.eval.comparison import read_evaluation
from jimbo.eval.mining import Mined, curriculum_of, deltas, mine, mined_data, states_of
from jimbo.eval.runner import Evaluation
from jimbo.eval.store import write_json
from jimbo.files import write_text
from jimbo.processes import usable_cores
from jimbo.report.mining import mining_report
from jimbo.run_folder import RunFolder

FAILURES, DELTA = "failure_buckets.json", "failure_delta_summary.json"
STATES, CURRICULUM = "states.jsonl", "curriculum.json"
EFFORT = 4.0


def mine_failures(
    evaluation: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a jimbo eval --out.")],
    other: Annotated[
        Path | None, typer.Option("--vs", metavar="DIR", help="Another evaluation: what has changed since that one.")
    ] = None,
    effort: Annotated[
        float, typer.Option(metavar="FACTOR", min=0.05, max=1000, help="The effort of the second look at hands.")
    ] = EFFORT,
    out: Annotated[
        Path | None,
        typer.Option("--out", "--out-dir", metavar="DIR", help="Keep buckets, states and a curriculum here."),
    ] = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Sort lost runs by what they were lost to, and find the hands that would have saved them.

    Each lost run is played again, and the hands of its last blind are looked at with more effort. --out keeps the
    buckets, the states to study, and a curriculum that jimbo train dagger, pv and value take with --curriculum.
    """
    with report_errors(out or "Nothing was kept."), ExitStack() as locks:
        known = [read_evaluation(folder) for folder in (evaluation, other) if folder]
        for folder, found in zip((evaluation, other), known, strict=False):
            if not found.episodes:
                raise ValueError(f"{folder} holds no run yet.")
            import_from_here(found.settings.agent)
            make_agent(found.settings.agent, **found.settings.options)  # what is wrong with it is told here, once
        if out:
            locks.enter_context(RunFolder(out, mark=FAILURES, writer="mining"))
        mined = [_mined(each, effort, workers or usable_cores()) for each in known]
        changes = deltas(*mined) if len(mined) > 1 else None
        data = mined_data(mined[0])
        shown = CommandResult(data, mining_report(mined[0], changes), FAILURES)

        def write() -> None:
            if out:
                shown.keep(out)
                write_text(out / STATES, "".join(json.dumps(line) + "\n" for line in states_of(mined[0])))
                write_curriculum(out / CURRICULUM, curriculum_of(mined[0]))
                if changes:
                    write_json(out / DELTA, {bucket: asdict(change) for bucket, change in changes.items()})

        complaint = complaint_of(write)
        shown.show(as_json)
        if complaint:
            fail(complaint)
        say_kept(out)


def _mined(evaluation: Evaluation, effort: float, workers: int) -> Mined:
    lost = sum(not row.won for row in evaluation.episodes)
    with make_progress(make_console(stderr=True), "{task.completed:.0f} of {task.total:.0f} lost runs") as bar:
        task = bar.add_task("", total=lost)
        found, stop = mine(evaluation, effort=effort, workers=workers, progress=lambda: bar.update(task, advance=1))
    if stop.trouble:
        raise ValueError(stop.trouble)
    if stop.stopped:
        typer.echo("Stopped. Nothing was kept: run the same command again.", err=True)
        raise typer.Exit(INTERRUPTED)
    return found
