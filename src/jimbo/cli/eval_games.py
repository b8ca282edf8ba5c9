"""Evaluations as commands play them: on which seeds, in which folders, behind a bar, and how they end."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import typer

from jimbo.cli.errors import INTERRUPTED, fail
from jimbo.console import make_console, make_progress
from jimbo.eval.rows import Episode
from jimbo.eval.runner import Evaluation, Settings, evaluate_all
from jimbo.eval.store import REPORT, SUMMARY, Store, write_json
from jimbo.eval.summary import agent_label, summary_data
from jimbo.files import reason, write_text
from jimbo.report import Document, html, terminal
from jimbo.report.evaluation import evaluation_report
from jimbo.rollout.farm import Spread
from jimbo.run_folder import RunFolder, locked
from jimbo.seeds.seed_sets import FRESH, SeedSet, fresh_seeds, seed_set
from jimbo.seeds.starts import deck_and_challenge, stake_key
from jimbo.text import counted, game_text

Contestant = tuple[str, Mapping[str, Any]]
"""An agent with its options."""
_MAX_NAMED = 3

# --- Before -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlannedGames:
    """Evaluations that can be played: what they play, where they are kept, and which rows are there already."""

    plans: list[Settings]
    stores: list[Store | None]
    kept: list[list[Episode]]


def prepare(
    contestants: Sequence[Contestant],
    starts: Sequence[tuple[str | None, str, str | None]],
    folders: Sequence[Path | None],
    locks: ExitStack,
    seed_set_name: str | None,
    games: int | None,
    *,
    agent_number: int,
    backend: str = "sim",
    around: Path | None = None,
    known: Sequence[Store] = (),
    settings: Callable[..., Settings] = Settings,
) -> PlannedGames:
    """Hold the folders of evaluations; ValueError for those of others, before anything is made.

    Every contestant plays from every start, a deck, a stake and a challenge, on the same seeds, and each of these has a
    folder. ``around`` is a folder that holds the others; fresh seeds may come from folders that are ``known``, too.
    ``settings`` makes those of each evaluation.
    """
    stores = [Store(folder) if folder else None for folder in folders]
    seeds = _seeds(seed_set_name, games, [*filter(None, stores), *known])
    plans = []
    for (agent, options), (deck, stake, challenge) in product(contestants, starts):
        deck_key, challenge_key = deck_and_challenge(deck, challenge)
        plans.append(
            settings(
                agent=agent,
                options=options,
                deck=deck_key,
                stake=stake_key(stake),
                challenge=challenge_key,
                seeds=seeds,
                agent_number=agent_number,
                backend=backend,
            )
        )
    kept = [store.rows(plan.to_data()) if store else [] for plan, store in zip(plans, stores, strict=True)]
    if around:
        locks.enter_context(locked(around))
    for store in filter(None, stores):
        locks.enter_context(store)
    return PlannedGames(plans, stores, kept)


def _seeds(name: str | None, size: int | None, stores: Sequence[Store]) -> SeedSet:
    """Fresh seeds that a folder already holds come first, and are all there are if no number is given."""
    if name != FRESH:
        return seed_set(name, size)
    configs = [config for store in stores if (config := store.config())]
    drawn: list[str] = max((config["seeds"] for config in configs if config["seed_set"] == FRESH), key=len, default=[])
    return fresh_seeds(size or len(drawn), drawn) if drawn else seed_set(FRESH, size)


def claim(locks: ExitStack, out: Path | None, mark: str, writer: str) -> None:
    """Hold the folder of several evaluations, which is known by its folder ``mark`` from now on."""
    if out:
        locks.enter_context(RunFolder(out, mark=mark, writer=writer))
        (out / mark).mkdir(exist_ok=True)


# --- Games ------------------------------------------------------------------------------------------------------------


def play_all(
    games: PlannedGames,
    workers: int | None,
    *,
    first: int | None = None,
    spread: Spread | None = None,
    timeout: float | None = None,
) -> list[Evaluation]:
    """Play with a bar for each plan. ``first``: only so many, with one bar, which names the deck of the last game."""
    plans, stores, kept = games.plans[:first], games.stores[:first], games.kept[:first]
    names = [game_text(plan.deck, plan.stake, None) if first else agent_label(plan) for plan in plans]
    totals, done = [len(plan.seeds.seeds) for plan in plans], list(map(len, kept))
    wins = [sum(row.won for row in rows) for rows in kept]
    counts = "{task.completed:.0f} of {task.total:.0f} games, {task.fields[wins]} won"
    with make_progress(make_console(stderr=True), counts) as progress:
        if first:
            bars = [progress.add_task("", total=sum(totals), completed=sum(done), wins=sum(wins))] * first
        else:
            each = zip(names, totals, done, wins, strict=True)
            bars = [progress.add_task(name, total=of, completed=there, wins=won) for name, of, there, won in each]

        def show(place: int, row: Episode) -> None:
            wins[place] += row.won
            won = sum(wins) if first else wins[place]
            progress.update(bars[place], advance=1, wins=won, description=names[place])

        return evaluate_all(plans, workers=workers, stores=stores, progress=show, spread=spread, timeout=timeout)


# --- After ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What a command prints and keeps."""

    data: Mapping[str, Any]
    report: Document
    name: str = ""
    """The file for the data in the folder; empty for what only belongs on the screen."""

    def keep(self, folder: Path) -> None:
        write_json(folder / self.name, self.data)
        write_text(folder / REPORT, html(self.report))

    def show(self, as_json: bool) -> None:
        if as_json:
            typer.echo(json.dumps(self.data))
        else:
            make_console().print(terminal(self.report), crop=False)


def finish(
    done: Sequence[Evaluation],
    others: Sequence[Evaluation],
    stores: Sequence[Store | None],
    out: Path | None,
    as_json: bool,
    result_of: Callable[[Sequence[Evaluation]], CommandResult],
) -> None:
    """Keep and print what was played, whether complete or not, and end the command if something is missing.

    ``others`` are evaluations of the folder that nobody asked for now.
    """
    evaluations = [*done, *others]
    complaint = ""
    if any(evaluation.episodes for evaluation in evaluations):
        result = result_of(evaluations)
        larger = [store for store, one in zip(stores, evaluations, strict=True) if store and _holds_more(store, one)]

        def write() -> None:
            for evaluation, store in zip(done, stores, strict=False):
                if store and store not in larger and evaluation.episodes:
                    own = CommandResult(summary_data(evaluation), evaluation_report(evaluation), SUMMARY)
                    own.keep(store.folder)
            if out and result.name and not larger:
                result.keep(out)

        complaint = complaint_of(write)
        result.show(as_json)
        _say_what_is_left(larger, len(done[0].settings.seeds.seeds))
        say_kept(out, sum(evaluation.resumed for evaluation in done))
    end_unfinished(done, out, complaint)


def _holds_more(store: Store, evaluation: Evaluation) -> bool:
    """Whether a folder is about more seeds than this, so that its files stay as they are."""
    return store.seeds_held() > len(evaluation.settings.seeds.seeds)


def complaint_of(write: Callable[[], None]) -> str:
    """Write files; return what went wrong as a sentence, and nothing if all went well."""
    try:
        write()
    except OSError as error:
        return f"The summary and the report cannot be written: {reason(error)}."
    return ""


def _say_what_is_left(larger: Sequence[Store], asked: int) -> None:
    for store in larger[:_MAX_NAMED]:
        left = f"this is about the first {asked}. Its files are left as they are."
        typer.echo(f"{store.folder} holds {store.seeds_held()} seeds; {left}", err=True)
    if len(larger) > _MAX_NAMED:
        typer.echo(f"{len(larger) - _MAX_NAMED} more folders hold more seeds, too.", err=True)


def say_kept(out: Path | None, there: int = 0) -> None:
    if out:
        before = f"{counted(there, 'game')} {'was' if there == 1 else 'were'} already there. " if there else ""
        typer.echo(f"{before}Kept in {out}.", err=True)


def end_unfinished(done: Sequence[Evaluation], out: Path | None, complaint: str = "") -> None:
    """End the command if something went wrong or was stopped; evaluations that are played together end alike."""
    if complaint := done[0].trouble or complaint:
        fail(f"{complaint}{' What was played so far is kept; the same command continues.' if out else ''}")
    if done[0].stopped:
        advice = "The same command continues." if out else "With --out it could be continued later."
        played = any(evaluation.episodes for evaluation in done)
        typer.echo(f"Stopped. {advice}" if played else "Stopped before a run was finished.", err=True)
        raise typer.Exit(INTERRUPTED)
