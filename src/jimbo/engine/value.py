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
    ANTE_SHARE,
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
    "ANTE_SHARE",
    "VALUE_BLINDS",
    "Choices",
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


Layers = Sequence[tuple[Array, Array]]
"""Three layers, each of weights ``[inputs, outputs]`` and biases ``[outputs]``."""


def value_net(value: Layers, policy: Layers = ()) -> ValueNet:
    """Return a value, with the policy that corrects what it chooses if there is one; ValueError if they do not fit."""

    def plain(array: Array) -> bytes:
        return np.ascontiguousarray(array, np.float32).tobytes()

    return ValueNet(
        *([(*weights.shape, plain(weights), plain(bias)) for weights, bias in net] for net in (value, policy))
    )


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
    temperature: float = 0.0
    """Above 0: options are drawn by the softmax of their preferences over this, and the choices are recorded."""
    considered: int = 12
    """Options, the best ones, that are drawn among."""


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


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """Choices that games drew: C choices among O options in all with I inputs; second chances are attempts, too."""

    attempt: Array
    """[C]: which attempt, in the order in which they were played; int32."""
    next: Array
    """[C]: the blind that comes next once the best option is done, uint8."""
    taken: Array
    """[C]: which of its options, uint8."""
    considered: Array
    """[C]: how many options each had, best first; uint8."""
    progress: Array
    """[C]: what the value promises of the best option, all bosses counted, beaten ones as 1; float32."""
    worth: Array
    """[O]: by the value, float32."""
    correction: Array
    """[O]: by the policy that played, float32."""
    count: Array
    """[O]: how many inputs each has, int32."""
    index: Array
    """[I] uint16."""
    value: Array
    """[I] float32."""
    bosses: Array
    """[A]: beaten at the end of each attempt, uint8."""


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
    choices: Choices


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
_CHOICE_KINDS = {
    "attempt": np.int32,
    "next": np.uint8,
    "taken": np.uint8,
    "considered": np.uint8,
    "progress": np.float32,
    "worth": np.float32,
    "correction": np.float32,
    "count": np.int32,
    "index": np.uint16,
    "value": np.float32,
    "bosses": np.uint8,
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
    results, columns, choices = play_value_games(net, starts, **asdict(play), threads=threads)
    arrays = {name: np.frombuffer(columns[name], kind) for name, kind in _KINDS.items()}
    arrays |= {name: arrays[name].reshape(-1, VALUE_BLINDS) for name in _BY_BLIND}
    columns_of_games = zip(*results, strict=True) if results else [()] * len(_RESULTS)
    games: dict[str, Array] = {
        name: np.array(column, kind) for (name, kind), column in zip(_RESULTS.items(), columns_of_games, strict=True)
    }
    drawn = Choices(**{name: np.frombuffer(choices[name], kind) for name, kind in _CHOICE_KINDS.items()})
    return PlayedGames(**games, positions=Positions(**arrays), choices=drawn)
