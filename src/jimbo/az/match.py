"""Players of a game, matches between two of them, and how often a model's first choice is one of the best moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

import numpy as np

from jimbo.az.models import Model, RowModel
from jimbo.az.settings import SOLVED
from jimbo.engine import Run
from jimbo.engine.az import (
    Position,
    SearchSettings,
    TreeSearch,
    alpha_beta_move,
    exact_values,
    game_spec,
    opening_positions,
)
from jimbo.engine.az.balatro import position_of_run
from jimbo.engine.az.games import Array
from jimbo.files import replacing

_TIE = 1e-6
Told = Callable[[str], None]


class PositionPlayer(Protocol):
    name: str

    def choose(self, positions: Sequence[Position]) -> list[int]:
        """Choose a legal move for each."""


class RandomPlayer:
    name = "Random"

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)

    def choose(self, positions: Sequence[Position]) -> list[int]:
        return [int(self._random.choice(np.flatnonzero(position.legal()))) for position in positions]


class ModelPlayer:
    """A model: the move it likes best, or one drawn with a temperature; with ``simulations`` it searches."""

    def __init__(
        self,
        model: Model,
        *,
        seed: int,
        temperature: float = 0.0,
        simulations: int = 0,
        kind: Literal["puct", "gumbel"] = "puct",
    ) -> None:
        self.name = model.name
        self._model, self._temperature, self._simulations, self._kind = model, temperature, simulations, kind
        self._random = np.random.default_rng(seed)

    def choose(self, positions: Sequence[Position]) -> list[int]:
        policies = self._searched(positions) if self._simulations else self._model.policy(positions)
        return [self._pick(row) for row in policies]

    def _searched(self, positions: Sequence[Position]) -> Array:
        settings = SearchSettings(simulations=self._simulations, search=self._kind, leaf_batch=1).quiet()
        search = TreeSearch(positions, settings, int(self._random.integers(2**31)))
        while self._model.evaluate_waiting(search):
            pass
        return search.results().policy

    def _pick(self, weights: Array) -> int:
        if self._temperature == 0:
            return int(weights.argmax())
        sharpened = weights.astype(np.float64) ** (1 / self._temperature)
        return int(self._random.choice(len(weights), p=sharpened / sharpened.sum()))


class PerfectPlayer:
    """Plays one of the best moves, by exact solution; each as likely as the others."""

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


def best_moves(position: Position) -> Array:
    """Return bool[num_actions]: the legal moves that are as good as any."""
    values = exact_values(position)
    best: Array = position.legal() & (values >= np.nanmax(values) - _TIE)
    return best


@dataclass(frozen=True, slots=True)
class Match:
    """Results of games between two players, seen by the first one named."""

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
class _Board:
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
    """Play half of the games from each seat.

    ``opening``: random moves with which a game begins, the same for both seats, so that no two games are alike.
    """
    boards = _boards(env_id, games, opening, seed)
    while running := [game for game in boards if not game.position.done]:
        for who in (player, other):
            turn = [game for game in running if not game.position.done and game.is_turn_of(ours=who is player)]
            for game, move in zip(turn, who.choose([game.position for game in turn]) if turn else [], strict=True):
                game.position.step(move)
                game.moves.append(move)
    return _counted(boards, player, other, told)


def _boards(env_id: str, games: int, opening: int, seed: int) -> list[_Board]:
    """Games 0 and 1 have the same opening, and so on."""
    boards = []
    for number in range(games):
        random = np.random.default_rng((seed, number // 2))
        game = _Board(Position(env_id), ours=number % 2)
        for _ in range(opening):
            if not game.position.done:
                move = int(random.choice(np.flatnonzero(game.position.legal())))
                game.position.step(move)
                game.moves.append(move)
        boards.append(game)
    return boards


def _counted(boards: list[_Board], player: PositionPlayer, other: PositionPlayer, told: Told | None) -> Match:
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


# --- Balatro ----------------------------------------------------------------------------------------------------------


def play_runs(seeds: Sequence[str], player: PositionPlayer) -> list[float]:
    """Return how the run of each seed ended, from -1 to 1 (won); the player decides all but the hands."""
    positions = [position_of_run(Run(seed=seed)) for seed in seeds]
    while running := [position for position in positions if not position.done]:
        for position, action in zip(running, player.choose(running), strict=True):
            position.step(action)
    return [position.outcome for position in positions]


def match_of_runs(ours: Sequence[float], theirs: Sequence[float]) -> Match:
    """Compare outcomes of the same seeds: each is won by who got further."""
    better = sum(a > b + _TIE for a, b in zip(ours, theirs, strict=True))
    worse = sum(b > a + _TIE for a, b in zip(ours, theirs, strict=True))
    return Match(len(ours), (better, 0), (worse, 0), len(ours) - better - worse, 0)


# --- Optimal choices --------------------------------------------------------------------------------------------------


class SolvedPositions(NamedTuple):
    observations: Array
    """float32[N, obs_size]"""
    legal: Array
    """bool[N, num_actions]"""
    best: Array
    """bool[N, num_actions]: the moves that are as good as any."""


def optimal_share(model: RowModel, solved: SolvedPositions) -> float:
    """Return how often a model's first choice, without search, is one of the best moves."""
    logits, _ = model.evaluate(solved.observations)
    choice = np.where(solved.legal, logits, -np.inf).argmax(axis=1)
    return float(solved.best[np.arange(len(choice)), choice].mean())


def kept_positions(env_id: str, cache: Path) -> SolvedPositions | None:
    """Return the positions in a file, if there is one; ValueError if it does not hold positions of this game."""
    if not cache.exists():
        return None
    game = game_spec(env_id)
    try:
        with np.load(cache, allow_pickle=False) as kept:
            found = SolvedPositions(**kept)
        moves = (len(found.legal), game.num_actions)
        fits = found.legal.shape == found.best.shape == moves and found.observations.shape == (moves[0], game.obs_size)
        if not fits or {part.dtype.name for part in found} != {"float32", "bool"}:
            raise ValueError
    except Exception:  # numpy and its archives have many ways to say that a file is not theirs
        raise ValueError(f"{cache} does not hold positions of {env_id}, or is damaged: remove it") from None
    return found


def solved_positions(env_id: str, count: int, seed: int, cache: Path | None = None) -> SolvedPositions:
    """Return positions of random games in which the choice matters; kept in a file, since solving takes a while."""
    known = kept_positions(env_id, cache) if cache is not None else None
    if known is not None and len(known.legal) == count:
        return known
    found = _drawn(env_id, count, seed)
    if cache is not None:
        with replacing(cache) as beside, beside.open("wb") as file:
            np.savez(file, **found._asdict())
    return found


def _drawn(env_id: str, count: int, seed: int) -> SolvedPositions:
    """Return positions, half of them openings where those are known."""
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
    return SolvedPositions(*(np.stack(part) for part in zip(*rows, strict=True)))


def _random_position(env_id: str, random: np.random.Generator) -> Position | None:
    low, high = SOLVED[env_id]
    position = Position(env_id)
    for _ in range(int(random.integers(low, high + 1))):
        if position.done:
            return None
        position.step(int(random.choice(np.flatnonzero(position.legal()))))
    return None if position.done else position
