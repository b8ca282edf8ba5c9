"""Several evaluations in one table: strategies on the same seeds, or one agent on several decks and stakes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from jimbo.engine.catalog import DECKS, STAKES
from jimbo.eval.runner import Evaluation, Settings
from jimbo.eval.statistics import Interval, Paired, compare
from jimbo.eval.store import Store
from jimbo.eval.summary import Summary, complete, summarize
from jimbo.seeds.seed_sets import SeedSet
from jimbo.seeds.starts import CHALLENGE_DECK, deck_key, stake_key

ABLATION_SCHEMA = "jimbo_ablation_v1"
MATRIX_SCHEMA = "jimbo_matrix_v1"
GAME = ("deck", "stake", "challenge")
"""What must be the same for all strategies."""
ALL = "all"
Place = tuple[str, str]
"""Keys of a deck and a stake."""

# --- Strategies -------------------------------------------------------------------------------------------------------


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
    """What each strategy is worth compared with the first."""

    rows: tuple[Compared, ...]
    left_out: int
    """Games on seeds that not all have played."""

    @property
    def settings(self) -> Settings:
        """The settings of the first."""
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
    return Evaluation.kept(settings, store.rows(config))


def ablation(strategies: Sequence[Strategy]) -> Ablation:
    """Compare strategies on the seeds that all have played; ValueError where they cannot be compared."""
    first = strategies[0]
    for other in strategies[1:]:
        for name in GAME:
            mine, theirs = (getattr(each.evaluation.settings, name) for each in (first, other))
            if mine != theirs:
                raise ValueError(
                    f"{first.name} and {other.name} cannot be compared: the {name} is {mine} in one and "
                    f"{theirs} in the other."
                )
    played = [{(row.episode_id, row.seed) for row in strategy.evaluation.episodes} for strategy in strategies]
    common = set.intersection(*played)
    if not common:
        raise ValueError("There is no seed that all of them have played. Give each of them the same --seed-set.")
    shared = [_only(strategy, common) for strategy in strategies]
    base = shared[0].evaluation.episodes
    rows = [Compared(shared[0], summarize(base), None)]
    for strategy in shared[1:]:
        episodes = strategy.evaluation.episodes
        rows.append(Compared(strategy, summarize(episodes), compare(episodes, base)))
    return Ablation(tuple(rows), sum(map(len, played)) - len(common) * len(played))


def _only(strategy: Strategy, games: set[tuple[int, str]]) -> Strategy:
    rows = tuple(row for row in strategy.evaluation.episodes if (row.episode_id, row.seed) in games)
    return Strategy(strategy.name, replace(strategy.evaluation, episodes=rows))


def ablation_data(result: Ablation) -> dict[str, Any]:
    """A comparison of strategies for machines."""
    settings = result.settings
    return {
        "schema": ABLATION_SCHEMA,
        **{name: getattr(settings, name) for name in GAME},
        "seed_set": settings.seeds.name,
        "games": result.rows[0].summary.games,
        "left_out": result.left_out,
        "rows": [
            {
                "strategy": row.strategy.name,
                "agent": row.strategy.evaluation.settings.agent,
                "options": dict(row.strategy.evaluation.settings.options),
                **asdict(row.summary),
                "vs_first": asdict(row.vs_first) if row.vs_first else None,
            }
            for row in result.rows
        ],
    }


def ablation_csv(result: Ablation) -> str:
    """A comparison of strategies as CSV, with a line for each."""
    lines = [_csv_row(row) for row in result.rows]
    names = list(dict.fromkeys(name for line in lines for name in line))
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue()


def _csv_row(row: Compared) -> dict[str, object]:
    summary, settings = row.summary, row.strategy.evaluation.settings
    line: dict[str, object] = {
        "strategy": row.strategy.name,
        "agent": settings.agent,
        "options": json.dumps(dict(settings.options)),
        "games": summary.games,
        "wins": summary.wins,
        **_with_interval("win_rate", summary.win_rate, summary.ci95),
        **_with_interval("ante1_clear", summary.ante1_clear, summary.ante1_clear_ci95),
        **_with_interval("mean_ante", summary.mean_ante, summary.mean_ante_ci95),
        **_with_interval("mean_round", summary.mean_round, summary.mean_round_ci95),
        "ms_per_decision": summary.ms_per_decision,
    }
    for name, gap in row.vs_first.gaps.items() if row.vs_first else ():
        line |= {**_with_interval(f"vs_first_{name}", gap.mean, gap.ci95), f"vs_first_{name}_p": gap.p}
    return line


def _with_interval(name: str, value: float, ci95: Interval | None) -> dict[str, object]:
    low, high = ci95 or ("", "")
    return {name: value, f"{name}_low": low, f"{name}_high": high}


# --- Decks and stakes -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cell:
    evaluation: Evaluation
    summary: Summary

    @property
    def place(self) -> Place:
        return self.evaluation.settings.deck, self.evaluation.settings.stake


@dataclass(frozen=True, slots=True)
class Matrix:
    """One agent on several decks and stakes, all on the same seeds: how strong it is where."""

    cells: tuple[Cell, ...]
    """By deck, then by stake, as the game has them; not every deck need have every stake."""

    @property
    def settings(self) -> Settings:
        """Settings of the cell with most seeds; deck and stake apart, the others have the same."""
        return max((cell.evaluation.settings for cell in self.cells), key=lambda settings: len(settings.seeds.seeds))

    @property
    def decks(self) -> list[str]:
        return [key for key in DECKS if any(cell.place[0] == key for cell in self.cells)]

    @property
    def stakes(self) -> list[str]:
        return [key for key in STAKES if any(cell.place[1] == key for cell in self.cells)]

    def at(self, deck: str, stake: str) -> Cell | None:
        return next((cell for cell in self.cells if cell.place == (deck, stake)), None)


def places_of(decks: str, stakes: str) -> list[Place]:
    """Every deck with every stake, given as names with commas between them, or ``all``; ValueError for any other."""
    return _in_order(
        (deck, stake)
        for deck in _keys(decks, [key for key in DECKS if key != CHALLENGE_DECK], deck_key)
        for stake in _keys(stakes, list(STAKES), stake_key)
    )


def _keys(text: str, everything: list[str], read: Callable[[str], str]) -> list[str]:
    return everything if text.strip().lower() == ALL else [read(part.strip()) for part in text.split(",")]


def _in_order(places: Iterable[Place]) -> list[Place]:
    decks, stakes = list(DECKS), list(STAKES)
    return sorted(set(places), key=lambda place: (decks.index(place[0]), stakes.index(place[1])))


def matrix(evaluations: Sequence[Evaluation]) -> Matrix:
    """The cells with at least one run; ValueError if there is none."""
    played = {(each.settings.deck, each.settings.stake): each for each in evaluations if each.episodes}
    if not played:
        raise ValueError("No run has been finished.")
    return Matrix(tuple(Cell(played[place], summarize(played[place].episodes)) for place in _in_order(played)))


def matrix_data(result: Matrix) -> dict[str, Any]:
    """A matrix for machines."""
    settings = result.settings.to_data()
    for name in ("deck", "stake", "challenge", "seeds"):
        del settings[name]
    return {"schema": MATRIX_SCHEMA, **settings, "cells": [_cell_data(cell) for cell in result.cells]}


def _cell_data(cell: Cell) -> dict[str, Any]:
    deck, stake = cell.place
    return {"deck": deck, "stake": stake, "complete": complete(cell.evaluation), **asdict(cell.summary)}
