"""The games of the workshop: what a store says of them or, where it says nothing, what is known here."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.az.replay import Replay
from jimbo.az.schema import GameMetadata
from jimbo.engine.az import game_specs, symmetries

log = logging.getLogger(__name__)
Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Shape:
    """The network that suits a game."""

    kind: str
    width: int
    blocks: int = 0


BALATRO = "balatro"
_SHAPES = {"tictactoe": Shape("mlp", 128), "connect4": Shape("resnet", 32, 3)}
_DEFAULT_SHAPE = Shape("mlp", 128)


def known_games() -> dict[str, GameMetadata]:
    """By their ids: the games that this version can play."""
    specs = game_specs()
    return {
        spec.env_id: GameMetadata(*(getattr(spec, name) for name in GameMetadata._fields)) for spec in specs.values()
    }


def known_game(env_id: str) -> GameMetadata:
    """ValueError for one that cannot be played."""
    games = known_games()
    if env_id not in games:
        raise ValueError(f'There is no game "{env_id}". Choose one of {", ".join(games)}.')
    return games[env_id]


def game_of(env_id: str, replay: Replay | None) -> GameMetadata:
    """As the store describes it."""
    told = replay.get_metadata(env_id) if replay else None
    if told is None:
        log.warning("The store does not describe %s: what is built in is used.", env_id)
        return known_game(env_id)
    return told


def shape_of(env_id: str) -> Shape:
    return _SHAPES.get(env_id, _DEFAULT_SHAPE)


@dataclass(frozen=True, slots=True, eq=False)
class Symmetries:
    """Ways to see a position that are worth the same."""

    observations: Array
    """int64[S, obs_size]: which number stands at each place then."""
    moves: Array
    """int64[S, num_actions]"""

    def shuffled(self, observations: Array, policies: Array, random: np.random.Generator) -> tuple[Array, Array]:
        """Each row seen in one of the ways, drawn at random."""
        ways = random.integers(len(self.moves), size=len(observations))
        return (
            np.take_along_axis(observations, self.observations[ways], axis=1),
            np.take_along_axis(policies, self.moves[ways], axis=1),
        )


@cache
def symmetries_of(env_id: str) -> Symmetries | None:
    """None where there is only one way."""
    if env_id not in known_games():
        return None
    ways = symmetries(env_id)
    if len(ways) < 2:
        return None
    return Symmetries(*(np.array(part, np.int64) for part in zip(*ways, strict=True)))
