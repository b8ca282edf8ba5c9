"""``jimbo review``: a run that was played, decision by decision: what was given up, and what was luck."""

import json
import shlex
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from jimbo.agents.registry import options_help
from jimbo.cli.agent_flags import judge_from_flags
from jimbo.cli.errors import AGENT_FAILED, INTERRUPTED, fail, report_errors
from jimbo.cli.flags import AdvisingAgent, AgentOption, Model, Workers
from jimbo.console import make_console, make_progress
from jimbo.data.record_files import record_text
from jimbo.declared import LARGEST
from jimbo.files import check_place, write_text
from jimbo.processes import usable_cores
from jimbo.report.render import html, terminal
from jimbo.serve.review import (
    Judge,
    NotARun,
    PlayedRun,
    PositionJudgement,
    Review,
    ReviewFailed,
    explained,
    judgements,
    read_run,
    review_data,
    review_document,
    review_of,
)
from jimbo.serve.review.judging import EFFORT
from jimbo.serve.run_file import RunFile
from jimbo.signals import one_interrupt

epilog = options_help
_ALONE = 150
"""Decisions that one process judges faster than another has started."""


def review(
    file: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="A run: saved, a record, a rollout, a trace, or a log of the mod's gamestates; - is standard input.",
        ),
    ],
    agent: AdvisingAgent = None,
    model: Model = None,
    option: AgentOption = None,
    effort: Annotated[
        float, typer.Option(min=0.01, max=100, metavar="FACTOR", help="How much work goes into each decision.")
    ] = EFFORT,
    top: Annotated[int, typer.Option(min=0, max=1000, metavar="N", help="How many of the worst are explained.")] = 10,
    game: Annotated[
        int, typer.Option(min=1, max=LARGEST, metavar="N", help="Which game of a file of several, from 1.")
    ] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print the review as JSON (review_v1).")] = False,
    page: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write the review as a page, too.", dir_okay=False)
    ] = None,
    retry: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Review nothing: save the run as it was before decision N, to be retried."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="With --retry: where to save it.", dir_okay=False)
    ] = None,
    workers: Workers = None,
) -> None:
    """Review a run: the chance to win before each decision, what each gave up, and what was luck.

    The worst decisions are shown with what would have been better, and why. Ctrl-C ends it early and shows what it has.
    """
    if out and retry is None:
        fail("--out says where --retry saves the run: add --retry N, or write a page with --html.")
    with report_errors("", NotARun):
        run = read_run(file, game)
        if retry is not None:
            _save(run, retry, out or Path(f"{Path(file).stem.strip('-') or 'run'}-{retry}.run"))
            return
        judge = judge_from_flags(agent, model, option, effort)
        if page:
            check_place(page)
        found, stopped = _judged(run, judge, workers or min(usable_cores(), 1 + run.decisions // _ALONE))
        _show(review_of(run, judge, found), top, page, as_json)
        if stopped:
            raise typer.Exit(INTERRUPTED)


def _judged(run: PlayedRun, judge: Judge, workers: int) -> tuple[list[PositionJudgement], bool]:
    """What is done, and whether it was stopped before the end."""
    found: list[PositionJudgement] = []
    try:
        with (
            one_interrupt(),
            make_progress(make_console(stderr=True), "{task.completed:.0f} of {task.total:.0f} decisions") as progress,
            closing(judgements(run, judge, workers)) as coming,
        ):
            task = progress.add_task("Reviewing", total=len(run.positions))
            for one in coming:
                found.append(one)
                progress.advance(task)
    except KeyboardInterrupt:
        if not found:
            raise
        return found, True
    except ReviewFailed as error:
        fail(str(error), AGENT_FAILED)
    return found, False


def _show(made: Review, top: int, page: Path | None, as_json: bool) -> None:
    worst = explained(made, top)
    document = review_document(made, worst)
    if page:
        write_text(page, html(document))
    if as_json:
        typer.echo(json.dumps(review_data(made, worst)))
        return
    make_console().print(terminal(document), crop=False)
    if page:
        typer.echo(f"\nThe page is {page}.", err=True)


def _save(run: PlayedRun, step: int, path: Path) -> None:
    """Never in the place of another file."""
    path = RunFile().write(path, record_text(run.saved_at(step)).encode())
    if not run.exact:
        typer.echo("What was hidden in this run is not known, so it is drawn anew.", err=True)
    typer.echo(f"{path}: the run before decision {step}. Continue with: jimbo play --load {shlex.quote(str(path))}")
