"""Several strategies on the same seeds, in one table: what each is worth beside the first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jimbo.eval.runner import Evaluation, Settings
from jimbo.eval.statistics import Paired, compare
from jimbo.eval.store import Store
from jimbo.eval.summary import Summary, summarize
from jimbo.seeds.seed_sets import SeedSet

GAME = ("deck", "stake", "challenge")
"""What must be the same for all."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """An evaluation with the name it has in the table."""

    name: str
    evaluation: Evaluation


@dataclass(frozen=True, slots=True)
class Compared:
    strategy: Strategy
    summary: Summary
    vs_first: Paired | None
    """Itself minus the first; None for the first."""


@dataclass(frozen=True, slots=True)
class Ablation:
    rows: tuple[Compared, ...]
    left_out: int
    """Games on seeds that not all have played."""

    @property
    def settings(self) -> Settings:
        """Of the first."""
        return self.rows[0].strategy.evaluation.settings


def read_evaluation(folder: Path) -> Evaluation:
    """What ``jimbo eval --out`` keeps in a folder; ValueError for any other folder."""
    store = Store(folder)
    config = store.config()
    if config is None:
        raise ValueError(f"{folder} is not the folder of an evaluation: it has no {store.config_path.name}.")
    settings = Settings(
        agent=config["agent"],
        options=config["options"],
        deck=config["deck"],
        stake=config["stake"],
        challenge=config.get("challenge"),
        seeds=SeedSet(config["seed_set"], config["seed_set_version"], tuple(config["seeds"])),
        agent_number=config.get("agent_number", 0),
    )
    return Evaluation(settings, tuple(sorted(store.rows(config), key=lambda row: row.episode_id)))


def ablation(strategies: Sequence[Strategy]) -> Ablation:
    """On the seeds that all have played; ValueError where they cannot be compared."""
    first = strategies[0].evaluation
    for other in strategies[1:]:
        for name in GAME:
            mine, theirs = getattr(first.settings, name), getattr(other.evaluation.settings, name)
            if mine != theirs:
                raise ValueError(
                    f"{strategies[0].name} and {other.name} cannot be compared: the {name} is {mine} in one and "
                    f"{theirs} in the other."
                )
    played = [{(row.episode_id, row.seed) for row in strategy.evaluation.episodes} for strategy in strategies]
    common = set.intersection(*played)
    if not common:
        raise ValueError("There is no seed that all of them have played. Give each of them the same --seed-set.")
    shared = [_only(strategy, common) for strategy in strategies]
    rows = [
        Compared(
            strategy,
            summarize(strategy.evaluation.episodes),
            compare(strategy.evaluation.episodes, shared[0].evaluation.episodes) if place else None,
        )
        for place, strategy in enumerate(shared)
    ]
    return Ablation(tuple(rows), sum(map(len, played)) - len(common) * len(played))


def _only(strategy: Strategy, games: set[tuple[int, str]]) -> Strategy:
    rows = tuple(row for row in strategy.evaluation.episodes if (row.episode_id, row.seed) in games)
    return Strategy(strategy.name, replace(strategy.evaluation, episodes=rows))
