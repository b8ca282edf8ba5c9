"""Games for learning by self-play: what they are called, how they are observed, and their positions."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jimbo.engine import _core

Array = NDArray[Any]


class GameSpec(NamedTuple):
    """A game as stores and learners describe it."""

    env_id: str
    display_name: str
    board_width: int
    board_height: int
    num_actions: int
    obs_size: int
    """Numbers of an observation, float32."""
    legal_mask_offset: int
    """Place of the allowed actions in an observation, as zeros and ones."""
    player_count: int


@cache
def game_specs() -> dict[str, GameSpec]:
    """The games there are, by ``env_id``."""
    specs = [GameSpec(*(getattr(facts, name) for name in GameSpec._fields)) for facts in _core.game_list()]
    return {spec.env_id: spec for spec in specs}


def game_spec(env_id: str) -> GameSpec:
    if env_id not in game_specs():
        raise ValueError(f'There is no game "{env_id}". Choose one of {", ".join(game_specs())}.')
    return game_specs()[env_id]


@cache
def symmetries(env_id: str) -> tuple[tuple[Array, Array], ...]:
    """Ways to turn the board, the first of which changes nothing: a turned observation is ``observation[order]`` with
    the first array of a pair, and a turned policy is ``policy[order]`` with the second."""
    game_spec(env_id)
    count = next(facts.symmetries for facts in _core.game_list() if facts.env_id == env_id)
    return tuple(
        (np.array(_core.turned_observation(env_id, i)), np.array(_core.turned_policy(env_id, i))) for i in range(count)
    )


class Position:
    """A position of a game, from its start or from bytes. `seed` chooses among the starts of a game of chance."""

    def __init__(self, env_id: str, seed: int = 0) -> None:
        self.spec = game_spec(env_id)
        self.core = _core.start_position(env_id, seed)

    def __repr__(self) -> str:
        return f"<Position of {self.spec.display_name}{', over' if self.done else ''}>"

    @classmethod
    def from_state(cls, env_id: str, state: bytes) -> Position:
        """Read a position; ValueError for other bytes."""
        return cls.wrapped(env_id, _core.position_from_bytes(env_id, state))

    @classmethod
    def wrapped(cls, env_id: str, core: _core.AnyPosition) -> Position:
        position = cls.__new__(cls)
        position.spec, position.core = game_spec(env_id), core
        return position

    def copy(self) -> Position:
        return self.wrapped(self.spec.env_id, self.core.copy())

    def legal(self) -> Array:
        """``[num_actions]`` bool."""
        return np.array(self.core.legal(), np.bool_)

    def step(self, action: int) -> None:
        """ValueError for an action that is not allowed."""
        self.core.step(action)

    @property
    def done(self) -> bool:
        return self.core.ending is not None

    @property
    def player(self) -> int:
        """Whose turn it is: 0 or 1."""
        return self.core.player

    @property
    def outcome(self) -> float:
        """The result for player 0, from -1 (lost) to 1 (won); 0 while the game lasts."""
        return self.outcome_for(0)

    def outcome_for(self, player: int) -> float:
        ending = self.core.ending or 0.0
        return ending if self.spec.player_count == 1 or self.player == player else -ending

    def observation(self) -> Array:
        """``[obs_size]`` float32, from the side of the mover."""
        row = np.zeros(self.spec.obs_size, np.float32)
        self.core.observe(row)
        return row

    def state(self) -> bytes:
        return self.core.bytes

    @property
    def symmetries(self) -> tuple[tuple[Array, Array], ...]:
        return symmetries(self.spec.env_id)
