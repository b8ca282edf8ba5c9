"""Openings of Connect Four with their exact values, solved once: ``python -m jimbo.engine.az.openings``.

The file has a line for each: the columns played so far, from 1 to 7 (a dash for the empty board), and what each column
is worth to the mover: W, D or L, a dot where it is full. Running the command again goes on where it stopped.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

from jimbo.engine import _core
from jimbo.engine.az.games import Array, Position

FILE = Path(__file__).parent / "openings.txt"
COUNTS = {8: 60, 7: 60, 6: 50, 5: 40, 4: 30, 3: 20, 2: 12, 1: 4, 0: 1}
"""Positions with so many stones, in the order in which they are solved."""
LETTERS = {"W": 1.0, "D": 0.0, "L": -1.0, ".": np.nan}
_TABLE_BITS = 25
_EMPTY = "-"


def opening_positions() -> list[tuple[Position, Array]]:
    """Fixed positions of up to eight stones, fewest first, each with its `exact_values`."""
    pairs = [(_after(moves), values) for moves, values in _solved(FILE).items()]
    return sorted(pairs, key=lambda pair: _stones(pair[0]))


def known_values(position: Position) -> Array | None:
    """The values of a position that is listed, or whose mirror image is."""
    return _by_state().get(position.state())


@cache
def _by_state() -> dict[bytes, Array]:
    table = {}
    for moves, values in _solved(FILE).items():
        table[_after(moves).state()] = values
        table[_after(_mirrored(moves)).state()] = values[::-1].copy()
    return table


def _solved(path: Path) -> dict[str, Array]:
    """By the moves played."""
    lines = path.read_text().split("\n") if path.is_file() else []
    pairs = (line.split() for line in lines if line.strip())
    return {moves.replace(_EMPTY, ""): np.array([LETTERS[c] for c in values], np.float32) for moves, values in pairs}


def _after(moves: str) -> Position:
    position = Position("connect4")
    for column in moves:
        position.step(int(column) - 1)
    return position


def _mirrored(moves: str) -> str:
    return "".join(str(8 - int(column)) for column in moves)


def _stones(position: Position) -> int:
    return int(position.observation()[:84].sum())


# --- Making the file --------------------------------------------------------------------------------------------------


def chosen_openings() -> Iterator[str]:
    """The positions to solve, drawn by random play, no two the same or mirror images of each other."""
    for stones, count in COUNTS.items():
        draw = random.Random(stones)
        seen: set[bytes] = set()
        found = 0
        while found < count:
            moves = "".join(str(draw.randint(1, 7)) for _ in range(stones))
            try:
                position, mirror = _after(moves), _after(_mirrored(moves))
            except ValueError:  # a column was full, or the game over
                continue
            if position.done or {position.state(), mirror.state()} & seen:
                continue
            seen.add(position.state())
            found += 1
            yield moves


def make() -> None:
    """Solves what is missing in the file, and writes each line as it is found."""
    known = _solved(FILE)
    todo = [moves for moves in chosen_openings() if moves not in known]
    solver = _core.Connect4Solver(_TABLE_BITS)
    names = {value: letter for letter, value in LETTERS.items() if letter != "."}
    with FILE.open("a") as out:
        for number, moves in enumerate(todo):
            values = solver.values(_after(moves).core)
            line = f"{moves or _EMPTY} {''.join('.' if v is None else names[float(v)] for v in values)}"
            print(line, file=out, flush=True)
            print(f"{number + 1} of {len(todo)}: {line}, {solver.positions:,} positions", file=sys.stderr)


if __name__ == "__main__":
    make()
