"""``jimbo eval``: how well an agent plays, or which of two plays better."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from jimbo.agents import make_agent
from jimbo.cli import complete
from jimbo.cli.errors import fail
from jimbo.cli.eval_result import finish
from jimbo.cli.starts import AgentName, Challenge, Deck, Effort, Stake
from jimbo.console import make_console
from jimbo.eval.agent_options import options_help, read_options
from jimbo.eval.folders import held, refuse_strangers_around
from jimbo.eval.report import agent_label
from jimbo.eval.rows import Episode
from jimbo.eval.runner import Evaluation, Settings, evaluate
from jimbo.eval.seed_sets import FRESH, SeedSet, fresh_seeds, seed_set
from jimbo.eval.store import Store
from jimbo.seeds import deck_and_challenge, stake_key
from jimbo.signals import one_interrupt

EPILOG = options_help()


def eval_agent(
    agent: AgentName,
    vs: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="A second agent, compared with the first on the same seeds.",
            autocompletion=complete.agents,
        ),
    ] = None,
    deck: Deck = None,
    stake: Stake = "white",
    challenge: Challenge = None,
    seeds: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="The first N seeds of the set; default: all.")
    ] = None,
    seed_set_name: Annotated[
        str | None,
        typer.Option(
            "--seed-set",
            metavar="NAME",
            help="dev-100, dev-1000 or fresh; default: the smallest that has N seeds.",
            autocompletion=complete.seed_sets,
        ),
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; default: all cores.")] = None,
    effort: Effort = None,
    option: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="An option of the agent; repeatable.")
    ] = None,
    vs_option: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="An option of the second agent; repeatable.")
    ] = None,
    agent_number: Annotated[int, typer.Option(min=0, metavar="N", help="Where the agents' own chance comes from.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Keep everything here; a stopped evaluation goes on, and a larger --seeds adds to it."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Let an agent play many runs and say how well it does.

    A run is won when the boss of ante 8 is beaten. Ctrl-C stops at any time and keeps what was played.
    """
    with ExitStack() as locks, one_interrupt():
        try:
            contestants = [_contestant(agent, option, effort)]
            if vs is not None:
                contestants.append(_contestant(vs, vs_option))
            elif vs_option:
                raise ValueError("--vs-option is about a second agent: name it with --vs.")
            stores = _stores(out, [name for name, _ in contestants])
            deck_played, challenge_played = deck_and_challenge(deck, challenge)
            seeds_played = _seeds(seed_set_name, seeds, stores)
            plans = [
                Settings(
                    agent=name,
                    options=options,
                    deck=deck_played,
                    stake=stake_key(stake),
                    challenge=challenge_played,
                    seeds=seeds_played,
                    agent_number=agent_number,
                )
                for name, options in contestants
            ]
            kept = _hold(locks, out, stores, plans)
            done = _evaluate(plans, stores, kept, workers)
        except ValueError as error:
            fail(str(error))
        finish(done, stores, out, len(plans), as_json)


def _contestant(name: str, texts: list[str] | None, effort: float | None = None) -> tuple[str, dict[str, Any]]:
    """An agent that can be made with its options."""
    options = read_options(name, texts or [], effort)
    make_agent(name, **options)
    return name, options


def _stores(out: Path | None, names: list[str]) -> list[Store | None]:
    """One for each agent, by its name; an agent against itself has the second one marked."""
    if out is None:
        return [None] * len(names)
    if len(names) == 1:
        return [Store(out)]
    return [Store(out / names[0]), Store(out / (names[1] if names[1] != names[0] else f"{names[1]}-vs"))]


def _seeds(name: str | None, size: int | None, stores: list[Store | None]) -> SeedSet:
    """Fresh seeds that a folder holds already come first, and are all where no number is given."""
    if name != FRESH:
        return seed_set(name, size)
    configs = [config for store in stores if store and (config := store.config())]
    drawn: list[str] = max((config["seeds"] for config in configs if config["seed_set"] == FRESH), key=len, default=[])
    return fresh_seeds(size or len(drawn), drawn) if drawn else seed_set(FRESH, size)


def _hold(locks: ExitStack, out: Path | None, stores: list[Store | None], plans: list[Settings]) -> list[list[Episode]]:
    """The rows that the folders hold, which are this process's own from now on. Bad ones are refused before that."""
    if out and len(stores) > 1:
        refuse_strangers_around(out)
    kept = [store.rows(plan.to_data()) if store else [] for plan, store in zip(plans, stores, strict=True)]
    if out and len(stores) > 1:
        locks.enter_context(held(out))
    for store in filter(None, stores):
        locks.enter_context(store)
    return kept


def _evaluate(
    plans: list[Settings], stores: list[Store | None], kept: list[list[Episode]], workers: int | None
) -> list[Evaluation]:
    done: list[Evaluation] = []
    with _progress() as progress:
        for plan, store, rows in zip(plans, stores, kept, strict=True):
            done.append(evaluate(plan, workers=workers, store=store, progress=_shown(progress, plan, rows)))
            if done[-1].stopped or done[-1].trouble:
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
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.completed:.0f} of {task.total:.0f} games, {task.fields[wins]} won"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=console, transient=True, redirect_stdout=False, disable=not console.is_terminal)
