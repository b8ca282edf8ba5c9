"""Perfect and strong players of the board games, to measure learners with, and openings with their exact values.

The openings of Connect Four were solved once by ``python tools/connect4_openings.py``. Their file has a line for
each: the columns played so far, from 1 to 7 (a dash for the empty board), and what each column is worth to the mover:
W, D or L, a dot where it is full.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from jimbo.engine import _core
from jimbo.engine.az.games import Array, Position

_TABLE_BITS = 23
"""The solver of Connect Four remembers two to this power positions, in eight bytes each."""


@cache
def connect4_solver(table_bits: int = _TABLE_BITS) -> _core.Connect4Solver:
    """One for all callers: what it has solved helps it on."""
    return _core.Connect4Solver(table_bits)


def exact_values(position: Position) -> Array:
    """``[num_actions]`` float32: 1, 0 or -1 for actions that win, draw or lose with perfect play, nan where none is
    allowed. Connect Four takes a second or so for a position of eight stones and milliseconds from fourteen on;
    earlier ones take minutes, but for those of `opening_positions`, which are known."""
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


# --- Openings ---------------------------------------------------------------------------------------------------------

FILE = Path(__file__).parent / "openings.txt"
LETTERS = {"W": 1.0, "D": 0.0, "L": -1.0, ".": np.nan}
EMPTY = "-"


def opening_positions() -> list[tuple[Position, Array]]:
    """Fixed positions of up to ten stones, fewest first, each with its `exact_values`."""
    pairs = [(after(moves), values) for moves, values in solved().items()]
    return sorted(pairs, key=lambda pair: _stones(pair[0]))


def known_values(position: Position) -> Array | None:
    """The values of a position that is listed, or whose mirror image is."""
    known = _by_state().get(position.state())
    return None if known is None else known.copy()


@cache
def _by_state() -> dict[bytes, Array]:
    table = {}
    for moves, values in solved().items():
        table[after(moves).state()] = values
        table[after(mirrored(moves)).state()] = values[::-1].copy()
    return table


def solved() -> dict[str, Array]:
    """Exact values, by the moves played."""
    lines = FILE.read_text().split("\n") if FILE.is_file() else []
    pairs = (line.split() for line in lines if line.strip())
    return {moves.replace(EMPTY, ""): np.array([LETTERS[c] for c in values], np.float32) for moves, values in pairs}


def after(moves: str) -> Position:
    position = Position("connect4")
    for column in moves:
        position.step(int(column) - 1)
    return position


def mirrored(moves: str) -> str:
    return "".join(str(8 - int(column)) for column in moves)


def _stones(position: Position) -> int:
    return int(position.observation()[:84].sum())
