"""``jimbo eval``: how well an agent plays, or which of two plays better."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from jimbo.cli import complete
from jimbo.cli.asked_agent import asked_agent
from jimbo.cli.errors import fail
from jimbo.cli.eval_result import finish
from jimbo.cli.starts import AgentName, AgentOption, Challenge, Deck, Effort, Stake
from jimbo.console import make_console
from jimbo.eval.agent_options import options_help
from jimbo.eval.folders import held, refuse_strangers_around
from jimbo.eval.report import agent_label
from jimbo.eval.rows import Episode
from jimbo.eval.runner import Evaluation, Settings, evaluate
from jimbo.eval.store import Store
from jimbo.seeds import deck_and_challenge, stake_key
from jimbo.seeds.seed_sets import FRESH, SeedSet, fresh_seeds, seed_set
from jimbo.signals import one_interrupt

epilog = options_help


SecondAgent = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="A second agent, compared with the first on the same seeds.",
        autocompletion=complete.agents,
    ),
]
SecondAgentOption = Annotated[
    list[str] | None, typer.Option(metavar="KEY=VALUE", help="An option of the second agent; repeatable.")
]
SeedCount = Annotated[int | None, typer.Option(min=1, metavar="N", help="The first N seeds of the set; default: all.")]
SeedSetName = Annotated[
    str | None,
    typer.Option(
        "--seed-set",
        metavar="NAME",
        help="dev-100, dev-1000 or fresh; default: the smallest that has N seeds.",
        autocompletion=complete.seed_sets,
    ),
]
OutFolder = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Keep everything here; the same command continues, a larger --seeds adds more."),
]


def eval_agent(
    agent: AgentName,
    vs: SecondAgent = None,
    deck: Deck = None,
    stake: Stake = "white",
    challenge: Challenge = None,
    seeds: SeedCount = None,
    seed_set_name: SeedSetName = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; default: all cores.")] = None,
    effort: Effort = None,
    option: AgentOption = None,
    vs_option: SecondAgentOption = None,
    agent_number: Annotated[int, typer.Option(min=0, metavar="N", help="Seed of the agents' own random choices.")] = 0,
    out: OutFolder = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Let an agent play many runs and say how well it does.

    A run is won when the boss of ante 8 is beaten. Ctrl-C stops at any time and keeps what was played.
    """
    with ExitStack() as locks, one_interrupt():
        try:
            contestants = [(agent, asked_agent(agent, option, effort)[1])]
            if vs is not None:
                contestants.append((vs, asked_agent(vs, vs_option)[1]))
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


def _stores(out: Path | None, names: list[str]) -> list[Store | None]:
    """One for each agent, by its name; an agent against itself has the second one marked."""
    if out is None:
        return [None] * len(names)
    if len(names) == 1:
        return [Store(out)]
    first, second = (name.replace(":", ".") for name in names)  # a colon in a path means another machine to some tools
    return [Store(out / first), Store(out / (second if second != first else f"{second}-vs"))]


def _seeds(name: str | None, size: int | None, stores: list[Store | None]) -> SeedSet:
    """Fresh seeds that a folder already holds come first, and are all there are if no number is given."""
    if name != FRESH:
        return seed_set(name, size)
    configs = [config for store in stores if store and (config := store.config())]
    drawn: list[str] = max((config["seeds"] for config in configs if config["seed_set"] == FRESH), key=len, default=[])
    return fresh_seeds(size or len(drawn), drawn) if drawn else seed_set(FRESH, size)


def _hold(locks: ExitStack, out: Path | None, stores: list[Store | None], plans: list[Settings]) -> list[list[Episode]]:
    """The rows that the folders hold, where only this process may write from now on. Bad rows are refused first."""
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
