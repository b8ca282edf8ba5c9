"""The learnt value of a build: its network and inputs, the options it evaluates, and whole runs played by it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jimbo.engine._core import (
    JudgedOption,
    Strategist,
    StrategyDecision,
    ValueNet,
    judge_options,
    play_value_games,
    value_input_groups,
    value_inputs,
)

__all__ = [
    "VALUE_BLINDS",
    "InputGroup",
    "JudgedOption",
    "PlayedGames",
    "Positions",
    "Strategist",
    "StrategyDecision",
    "ValueNet",
    "ValuePlay",
    "ValueStart",
    "input_count",
    "input_groups",
    "judge_options",
    "play_games",
    "value_inputs",
    "value_net",
    "value_schema_hash",
]

VALUE_BLINDS = 24
"""Eight antes of three."""
Array = NDArray[Any]


class InputGroup(NamedTuple):
    """Inputs that belong together."""

    name: str
    size: int
    text: str
    """What they mean, where the name does not say it all."""
    start: int
    """The index of the first of them."""


@cache
def input_groups() -> tuple[InputGroup, ...]:
    """The inputs of a value, in order."""
    groups, start = [], 0
    for name, size, text in value_input_groups():
        groups.append(InputGroup(name, size, text, start))
        start += size
    return tuple(groups)


def input_count() -> int:
    return sum(group.size for group in input_groups())


def value_schema_hash() -> str:
    """A hash of names and sizes: a value can be used only with the inputs that it has learnt from."""
    names = json.dumps([[group.name, group.size] for group in input_groups()])
    return hashlib.sha256(names.encode()).hexdigest()[:16]


def value_net(layers: Sequence[tuple[Array, Array]]) -> ValueNet:
    """Three layers, each of weights ``[inputs, outputs]`` and biases ``[outputs]``; ValueError if they do not fit."""

    def plain(array: Array) -> bytes:
        return np.ascontiguousarray(array, np.float32).tobytes()

    return ValueNet([(*weights.shape, plain(weights), plain(bias)) for weights, bias in layers])


class ValueStart(NamedTuple):
    """Where a game begins."""

    seed: str
    deck: str
    stake: str
    nonce: int
    explores: bool
    """It makes random moves, and its choices are biased."""


@dataclass(frozen=True, slots=True)
class ValuePlay:
    """How games are played."""

    rollouts: int = 30
    """Rollouts of the blind solver for each hand; 1: the quick player alone."""
    finalists: int = 4
    """Options whose next blinds are forecast."""
    worlds: int = 2
    """Worlds of such a forecast."""
    random_moves: float = 0.0
    """Share of the decisions that a game which explores takes at random."""
    bias: float = 0.0
    """Scale of the random biases of a game which explores."""
    recorded: float = 0.0
    """Share of the decisions whose positions are recorded."""
    recorded_worlds: int = 0
    """Most worlds of the forecast that a recorded position has; 0: it is recorded as it was judged."""
    second_chances: int = 0
    """How often a lost run is taken up again some antes before, with what is hidden anew."""


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """Positions that games came to, with what came of them; P positions with I inputs in all, B blinds."""

    game: Array
    """[P]: which game, int32; games without positions are left out; second chances are games, too."""
    count: Array
    """[P]: how many inputs each has, int32."""
    next: Array
    """[P]: the blind that came next, uint8."""
    taken: Array
    """[P]: 0 where the run went another way, for the sake of exploring; uint8."""
    index: Array
    """[I] uint16."""
    value: Array
    """[I] float32."""
    cleared: Array
    """[P, B]: 1, 0, or -1 for blinds that were not reached or skipped; int8."""
    margin: Array
    """[P, B]: log score less log target as forecast when the blind began, float32."""
    dollars: Array
    """[P, B]: when the blind began, float32."""


class PlayedGames(NamedTuple):
    """[G] each."""

    won: Array
    ante: Array
    round: Array
    decisions: Array
    """Choices by the value."""
    hands: Array
    """Decisions of the blind solver."""
    digest: Array
    """The actions of the run itself as one number."""
    positions: Positions


_KINDS = {
    "game": np.int32,
    "count": np.int32,
    "next": np.uint8,
    "taken": np.uint8,
    "index": np.uint16,
    "value": np.float32,
    "cleared": np.int8,
    "margin": np.float32,
    "dollars": np.float32,
}
_RESULTS = {
    "won": np.bool_,
    "ante": np.int64,
    "round": np.int64,
    "decisions": np.int64,
    "hands": np.int64,
    "digest": np.uint64,
}
_BY_BLIND = ("cleared", "margin", "dollars")


def play_games(net: ValueNet, starts: Sequence[ValueStart], play: ValuePlay, threads: int) -> PlayedGames:
    """Whole runs, the same whatever the number of threads."""
    results, columns = play_value_games(net, starts, **asdict(play), threads=threads)
    arrays = {name: np.frombuffer(columns[name], kind) for name, kind in _KINDS.items()}
    arrays |= {name: arrays[name].reshape(-1, VALUE_BLINDS) for name in _BY_BLIND}
    columns_of_games = zip(*results, strict=True) if results else [()] * len(_RESULTS)
    games: dict[str, Array] = {
        name: np.array(column, kind) for (name, kind), column in zip(_RESULTS.items(), columns_of_games, strict=True)
    }
    return PlayedGames(**games, positions=Positions(**arrays))
