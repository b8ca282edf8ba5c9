"""One agent on several decks and stakes, all on the same seeds: how strong it is where."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from jimbo.engine.catalog import DECKS, STAKES
from jimbo.eval.runner import Evaluation, Settings
from jimbo.eval.summary import Summary, complete, summarize
from jimbo.seeds import CHALLENGE_DECK, deck_key, stake_key

SCHEMA = "jimbo_matrix_v1"
ALL = "all"
Place = tuple[str, str]
"""Keys of a deck and a stake."""


@dataclass(frozen=True, slots=True)
class Cell:
    evaluation: Evaluation
    summary: Summary

    @property
    def place(self) -> Place:
        return self.evaluation.settings.deck, self.evaluation.settings.stake


@dataclass(frozen=True, slots=True)
class Matrix:
    cells: tuple[Cell, ...]
    """By deck, then by stake, as the game has them; not every deck need have every stake."""

    @property
    def settings(self) -> Settings:
        """Of the cell with most seeds; deck and stake apart, the others have the same."""
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
    """Of those with at least one run; ValueError if there is none."""
    played = {(each.settings.deck, each.settings.stake): each for each in evaluations if each.episodes}
    if not played:
        raise ValueError("No run has been finished.")
    return Matrix(tuple(Cell(played[place], summarize(played[place].episodes)) for place in _in_order(played)))


def matrix_data(result: Matrix) -> dict[str, Any]:
    """A matrix for machines."""
    settings = result.settings.to_data()
    for name in ("deck", "stake", "challenge", "seeds"):
        del settings[name]
    return {"schema": SCHEMA, **settings, "cells": [_cell_data(cell) for cell in result.cells]}


def _cell_data(cell: Cell) -> dict[str, Any]:
    deck, stake = cell.place
    return {"deck": deck, "stake": stake, "complete": complete(cell.evaluation), **asdict(cell.summary)}
