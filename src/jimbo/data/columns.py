"""The columns of a file of decisions, and the decisions of games gathered in them.

A number of the game, of the state or of the decision becomes a column by one row here: games are gathered, files
written, read and checked, and docs/data.md made (``tools/data_page.py``) by this list.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jimbo.data.record import LARGEST_VALUE, Decision, Outcome
from jimbo.data.samples import MAX_CANDIDATES, MEASURES, PHASES, Game, Samples, candidate_widths
from jimbo.engine import Describer, PublicState, observation_dtype
from jimbo.files import finite, writable

_DTYPES = {"float": "float32"}
_FIRST_ROOM = 8192
"""Decisions, about 80 MB, of which a machine provides what is written to; it grows."""

# --- Columns ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    type: str
    """As pyarrow spells it."""
    source: str
    """An attribute of a ``Decided`` or, after ``game.``, of a ``Game``; empty for what is worked out."""
    doc: str
    array: str = ""
    """The array of samples that holds it, or the method of samples that works it out."""
    labels: tuple[str, ...] = ()
    """The texts whose places the array holds."""
    kept: Callable[[Any], Any] | None = None
    """What is kept of the attribute."""
    nullable: bool = False

    @property
    def of_game(self) -> bool:
        return self.source.startswith("game.")

    @property
    def attribute(self) -> str:
        """The last part of the source."""
        return self.source.rpartition(".")[2]

    @property
    def is_derived(self) -> bool:
        return callable(getattr(Samples, self.array, None))

    def as_array(self, values: Sequence[Any]) -> NDArray[Any]:
        """The array of samples with these values."""
        if self.labels:
            places = {label: place for place, label in enumerate(self.labels)}
            return np.array([places[value] for value in values], np.uint8)
        return np.array(values, _DTYPES.get(self.type, self.type))


_PLAIN = (
    Column("game", "int32", "game.number", "which game of the rollout, from 0; the same in all its decisions"),
    Column("seed", "string", "game.seed", "the seed of the game"),
    Column("deck", "string", "game.deck", "key of the deck"),
    Column("stake", "string", "game.stake", "key of the stake"),
    Column("challenge", "string", "game.challenge", "key of the challenge; null without one", nullable=True),
    Column("agent", "string", "game.agent", "who played"),
    Column("nonce", "int64", "game.nonce", "seed of the agent's own random choices"),
    Column(
        "result", "string", "game.result",
        "how the game ended: `win`, `loss`, or `open` where it was left before its end",
    ),
    Column("final_ante", "int16", "game.ante", "the ante in which it ended; beating a boss begins the next"),
    Column("final_round", "int16", "game.round", "the round in which it ended"),
    Column("blinds_total", "int16", "game.blinds", "blinds beaten in the whole game"),
    Column("steps", "int32", "game.steps", "decisions in the whole game"),
    Column("step", "int32", "step", "which decision of its game, from 1", "steps"),
    Column("phase", "string", "state.phase", f"what is decided: {', '.join(PHASES[:-1])}", "phases", PHASES),
    Column("ante", "int16", "state.ante", "the present ante"),
    Column("round", "int16", "state.round", "blinds started so far"),
    Column("blinds", "int16", "blinds", "blinds beaten before this decision", "blinds"),
    Column("dollars", "int32", "state.dollars", "money held"),
    Column("hands_left", "int16", "state.hands_left", "hands left in the round"),
    Column("discards_left", "int16", "state.discards_left", "discards left in the round"),
    Column("chips", "double", "state.chips", "scored in the round so far"),
    Column("target", "double", "state.blind.target", "score to reach in the blind last selected"),
    Column("action", "string", "decision.action.kind", "kind of the action taken, such as play"),
    Column("index", "uint8", "decision.action.index", "which card, joker or consumable it is about"),
    Column("to", "uint8", "decision.action.to", "where a moved card goes"),
    Column("cards", "list<item: uint8>", "decision.action.cards", "selected hand positions, from 0"),
    Column(
        "chosen", "int16", "", "place of the action among the candidates; -1 where it is not listed", "chosen"
    ),
    Column(
        "measure", "string", "decision.measure",
        "what the values are: `value`, `score`, `clear`, `win` or `choice`", "measures", MEASURES,
    ),
    Column("win", "float", "decision.win", "chance to win as the player saw it; null where it had none", nullable=True),
    Column("explanation", "string", "decision.explanation", "the player's reason", kept=writable),
    Column("reward", "float", "outcome.reward", "chips scored by the decision", "rewards"),
    Column("return", "double", "", "the rewards from this decision to the end of the game", "returns"),
    Column("done", "bool", "", "the decision ended the game", "done"),
    Column(
        "candidate_values", "list<item: float>", "",
        "what each candidate was worth to the player; NaN: not looked at", "values",
    ),
)  # fmt: skip


@cache
def columns() -> tuple[Column, ...]:
    """All columns in their order."""
    ids, numbers = candidate_widths()
    size = observation_dtype().itemsize
    return (
        *_PLAIN,
        Column("observation", f"fixed_size_binary[{size}]", "", "one observation_dtype()", "observations"),
        Column("candidate_ids", "binary", "", f"{ids} uint8 for each candidate", "candidate_ids"),
        Column("candidate_rows", "binary", "", f"{numbers} float32 for each candidate", "candidate_rows"),
    )


OF_GAMES = tuple(column for column in _PLAIN if column.of_game)
OF_DECISIONS = tuple(column for column in _PLAIN if column.source and not column.of_game)
"""Columns that are read from a ``Decided``."""
BESIDE = tuple(column for column in OF_DECISIONS if not column.array)
"""Those of them that are no part of samples."""


# --- Decisions of games -----------------------------------------------------------------------------------------------


class Decided(NamedTuple):
    """A decision of a game: what a row or a line is made of."""

    step: int
    """From 1."""
    blinds: int
    """Beaten before."""
    state: PublicState
    decision: Decision
    outcome: Outcome


_READ = attrgetter(*(column.source for column in OF_DECISIONS))
_KEPT = [(place, column.kept) for place, column in enumerate(OF_DECISIONS) if column.kept]


@dataclass(frozen=True, slots=True, eq=False)
class DecisionRows:
    """Decisions as arrays, and the columns that are not part of them."""

    samples: Samples
    beside: dict[str, list[Any]]
    """The columns ``BESIDE``, one value for each decision."""

    def __len__(self) -> int:
        return len(self.samples)

    @staticmethod
    def joined(parts: list[DecisionRows]) -> DecisionRows:
        beside = {column.name: [value for part in parts for value in part.beside[column.name]] for column in BESIDE}
        return DecisionRows(Samples.joined([part.samples for part in parts]), beside)


class GameRows:
    """Takes the decisions of one game after another, and gives out those of all that have ended, as rows."""

    def __init__(self) -> None:
        self._describer = Describer(MAX_CANDIDATES)
        ids, numbers = candidate_widths()
        self._seen = np.zeros((_FIRST_ROOM, observation_dtype().itemsize), np.uint8)
        self._ids = np.empty((_FIRST_ROOM * MAX_CANDIDATES, ids), np.uint8)
        self._rows = np.empty((_FIRST_ROOM * MAX_CANDIDATES, numbers), np.float32)
        self._worth = np.empty(_FIRST_ROOM * MAX_CANDIDATES, np.float32)
        self.clear()

    def __len__(self) -> int:
        """Decisions of games that have ended."""
        return self._ended

    def clear(self) -> None:
        """Forgets everything."""
        self._starts = [0]
        self._chosen: list[int] = []
        self._values: list[list[Any]] = []
        self._games: list[Game] = []
        self._ended = 0
        self.beaten = 0
        """Blinds so far in the present game."""

    def add(self, state: PublicState, decision: Decision, outcome: Outcome) -> None:
        place, start = len(self._values), self._starts[-1]
        if place == len(self._seen) or start + MAX_CANDIDATES > len(self._rows):
            self._make_room()
        end = start + MAX_CANDIDATES
        count = self._describer.into(state, self._seen[place], self._ids[start:end], self._rows[start:end])
        self._chosen.append(self._valued(decision, self._worth[start : start + count]))
        self._starts.append(start + count)
        values = list(_READ(Decided(place - self._ended + 1, self.beaten, state, decision, outcome)))
        for column, kept in _KEPT:
            values[column] = kept(values[column])
        self._values.append(values)
        self.beaten += outcome.beaten

    def _valued(self, decision: Decision, values: NDArray[np.float32]) -> int:
        """Writes the values of the candidates, the best where one was looked at repeatedly; the place of the choice."""
        considered = decision.considered
        chosen, *places = self._describer.places([decision.action, *(other.action for other in considered)])
        values.fill(np.nan)
        for place, other in zip(places, considered, strict=True):
            if place >= 0 and not (values[place] >= other.value or math.isnan(other.value)):
                values[place] = finite(other.value, LARGEST_VALUE)
        return chosen

    def _make_room(self) -> None:
        self._seen, self._ids, self._rows, self._worth = (
            np.concatenate([array, np.zeros_like(array)]) for array in (self._seen, self._ids, self._rows, self._worth)
        )

    def end(self, game: Game) -> None:
        """The present game is over."""
        self._games.append(game)
        self._ended, self.beaten = len(self._values), 0

    def drop(self) -> None:
        """The present game is not kept."""
        del self._values[self._ended :], self._chosen[self._ended :], self._starts[self._ended + 1 :]
        self.beaten = 0

    def gathered(self) -> DecisionRows | None:
        """All games that have ended, if there are any. The arrays last until ``clear``."""
        return self.rows() if self._ended else None

    def rows(self) -> DecisionRows:
        """All games that have ended, at least one; the present one is dropped. The arrays last until ``clear``."""
        self.drop()
        end = self._starts[-1]
        found = dict(zip(OF_DECISIONS, zip(*self._values, strict=True), strict=True))
        samples = Samples(
            observations=self._seen[: self._ended].view(observation_dtype())[:, 0],
            starts=np.array(self._starts, np.int64),
            candidate_ids=self._ids[:end],
            candidate_rows=self._rows[:end],
            values=self._worth[:end],
            chosen=np.array(self._chosen, np.int16),
            games=np.repeat(np.arange(len(self._games), dtype=np.int32), [game.steps for game in self._games]),
            played=tuple(self._games),
            **{column.array: column.as_array(values) for column, values in found.items() if column.array},
        )
        return DecisionRows(samples, {column.name: list(found[column]) for column in BESIDE})
