"""Games of two players, side by side, half of them from each seat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from jimbo.az.players import Player
from jimbo.engine.az import Position

Told = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Match:
    """Seen by the first player named."""

    games: int
    won: tuple[int, int]
    """Games won from the first and from the second seat."""
    lost: tuple[int, int]
    """Games that the other won from the first and from the second seat."""
    draws: int
    moves: int

    @property
    def wins(self) -> int:
        return sum(self.won)

    @property
    def losses(self) -> int:
        return sum(self.lost)

    def rate(self, name: str) -> float:
        """Share of ``wins``, ``draws`` or ``losses``."""
        return float(getattr(self, name)) / self.games

    @property
    def score(self) -> float:
        """A draw counts half."""
        return (self.wins + 0.5 * self.draws) / self.games

    @property
    def mean_length(self) -> float:
        return self.moves / self.games


@dataclass(slots=True)
class _Game:
    position: Position
    ours: int
    """The seat of the first player named."""
    moves: list[int] = field(default_factory=list)

    def is_turn_of(self, *, ours: bool) -> bool:
        return (self.position.player == self.ours) == ours


def play_match(
    env_id: str, player: Player, other: Player, games: int, *, opening: int = 0, seed: int = 0, told: Told | None = None
) -> Match:
    """``opening``: random moves with which a game begins, the same for both seats, so that no two games are alike."""
    boards = _boards(env_id, games, opening, seed)
    while running := [game for game in boards if not game.position.done]:
        for who in (player, other):
            turn = [game for game in running if not game.position.done and game.is_turn_of(ours=who is player)]
            for game, move in zip(turn, who.choose([game.position for game in turn]) if turn else [], strict=True):
                game.position.step(move)
                game.moves.append(move)
    return _counted(boards, player, other, told)


def _boards(env_id: str, games: int, opening: int, seed: int) -> list[_Game]:
    """Games 0 and 1 have the same opening, and so on."""
    boards = []
    for number in range(games):
        random = np.random.default_rng((seed, number // 2))
        game = _Game(Position(env_id), ours=number % 2)
        for _ in range(opening):
            if not game.position.done:
                move = int(random.choice(np.flatnonzero(game.position.legal())))
                game.position.step(move)
                game.moves.append(move)
        boards.append(game)
    return boards


def _counted(boards: list[_Game], player: Player, other: Player, told: Told | None) -> Match:
    won, lost, draws = [0, 0], [0, 0], 0
    for number, game in enumerate(boards, 1):
        result = game.position.outcome * (1 if game.ours == 0 else -1)
        if result > 0:
            won[game.ours] += 1
        elif result < 0:
            lost[1 - game.ours] += 1
        else:
            draws += 1
        if told:
            winner = player.name if result > 0 else other.name if result < 0 else "nobody"
            first = player.name if game.ours == 0 else other.name
            told(f"Game {number}: {first} begins, moves {' '.join(map(str, game.moves))}, {winner} wins")
    moves = sum(len(game.moves) for game in boards)
    return Match(len(boards), (won[0], won[1]), (lost[0], lost[1]), draws, moves)
