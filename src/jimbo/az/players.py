"""Who sits at a board: random, a model alone or with search, a perfect player, alpha-beta."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from jimbo.engine.az import Position, Search, SearchSettings, alpha_beta_move, exact_values

Array = NDArray[Any]
Evaluate = Callable[[Array], tuple[Array, Array]]
"""float32[B, obs_size] -> logits float32[B, num_actions], values float32[B]"""
Kind = Literal["puct", "gumbel"]
_TIE = 1e-6


class Player(Protocol):
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
        search = Search(positions, settings, int(self._random.integers(2**31)))
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
