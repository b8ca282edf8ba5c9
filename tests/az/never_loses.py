"""Whether a player can be beaten at all: every reply of every opponent is tried, from both seats."""

from collections.abc import Sequence

import numpy as np

from jimbo.az.match import PositionPlayer
from jimbo.engine.az import Position


def lost_lines(env_id: str, player: PositionPlayer) -> list[list[int]]:
    """The games that an opponent could win, as moves."""
    lost: list[list[int]] = []
    for seat in (0, 1):
        open_lines: list[list[int]] = [[]]
        while open_lines:
            open_lines = _after_replies(env_id, player, seat, open_lines, lost)
    return lost


def _after_replies(
    env_id: str, player: PositionPlayer, seat: int, lines: Sequence[list[int]], lost: list[list[int]]
) -> list[list[int]]:
    positions = [_position(env_id, line) for line in lines]
    ours = [i for i, position in enumerate(positions) if position.player == seat]
    chosen = dict(zip(ours, player.choose([positions[i] for i in ours]) if ours else [], strict=True))
    following = []
    for i, (line, position) in enumerate(zip(lines, positions, strict=True)):
        moves = [chosen[i]] if i in chosen else np.flatnonzero(position.legal()).tolist()
        for move in moves:
            after = _position(env_id, [*line, move])
            if not after.done:
                following.append([*line, move])
            elif after.outcome_for(seat) < 0:
                lost.append([*line, move])
    return following


def _position(env_id: str, line: Sequence[int]) -> Position:
    position = Position(env_id)
    for move in line:
        position.step(move)
    return position
