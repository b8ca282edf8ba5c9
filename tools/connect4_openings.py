"""Solves openings of Connect Four: ``python tools/connect4_openings.py``.

It takes hours, and most of them for the positions with fewest stones. Running it again resumes where it stopped.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator

from jimbo.engine.az.solvers import EMPTY, FILE, LETTERS, after, connect4_solver, mirrored, solved

COUNTS = {10: 80, 9: 80, 8: 160, 7: 60, 0: 1, 6: 40, 5: 24, 4: 12, 3: 7, 2: 4, 1: 1}
"""Positions with so many stones, in the order in which they are solved."""
TABLE_BITS = 25


def chosen_openings() -> Iterator[str]:
    """The positions to solve, drawn by random play, no two the same or mirror images of each other."""
    for stones, count in COUNTS.items():
        draw = random.Random(stones)
        seen: set[bytes] = set()
        found = 0
        while found < count:
            moves = "".join(str(draw.randint(1, 7)) for _ in range(stones))
            try:
                position, mirror = after(moves), after(mirrored(moves))
            except ValueError:  # a column was full, or the game over
                continue
            if position.done or {position.state(), mirror.state()} & seen:
                continue
            seen.add(position.state())
            found += 1
            yield moves


def make() -> None:
    """Solves what is missing in the file, and writes each line as it is found."""
    known = solved()
    todo = [moves for moves in chosen_openings() if moves not in known]
    solver = connect4_solver(TABLE_BITS)
    names = {value: letter for letter, value in LETTERS.items() if letter != "."}
    with FILE.open("a") as out:
        for number, moves in enumerate(todo):
            values = solver.values(after(moves).core)
            line = f"{moves or EMPTY} {''.join('.' if v is None else names[float(v)] for v in values)}"
            print(line, file=out, flush=True)
            print(f"{number + 1} of {len(todo)}: {line}, {solver.positions:,} positions", file=sys.stderr)


if __name__ == "__main__":
    make()
