"""``jimbo eval``: how well an agent plays, or which of two plays better."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from jimbo.cli.console import make_console
from jimbo.cli.errors import fail
from jimbo.engine.run import counted
from jimbo.engine.seeds import deck_key, stake_key
from jimbo.eval.agent_options import checked_agent, read_options
from jimbo.eval.html import page
from jimbo.eval.report import agent_label, report
from jimbo.eval.rows import Episode
from jimbo.eval.runner import Evaluation, Settings, evaluate
from jimbo.eval.seed_sets import FRESH, SeedSet, seed_set
from jimbo.eval.store import Store, write_json
from jimbo.eval.summary import comparison_data, summary_data

INTERRUPTED = 130


def eval_agent(
    agent: Annotated[str, typer.Option(metavar="NAME", help="The agent, such as greedy.")],
    vs: Annotated[
        str | None, typer.Option(metavar="NAME", help="A second agent, compared with the first on the same seeds.")
    ] = None,
    deck: Annotated[str, typer.Option(help="Key of the deck, such as b_red or just red.")] = "b_red",
    stake: Annotated[str, typer.Option(help="white, red, green, black, blue, purple, orange or gold.")] = "white",
    seeds: Annotated[int | None, typer.Option(min=1, metavar="N", help="Only the first N seeds of the set.")] = None,
    seed_set_name: Annotated[
        str | None,
        typer.Option(
            "--seed-set", metavar="NAME", help="dev-100, dev-1000 or fresh; default: the smallest that has N seeds."
        ),
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; default: all cores.")] = None,
    budget_ms: Annotated[
        float | None, typer.Option(min=0.0, help="The agent's option budget_ms: time for a decision.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="An option of the agent; repeatable.")
    ] = None,
    vs_option: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="An option of the second agent; repeatable.")
    ] = None,
    agent_number: Annotated[int, typer.Option(min=0, metavar="N", help="Where the agents' own chance comes from.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep rows, summary and a report here; a stopped evaluation goes on."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Let an agent play many runs and say how well it does.

    A run is won when the boss of ante 8 is beaten. Ctrl-C stops at any time and keeps what was played.
    """
    if vs_option and vs is None:
        fail("--vs-option is about a second agent: name it with --vs.")
    try:
        contestants = [(agent, read_options(option or []))]
        if budget_ms is not None:
            contestants[0][1]["budget_ms"] = budget_ms
        if vs is not None:
            contestants.append((vs, read_options(vs_option or [])))
        for name, options in contestants:
            checked_agent(name, options)
        folders = _folders(out, [name for name, _ in contestants])
        seeds_played = _seeds(seed_set_name, seeds, folders)
        plans = [
            Settings(
                agent=name,
                options=options,
                deck=deck_key(deck),
                stake=stake_key(stake),
                seeds=seeds_played,
                agent_number=agent_number,
            )
            for name, options in contestants
        ]
        stores = [Store(folder) if folder else None for folder in folders]
        kept = [store.open(plan.to_data()) if store else [] for plan, store in zip(plans, stores, strict=True)]
        done = _evaluate(plans, stores, kept, workers)
    except (ValueError, RuntimeError) as error:
        fail(str(error))
    _finish(done, stores, out, len(plans), as_json)


def _folders(out: Path | None, names: list[str]) -> list[Path | None]:
    """One for each agent, by its name; an agent against itself has the second one marked."""
    if out is None:
        return [None] * len(names)
    if len(names) == 1:
        return [out]
    return [out / names[0], out / (names[1] if names[1] != names[0] else f"{names[1]}-vs")]


def _seeds(name: str | None, size: int | None, folders: list[Path | None]) -> SeedSet:
    """Fresh seeds that a folder holds already are taken from there."""
    known = Store(folders[0]).config() if name == FRESH and folders[0] else None
    if known and known.get("seed_set") == FRESH and size in (None, len(known["seeds"])):
        return SeedSet(FRESH, known["seed_set_version"], tuple(known["seeds"]))
    return seed_set(name, size)


def _evaluate(
    plans: list[Settings], stores: list[Store | None], kept: list[list[Episode]], workers: int | None
) -> list[Evaluation]:
    done: list[Evaluation] = []
    with _progress() as progress:
        for plan, store, rows in zip(plans, stores, kept, strict=True):
            done.append(evaluate(plan, workers=workers, store=store, progress=_shown(progress, plan, rows)))
            if done[-1].stopped:
                break
    return done


def _shown(progress: Progress, plan: Settings, kept: list[Episode]) -> Callable[[Episode], None]:
    wins = sum(row.won for row in kept)
    task = progress.add_task(agent_label(plan), total=len(plan.seeds.seeds), completed=len(kept), wins=wins)

    def show(row: Episode) -> None:
        nonlocal wins
        wins += row.won
        progress.update(task, advance=1, wins=wins)

    return show


def _progress() -> Progress:
    console = make_console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:.0f} of {task.total:.0f} games, {task.fields[wins]} won"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=console, transient=True, redirect_stdout=False, disable=not console.is_terminal)


def _finish(done: list[Evaluation], stores: list[Store | None], out: Path | None, wanted: int, as_json: bool) -> None:
    stopped = done[-1].stopped
    played = [evaluation for evaluation in done if evaluation.episodes]
    if not played:
        typer.echo("Stopped before a run was finished.", err=True)
        raise typer.Exit(INTERRUPTED)
    both = len(played) == wanted == 2
    data = comparison_data(*played) if both else summary_data(played[0])
    if out:
        for evaluation, store in zip(played, stores, strict=False):
            if store:
                write_json(store.folder / "summary.json", summary_data(evaluation))
                (store.folder / "report.html").write_text(page(evaluation), encoding="utf-8")
        if both:
            write_json(out / "comparison.json", data)
            (out / "report.html").write_text(page(*played), encoding="utf-8")
    if as_json:
        typer.echo(json.dumps(data))
    else:
        make_console().print(report(*played))
    if out:
        kept = sum(evaluation.resumed for evaluation in done)
        there = f"{counted(kept, 'game')} {'was' if kept == 1 else 'were'} there already. " if kept else ""
        typer.echo(f"{there}Kept in {out}.", err=True)
    if stopped:
        typer.echo(f"Stopped. {'The same command goes on.' if out else 'With --out it could go on later.'}", err=True)
        raise typer.Exit(INTERRUPTED)
