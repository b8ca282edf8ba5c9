"""The games of an evaluation: on which seeds they are played, where they are kept, how they are shown."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from rich.progress import Progress

from jimbo.console import make_console, make_progress
from jimbo.eval.folders import check_only_evaluations
from jimbo.eval.rows import Episode
from jimbo.eval.runner import Evaluation, Settings, evaluate
from jimbo.eval.store import Store
from jimbo.eval.summary import agent_label
from jimbo.rollout.farm import Spread
from jimbo.run_folder import locked
from jimbo.seeds import deck_and_challenge, stake_key
from jimbo.seeds.seed_sets import FRESH, SeedSet, fresh_seeds, seed_set


def stores_of(out: Path | None, names: list[str]) -> list[Store | None]:
    """One for each agent, by its name; an agent against itself has the second one marked."""
    if out is None:
        return [None] * len(names)
    if len(names) == 1:
        return [Store(out)]
    first, second = (name.replace(":", ".") for name in names)  # a colon in a path means another machine to some tools
    return [Store(out / first), Store(out / (second if second != first else f"{second}-vs"))]


def seeds_of(name: str | None, size: int | None, stores: list[Store | None]) -> SeedSet:
    """Fresh seeds that a folder already holds come first, and are all there are if no number is given."""
    if name != FRESH:
        return seed_set(name, size)
    configs = [config for store in stores if store and (config := store.config())]
    drawn: list[str] = max((config["seeds"] for config in configs if config["seed_set"] == FRESH), key=len, default=[])
    return fresh_seeds(size or len(drawn), drawn) if drawn else seed_set(FRESH, size)


def plans_of(
    contestants: Sequence[tuple[str, Mapping[str, Any]]],
    seeds: SeedSet,
    deck: str | None,
    stake: str,
    challenge: str | None,
    agent_number: int,
    backend: str = "sim",
) -> list[Settings]:
    """The same games for agents with their options."""
    deck_key, challenge_key = deck_and_challenge(deck, challenge)
    return [
        Settings(
            agent=name,
            options=options,
            deck=deck_key,
            stake=stake_key(stake),
            challenge=challenge_key,
            seeds=seeds,
            agent_number=agent_number,
            backend=backend,
        )
        for name, options in contestants
    ]


def hold(locks: ExitStack, out: Path | None, stores: list[Store | None], plans: list[Settings]) -> list[list[Episode]]:
    """The rows that the folders hold, where only this process may write from now on. Bad rows are refused first."""
    if out and len(stores) > 1:
        check_only_evaluations(out)
    kept = [store.rows(plan.to_data()) if store else [] for plan, store in zip(plans, stores, strict=True)]
    if out and len(stores) > 1:
        locks.enter_context(locked(out))
    for store in filter(None, stores):
        locks.enter_context(store)
    return kept


def play_all(
    plans: list[Settings],
    stores: list[Store | None],
    kept: list[list[Episode]],
    workers: int | None,
    spread: Spread | None = None,
    timeout: float | None = None,
) -> list[Evaluation]:
    done: list[Evaluation] = []
    with games_progress() as progress:
        for plan, store, rows in zip(plans, stores, kept, strict=True):
            shown = _shown(progress, plan, rows)
            done.append(evaluate(plan, workers=workers, store=store, progress=shown, spread=spread, timeout=timeout))
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


def games_progress() -> Progress:
    """A bar whose tasks have the field ``wins``."""
    return make_progress(
        make_console(stderr=True), "{task.completed:.0f} of {task.total:.0f} games, {task.fields[wins]} won"
    )
