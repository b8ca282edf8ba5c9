"""What ``jimbo eval`` leaves behind: files in its folder and the result on the terminal."""

import json
from collections.abc import Sequence
from pathlib import Path

import typer

from jimbo.cli.errors import AGENT_FAILED, INTERRUPTED, fail
from jimbo.console import make_console
from jimbo.eval.folders import COMPARISON, REPORT, SUMMARY
from jimbo.eval.runner import Evaluation
from jimbo.eval.store import Store, write_json
from jimbo.eval.summary import agent_label, comparison_data, summary_data
from jimbo.files import reason, write_text
from jimbo.report import html, terminal
from jimbo.report.evaluation import evaluation_report
from jimbo.text import counted


def finish(
    done: list[Evaluation], stores: Sequence[Store | None], out: Path | None, wanted: int, as_json: bool
) -> None:
    """Keeps and prints what was played, whether complete or not, and ends the command with the exit code for that."""
    last = done[-1]
    played = [evaluation for evaluation in done if evaluation.episodes]
    complaint = last.trouble
    if played:
        whole = len(played) == wanted
        unwritten = _keep(played, stores, out if whole and wanted > 1 else None)
        complaint = complaint or unwritten
        _show(played, as_json, whole)
        if out:
            _say_what_is_kept(done, stores, out)
    if complaint:
        fail(f"{complaint}{' What was played so far is kept; the same command continues.' if out else ''}")
    if last.stopped:
        advice = "The same command continues." if out else "With --out it could be continued later."
        typer.echo(f"Stopped. {advice}" if played else "Stopped before a run was finished.", err=True)
        raise typer.Exit(INTERRUPTED)
    for evaluation in done:
        if evaluation.episodes and all(row.error is not None for row in evaluation.episodes):
            first = evaluation.episodes[0]
            name = agent_label(evaluation.settings)
            typer.echo(f"jimbo: {name} failed in every run, first on seed {first.seed}: {first.error}", err=True)
            raise typer.Exit(AGENT_FAILED)


def _keep(played: Sequence[Evaluation], stores: Sequence[Store | None], comparison: Path | None) -> str:
    """Writes the files of the result; returns what went wrong, as a sentence. Files about more seeds are left alone."""
    pairs = [(evaluation, store) for evaluation, store in zip(played, stores, strict=False) if store]
    all_seeds = True
    try:
        for evaluation, store in pairs:
            if store.seeds_held() > len(evaluation.settings.seeds.seeds):
                all_seeds = False
                continue
            write_json(store.folder / SUMMARY, summary_data(evaluation))
            write_text(store.folder / REPORT, html(evaluation_report(evaluation)))
        if comparison and all_seeds:
            write_json(comparison / COMPARISON, comparison_data(*played))
            write_text(comparison / REPORT, html(evaluation_report(*played)))
    except OSError as error:
        return f"The summary and the report cannot be written: {reason(error)}."
    return ""


def _show(played: Sequence[Evaluation], as_json: bool, whole: bool) -> None:
    if as_json:
        both = whole and len(played) > 1
        typer.echo(json.dumps(comparison_data(*played) if both else summary_data(played[0])))
        return
    make_console().print(terminal(evaluation_report(*played)), crop=False)


def _say_what_is_kept(done: Sequence[Evaluation], stores: Sequence[Store | None], out: Path) -> None:
    for evaluation, store in zip(done, stores, strict=False):
        asked = len(evaluation.settings.seeds.seeds)
        if store and (held := store.seeds_held()) > asked:
            typer.echo(
                f"{store.folder} holds {held} seeds; this is about the first {asked}. Its files are left as they are.",
                err=True,
            )
    there = sum(evaluation.resumed for evaluation in done)
    before = f"{counted(there, 'game')} {'was' if there == 1 else 'were'} already there. " if there else ""
    typer.echo(f"{before}Kept in {out}.", err=True)
