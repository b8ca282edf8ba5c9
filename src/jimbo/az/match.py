"""Players of a board game (random, a model, perfect, alpha-beta) and matches between two of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from jimbo.engine.az import Position, SearchSettings, TreeSearch, alpha_beta_move, exact_values

Array = NDArray[Any]
Evaluate = Callable[[Array], tuple[Array, Array]]
"""float32[B, obs_size] -> logits float32[B, num_actions], values float32[B]"""
Kind = Literal["puct", "gumbel"]
_TIE = 1e-6
Told = Callable[[str], None]


class PositionPlayer(Protocol):
    name: str

    def choose(self, positions: Sequence[Position]) -> list[int]:
        """A legal move for each."""


class RandomPlayer:
    name = "Random"

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)

    def choose(self, positions: Sequence[Position]) -> list[int]:
        return [int(self._random.choice(np.flatnonzero(position.legal()))) for position in positions]


class ModelPlayer:
    """A network: the move it likes best, or one drawn with a temperature; with ``simulations`` it searches."""

    def __init__(
        self,
        name: str,
        evaluate: Evaluate,
        *,
        seed: int,
        temperature: float = 0.0,
        simulations: int = 0,
        kind: Kind = "puct",
    ) -> None:
        self.name = name
        self._evaluate, self._temperature, self._simulations, self._kind = evaluate, temperature, simulations, kind
        self._random = np.random.default_rng(seed)

    def choose(self, positions: Sequence[Position]) -> list[int]:
        weights = self._searched(positions) if self._simulations else self._alone(positions)
        return [self._pick(row) for row in weights]

    def _alone(self, positions: Sequence[Position]) -> Array:
        """The network's shares of the legal moves."""
        logits, _ = self._evaluate(np.stack([position.observation() for position in positions]))
        logits = np.where(np.stack([position.legal() for position in positions]), logits, -np.inf)
        shares: Array = np.exp(logits - logits.max(axis=1, keepdims=True))
        return shares

    def _searched(self, positions: Sequence[Position]) -> Array:
        settings = SearchSettings(simulations=self._simulations, search=self._kind, leaf_batch=1).quiet()
        search = TreeSearch(positions, settings, int(self._random.integers(2**31)))
        while len(leaves := search.leaves()):
            search.evaluated(*self._evaluate(leaves))
        return search.results().policy

    def _pick(self, weights: Array) -> int:
        if self._temperature == 0:
            return int(weights.argmax())
        sharpened = weights.astype(np.float64) ** (1 / self._temperature)
        return int(self._random.choice(len(weights), p=sharpened / sharpened.sum()))


class PerfectPlayer:
    """One of the best moves, by exact solution; each as likely as the others."""

    name = "Perfect"

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)

    def choose(self, positions: Sequence[Position]) -> list[int]:
        return [int(self._random.choice(np.flatnonzero(best_moves(position)))) for position in positions]


class AlphaBetaPlayer:
    def __init__(self, depth: int, seed: int) -> None:
        self.name = f"AlphaBeta({depth})"
        self._depth, self._random = depth, np.random.default_rng(seed)

    def choose(self, positions: Sequence[Position]) -> list[int]:
        return [alpha_beta_move(position, self._depth, int(self._random.integers(2**31))) for position in positions]


def opponent_file(name: str, known: Sequence[str]) -> Path:
    """A model's file to play against; ValueError with the opponents that there are."""
    path = Path(name)
    if not path.is_file():
        raise ValueError(f'there is no opponent "{name}": choose {", ".join(known)} or the file of a model')
    return path


def best_moves(position: Position) -> Array:
    """bool[num_actions]: the legal moves that are as good as any."""
    values = exact_values(position)
    best: Array = position.legal() & (values >= np.nanmax(values) - _TIE)
    return best


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
    env_id: str,
    player: PositionPlayer,
    other: PositionPlayer,
    games: int,
    *,
    opening: int = 0,
    seed: int = 0,
    told: Told | None = None,
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


def _counted(boards: list[_Game], player: PositionPlayer, other: PositionPlayer, told: Told | None) -> Match:
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
