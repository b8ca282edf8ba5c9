"""The decisions of games, gathered while they are played or replayed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.data.columns import columns_of
from jimbo.data.record import Decision
from jimbo.data.results import LARGEST, Outcome
from jimbo.data.samples import MAX_CANDIDATES, MEASURES, PHASES, Game, Samples, candidate_widths
from jimbo.engine import Describer, PublicState, observation_dtype
from jimbo.files import finite

_MEASURE = {measure: place for place, measure in enumerate(MEASURES)}
_PHASE = {phase: place for place, phase in enumerate(PHASES)}
_FIRST_ROOM = 8192
"""Decisions, about 80 MB, of which a machine provides what is written to; it grows."""
OF_STATES = tuple(column.name for column in columns_of("state"))
"""The numbers of the state that are kept beside its observation, to be asked for."""
PLAIN = (*OF_STATES, *(column.name for column in columns_of("decision")))
"""These, and what is kept of a decision beside its candidates; the cards are positions, one byte for each."""
_state_values = attrgetter(*(column.attribute for column in columns_of("state")))
_decision_values = attrgetter(*(column.attribute for column in columns_of("decision")))
_KEPT = [(place, column.kept) for place, column in enumerate(columns_of("decision")) if column.kept is not None]


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Decisions as arrays, and the columns that are not part of them."""

    samples: Samples
    plain: dict[str, list[Any]]
    """``PLAIN``, one value for each decision."""

    def __len__(self) -> int:
        return len(self.samples)

    @staticmethod
    def joined(parts: list[Rows]) -> Rows:
        plain = {name: [value for part in parts for value in part.plain[name]] for name in PLAIN}
        return Rows(Samples.joined([part.samples for part in parts]), plain)


class GameRows:
    """Takes the decisions of one game after another, and gives out those of all that have ended."""

    def __init__(self) -> None:
        self._describer = Describer(MAX_CANDIDATES)
        ids, numbers = candidate_widths()
        self._seen = np.zeros((_FIRST_ROOM, observation_dtype().itemsize), np.uint8)
        self._ids = np.empty((_FIRST_ROOM * MAX_CANDIDATES, ids), np.uint8)
        self._rows = np.empty((_FIRST_ROOM * MAX_CANDIDATES, numbers), np.float32)
        self._values = np.empty(_FIRST_ROOM * MAX_CANDIDATES, np.float32)
        self.clear()

    def __len__(self) -> int:
        """Decisions of games that have ended."""
        return self._ended

    def clear(self) -> None:
        """Forgets everything, to begin anew."""
        self._starts = [0]
        self._numbers: list[tuple[int, int, int, int, int, float]] = []
        self._plain: list[list[Any]] = []
        self._games: list[Game] = []
        self._ended = 0
        self.beaten = 0
        """Blinds so far in the present game."""

    def add(self, state: PublicState, decision: Decision, outcome: Outcome) -> None:
        place, start = len(self._numbers), self._starts[-1]
        if place == len(self._seen) or start + MAX_CANDIDATES > len(self._rows):
            self._make_room()
        end = start + MAX_CANDIDATES
        count = self._describer.into(state, self._seen[place], self._ids[start:end], self._rows[start:end])
        chosen = self._judge(decision, self._values[start : start + count])
        self._starts.append(start + count)
        measure, phase = _MEASURE[decision.measure], _PHASE[state.phase]
        self._numbers.append((chosen, measure, phase, len(self._games), self.beaten, outcome.reward))
        self._plain.append([*_state_values(state), *_kept(decision)])
        self.beaten += outcome.beaten

    def _judge(self, decision: Decision, values: NDArray[np.float32]) -> int:
        """Writes the values of the candidates, the best where one was looked at repeatedly; the place of the choice."""
        considered = decision.considered
        chosen, *places = self._describer.places([decision.action, *(other.action for other in considered)])
        values.fill(np.nan)
        for place, other in zip(places, considered, strict=True):
            if place >= 0 and not (values[place] >= other.value or math.isnan(other.value)):
                values[place] = finite(other.value, LARGEST)
        return chosen

    def _make_room(self) -> None:
        self._seen, self._ids, self._rows, self._values = (
            np.concatenate([array, np.zeros_like(array)]) for array in (self._seen, self._ids, self._rows, self._values)
        )

    def end(self, game: Game) -> None:
        """The present game is over."""
        self._games.append(game)
        self._ended, self.beaten = len(self._numbers), 0

    def drop(self) -> None:
        """The present game is not kept."""
        del self._numbers[self._ended :], self._plain[self._ended :], self._starts[self._ended + 1 :]
        self.beaten = 0

    def rows(self) -> Rows:
        """All games that have ended, at least one, while none is under way. The arrays last until ``clear``."""
        count, end = len(self._numbers), self._starts[-1]
        chosen, measures, phases, games, blinds, rewards = zip(*self._numbers, strict=True)
        samples = Samples(
            observations=self._seen[:count].view(observation_dtype())[:, 0],
            starts=np.array(self._starts, np.int64),
            candidate_ids=self._ids[:end],
            candidate_rows=self._rows[:end],
            values=self._values[:end],
            chosen=np.array(chosen, np.int16),
            measures=np.array(measures, np.uint8),
            phases=np.array(phases, np.uint8),
            games=np.array(games, np.int32),
            steps=np.concatenate([np.arange(1, game.steps + 1, dtype=np.int32) for game in self._games]),
            blinds=np.array(blinds, np.int16),
            rewards=np.array(rewards, np.float32),
            played=tuple(self._games),
        )
        return Rows(samples, dict(zip(PLAIN, map(list, zip(*self._plain, strict=True)), strict=True)))


def _kept(decision: Decision) -> list[Any]:
    values = list(_decision_values(decision))
    for place, kept in _KEPT:
        values[place] = kept(values[place])
    return values
