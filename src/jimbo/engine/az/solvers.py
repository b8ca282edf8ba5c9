"""Perfect and strong players of the board games, to measure learners with."""

from __future__ import annotations

from functools import cache

import numpy as np

from jimbo.engine import _core
from jimbo.engine.az.games import Array, Position

_TABLE_BITS = 23
"""The solver of Connect Four remembers two to this power positions, in eight bytes each."""


@cache
def connect4_solver() -> _core.Connect4Solver:
    """One for all callers: what it has solved helps it on."""
    return _core.Connect4Solver(_TABLE_BITS)


def exact_values(position: Position) -> Array:
    """``[num_actions]`` float32: 1, 0 or -1 for actions that win, draw or lose with perfect play, nan where none is
    allowed. Connect Four takes a second or so for a position of eight stones and milliseconds from fourteen on;
    earlier ones take minutes, but for those of `opening_positions`, which are known."""
    from jimbo.engine.az.openings import known_values

    if position.spec.env_id == "tictactoe":
        return _array(_core.tictactoe_values(position.core))
    _need_connect4(position)
    known = known_values(position)
    return known if known is not None else _array(connect4_solver().values(position.core))


def exact_scores(position: Position) -> Array:
    """``[7]`` float32, Connect Four alone: how many stones the winner has left when the game ends, negative for a loss,
    0 for a draw, nan where none is allowed. Sooner wins and later losses are better."""
    _need_connect4(position)
    return _array(connect4_solver().scores(position.core))


def alpha_beta_move(position: Position, depth: int, seed: int) -> int:
    """The column that a player of Connect Four takes who looks `depth` moves ahead; `seed` draws among equals."""
    _need_connect4(position)
    return _core.alpha_beta_move(position.core, depth, seed)


def _need_connect4(position: Position) -> None:
    if position.spec.env_id != "connect4":
        raise ValueError(f"there is no solver for {position.spec.display_name}")
    if position.done:
        raise ValueError("the game is over")


def _array(values: list[int | None]) -> Array:
    return np.array([np.nan if value is None else value for value in values], np.float32)
