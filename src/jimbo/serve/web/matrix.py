"""Who wins how often with which deck at which stake, from evaluations that are kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from jimbo.engine.catalog import CHALLENGES, DECKS, STAKES
from jimbo.eval.statistics import wilson
from jimbo.league.entry import Entry
from jimbo.league.shown import minute
from jimbo.run_folder import CONFIG
from jimbo.text import counted, percent_text

Json = dict[str, Any]
_MOST_TEXT = 120


class Evaluations(Protocol):
    """Who knows evaluations that were not registered."""

    def evaluations(self) -> list[tuple[str, Json]]: ...


def recorded(entries: Iterable[Entry]) -> Iterator[tuple[str, Json]]:
    """Where evaluations of a registry come from, and what was played and won in each."""
    for entry in entries:
        if entry.kind != "evaluation":
            continue
        plans, results = entry.spec.get("settings"), entry.about.get("results")
        if not isinstance(plans, dict) or not isinstance(results, dict):
            continue
        if "deck" in plans:
            pairs = [(plans, results)]
        else:  # several evaluations, by the names of their files
            pairs = [(plans[name], results.get(_summary_of(name), {})) for name in plans if name.endswith(CONFIG)]
        for plan, result in pairs:
            if isinstance(plan, dict) and isinstance(result, dict):
                yield f"{entry.name}, {minute(entry.created)}", {**plan, **result}


def _summary_of(config: str) -> str:
    return f"{config.removesuffix(CONFIG)}summary.json"


def matrix(evaluations: Iterable[tuple[str, Mapping[str, Any]]]) -> list[Json]:
    """Return the cells of each player. Of several evaluations of a cell the one with most games counts."""
    found: dict[str, dict[tuple[str, str], list[Json]]] = {}
    for source, told in evaluations:
        wins, games = told.get("wins"), told.get("games")
        place = (str(told.get("challenge") or told.get("deck")), str(told.get("stake")))
        is_whole = isinstance(wins, int) and isinstance(games, int) and 0 <= wins <= games and games > 0
        if not is_whole or place[0] not in {**DECKS, **CHALLENGES} or place[1] not in STAKES:
            continue
        cell = {"wins": wins, "games": games, "source": source[:_MOST_TEXT]}
        found.setdefault(player_name(told), {}).setdefault(place, []).append(cell)
    return [
        {"player": player, "cells": [_cell(*place, several) for place, several in cells.items()]}
        for player, cells in sorted(found.items(), key=lambda one: (-len(one[1]), one[0]))
    ]


def player_name(told: Mapping[str, Any]) -> str:
    """An agent with its options; of files only their names."""
    options = told.get("options")
    shown = options.items() if isinstance(options, dict) else ()
    more = [f"{name}={str(value).replace(chr(92), '/').rpartition('/')[2]}" for name, value in shown]
    return " ".join([str(told.get("agent", "")), *more])[:_MOST_TEXT]


def _cell(deck: str, stake: str, several: list[Json]) -> Json:
    best = max(several, key=lambda one: one["games"])
    share = best["wins"] / best["games"]
    low, high = wilson(best["wins"], best["games"])
    more = f"; {counted(len(several) - 1, 'smaller evaluation')} left out" if len(several) > 1 else ""
    return {
        "deck": deck,
        "stake": stake,
        "share": share,
        "won": percent_text(share),
        "interval": f"{100 * low:.1f} to {100 * high:.1f}",
        "games": counted(best["games"], "game"),
        "source": f"{best['source']}{more}",
    }


def axes() -> Json:
    """Decks, challenges and stakes with their names."""
    return {
        "decks": [
            *({"key": key, "name": fact.name} for key, fact in DECKS.items()),
            *({"key": key, "name": fact.name} for key, fact in CHALLENGES.items()),
        ],
        "stakes": [{"key": key, "name": fact.name} for key, fact in STAKES.items()],
    }
