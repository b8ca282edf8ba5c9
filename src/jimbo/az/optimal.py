"""How often a model's first choice is one of the best moves, on positions that an exact solver has judged."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jimbo.az.match import Evaluate, best_moves
from jimbo.engine.az import Position, game_specs, opening_positions
from jimbo.files import replacing

Array = NDArray[Any]
SOLVED = {"tictactoe": (0, 8), "connect4": (14, 34)}
"""Games that are solved here, and the moves after which their positions are drawn: none that takes the solver long."""
_MOST = {"tictactoe": 3000, "connect4": 10_000}
"""Positions that can be asked for. TicTacToe has 3,191 in which the choice matters; Connect4 takes 14 ms for each."""


class JudgedPositions(NamedTuple):
    observations: Array
    """float32[N, obs_size]"""
    legal: Array
    """bool[N, num_actions]"""
    best: Array
    """bool[N, num_actions]: the moves that are as good as any."""


def optimal_share(evaluate: Evaluate, judged: JudgedPositions) -> float:
    logits, _ = evaluate(judged.observations)
    choice = np.where(judged.legal, logits, -np.inf).argmax(axis=1)
    return float(judged.best[np.arange(len(choice)), choice].mean())


def check_positions(env_id: str, count: int) -> None:
    """ValueError for more positions than there are, or than can be solved in a few minutes."""
    if env_id in _MOST and count > _MOST[env_id]:
        raise ValueError(f"--optimal-positions can be at most {_MOST[env_id]:,} in {env_id}, not {count:,}")


def kept_positions(env_id: str, cache: Path) -> JudgedPositions | None:
    """Return the positions in a file; ValueError for one that does not hold positions of this game."""
    if not cache.exists():
        return None
    game = game_specs()[env_id]
    try:
        with np.load(cache, allow_pickle=False) as kept:
            found = JudgedPositions(**kept)
        moves = (len(found.legal), game.num_actions)
        fits = found.legal.shape == found.best.shape == moves and found.observations.shape == (moves[0], game.obs_size)
        if not fits or {part.dtype.name for part in found} != {"float32", "bool"}:
            raise ValueError
    except Exception:  # numpy and its archives have many ways to say that a file is not theirs
        raise ValueError(f"{cache} does not hold positions of {env_id}, or is damaged: remove it") from None
    return found


def judged_positions(env_id: str, count: int, seed: int, cache: Path | None = None) -> JudgedPositions:
    """Positions of random games in which the choice matters; kept in a file, since solving takes a while."""
    known = kept_positions(env_id, cache) if cache is not None else None
    if known is not None and len(known.legal) == count:
        return known
    found = _drawn(env_id, count, seed)
    if cache is not None:
        with replacing(cache) as beside, beside.open("wb") as file:
            np.savez(file, **found._asdict())
    return found


def _drawn(env_id: str, count: int, seed: int) -> JudgedPositions:
    """Half of them openings, where those are known."""
    random = np.random.default_rng(seed)
    openings = [position for position, _ in opening_positions()] if env_id == "connect4" else []
    seen: set[bytes] = set()
    rows: list[tuple[Array, Array, Array]] = []
    while len(rows) < count:
        position = openings.pop() if openings and len(rows) < count // 2 else _random_position(env_id, random)
        if position is None or position.state() in seen:
            continue
        legal, best = position.legal(), best_moves(position)
        if best.sum() < legal.sum():
            seen.add(position.state())
            rows.append((position.observation(), legal, best))
    return JudgedPositions(*(np.stack(part) for part in zip(*rows, strict=True)))


def _random_position(env_id: str, random: np.random.Generator) -> Position | None:
    low, high = SOLVED[env_id]
    position = Position(env_id)
    for _ in range(int(random.integers(low, high + 1))):
        if position.done:
            return None
        position.step(int(random.choice(np.flatnonzero(position.legal()))))
    return None if position.done else position
