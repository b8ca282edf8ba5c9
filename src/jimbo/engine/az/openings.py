"""Openings of Connect Four with their exact values, solved once by ``python -m jimbo.engine.az.make_openings``.

The file has a line for each: the columns played so far, from 1 to 7 (a dash for the empty board), and what each column
is worth to the mover: W, D or L, a dot where it is full.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from jimbo.engine.az.games import Array, Position

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
    """By the moves played."""
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
