"""``jimbo eval-matrix``: how strong an agent is on each deck and stake."""

import json
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from jimbo.cli.agent_flags import agent_from_flags, with_model
from jimbo.cli.errors import INTERRUPTED, fail
from jimbo.cli.eval_games import games_progress, hold, plans_of, seeds_of
from jimbo.cli.flags import (
    AGENT,
    AgentOption,
    AsJson,
    Effort,
    Model,
    Nonce,
    SeedCount,
    SeedSetName,
    Workers,
)
from jimbo.console import make_console
from jimbo.eval.folders import REPORT, SUMMARY
from jimbo.eval.matrix import Matrix, Place, matrix, matrix_data, places_of
from jimbo.eval.rows import Episode
from jimbo.eval.runner import Evaluation, Settings, evaluate_all
from jimbo.eval.store import Store, write_json
from jimbo.eval.summary import summary_data
from jimbo.files import reason, write_text
from jimbo.report import html, terminal
from jimbo.report.evaluation import evaluation_report
from jimbo.report.matrix import matrix_report
from jimbo.run_folder import RunFolder
from jimbo.signals import one_interrupt
from jimbo.text import counted, game_text

CELLS = "cells"
MATRIX = "matrix.json"
_BETWEEN = "-"

Decks = Annotated[str, typer.Option(metavar="NAMES", help="all, or names of decks, separated by commas.")]
Stakes = Annotated[str, typer.Option(metavar="NAMES", help="all, or names of stakes, separated by commas.")]
OutFolder = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Keep everything here; run the same command to resume, or others to add decks, stakes and seeds.",
    ),
]


def eval_matrix(
    agent: Annotated[str | None, AGENT] = None,
    model: Model = None,
    decks: Decks = "all",
    stakes: Stakes = "white",
    seeds: SeedCount = None,
    seed_set_name: SeedSetName = None,
    workers: Workers = None,
    effort: Effort = None,
    option: AgentOption = None,
    agent_number: Nonce = 0,
    out: OutFolder = None,
    as_json: AsJson = False,
) -> None:
    """Evaluate an agent on several decks and stakes.

    For example: jimbo eval-matrix --agent expert --decks all --stakes white,gold --games 200 --out DIR
    Every cell is an evaluation of its own, on the same seeds. Ctrl-C stops at any time and keeps what was played.
    """
    with ExitStack() as locks, one_interrupt():
        try:
            name, options = with_model(agent, model, option)
            contestant = name, agent_from_flags(name, options, effort)[1]
            asked = places_of(decks, stakes)
            _open(out, locks)
            places = [*asked, *(place for place in _held(out) if place not in asked)]
            stores = [Store(_folder(out, place)) if out else None for place in places]
            played_on = seeds_of(seed_set_name, seeds, stores)
            plans = [plans_of([contestant], played_on, *place, None, agent_number)[0] for place in places]
            kept = hold(locks, None, stores, plans)
            new = len(asked)
            done = _play(plans[:new], stores[:new], kept[:new], workers)
        except (ValueError, ImportError) as error:
            fail(str(error))
        _finish(done, list(map(_there, plans[new:], kept[new:])), out, as_json)


def _open(out: Path | None, locks: ExitStack) -> None:
    if out:
        locks.enter_context(RunFolder(out, mark=CELLS, writer="matrix"))
        (out / CELLS).mkdir(exist_ok=True)  # from now on the folder is that of a matrix


def _held(out: Path | None) -> list[Place]:
    """The cells that a folder holds already."""
    names = sorted(path.parent.name for path in (out / CELLS).glob("*/config.json")) if out else []
    return [(deck, stake) for deck, _, stake in (name.partition(_BETWEEN) for name in names)]


def _folder(out: Path, place: Place) -> Path:
    return out / CELLS / _BETWEEN.join(place)


def _link(place: Place) -> str:
    """Where the report of a cell is, from the folder of the matrix."""
    return f"{CELLS}/{_BETWEEN.join(place)}/{REPORT}"


def _play(
    plans: Sequence[Settings], stores: Sequence[Store | None], kept: Sequence[Sequence[Episode]], workers: int | None
) -> list[Evaluation]:
    """One bar for all cells; it names the cell of the last game."""
    there = [row for rows in kept for row in rows]
    wins = sum(row.won for row in there)
    total = sum(len(plan.seeds.seeds) for plan in plans)
    with games_progress() as progress:
        task = progress.add_task("", total=total, completed=len(there), wins=wins)

        def show(row: Episode) -> None:
            nonlocal wins
            wins += row.won
            progress.update(task, advance=1, wins=wins, description=game_text(row.deck, row.stake, None))

        return evaluate_all(plans, workers=workers, stores=stores, progress=show)


def _there(plan: Settings, rows: Sequence[Episode]) -> Evaluation:
    """A cell that the folder holds and nobody asked for now."""
    return Evaluation(plan, tuple(sorted(rows, key=lambda row: row.episode_id)))


def _finish(done: Sequence[Evaluation], others: Sequence[Evaluation], out: Path | None, as_json: bool) -> None:
    """Keeps and prints what was played, whether complete or not, and ends the command with the exit code for that."""
    complaint = done[0].trouble
    if any(cell.episodes for cell in (*done, *others)):
        result = matrix([*done, *others])
        if out:
            complaint = complaint or _keep(result, done, out)
        if as_json:
            typer.echo(json.dumps(matrix_data(result)))
        else:
            make_console().print(terminal(matrix_report(result, _link)), crop=False)
        if out:
            there = sum(cell.resumed for cell in done)
            typer.echo(
                f"{counted(there, 'game')} already there. Kept in {out}." if there else f"Kept in {out}.", err=True
            )
    if complaint:
        fail(f"{complaint}{' What was played so far is kept; the same command continues.' if out else ''}")
    if done[0].stopped:
        typer.echo(
            f"Stopped. {'The same command continues.' if out else 'With --out it could be continued.'}", err=True
        )
        raise typer.Exit(INTERRUPTED)


def _keep(result: Matrix, done: Sequence[Evaluation], out: Path) -> str:
    """Writes the files of the result; returns what went wrong, as a sentence. Files about more seeds are left alone."""
    stores = {cell.place: Store(_folder(out, cell.place)) for cell in result.cells}
    try:
        if any(store.seeds_held() > len(result.settings.seeds.seeds) for store in stores.values()):
            typer.echo(f"{out} holds more seeds than these. Its files are left as they are.", err=True)
            return ""
        for evaluation in done:
            if store := stores.get((evaluation.settings.deck, evaluation.settings.stake)):
                write_json(store.folder / SUMMARY, summary_data(evaluation))
                write_text(store.folder / REPORT, html(evaluation_report(evaluation)))
        write_json(out / MATRIX, matrix_data(result))
        write_text(out / REPORT, html(matrix_report(result, _link)))
    except OSError as error:
        return f"The matrix and its report cannot be written: {reason(error)}."
    return ""
