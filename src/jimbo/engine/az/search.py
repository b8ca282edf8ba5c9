"""The search that plays the games: many of them at once, with evaluations that the caller makes together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import numpy as np

from jimbo.declared import Declared, declared
from jimbo.engine import _core
from jimbo.engine.az.games import Array, GameSpec, Position, game_spec


@dataclass(frozen=True)
class SearchSettings(Declared):
    """How the search works, and how self-play games begin."""

    simulations: int = declared(800, "simulations per move", min=1, max=1_000_000)
    search: Literal["puct", "gumbel"] = declared("puct", "tree search algorithm")
    c_puct: float = declared(1.25, "PUCT exploration constant", min=0)
    dirichlet_alpha: float = declared(0.3, "concentration of the Dirichlet noise at the root", min=1e-3)
    dirichlet_weight: float = declared(0.25, "weight of the Dirichlet noise at the root; 0: none", min=0, max=1)
    temperature: float = declared(1.0, "sampling temperature of the first moves; 0: the most visited move", min=0)
    late_temperature: float = declared(0.1, "sampling temperature of later moves", min=0)
    temperature_moves: int = declared(15, "number of first moves played at temperature", min=0)
    virtual_loss: float = declared(1.0, "virtual loss of positions that wait for their evaluation", min=0)
    leaf_batch: int = declared(
        32, "positions per evaluation batch over all games, at least one of each", min=1, max=65_536
    )
    gumbel_considered: int = declared(16, "actions considered at the root (gumbel)", min=1, max=1024)
    gumbel_scale: float = declared(1.0, "scale of the Gumbel noise; 0: none (gumbel)", min=0)
    gumbel_value_scale: float = declared(1.0, "scale of values relative to priors (gumbel)", min=0)
    tree_reuse: bool = declared(True, "reuse the search tree after a move")
    worlds: int = declared(4, "sampled outcomes per action in games of chance", min=1, max=8)
    playouts: bool = declared(False, "without a network: random playouts instead of a constant value")
    random_opening: int = declared(0, "games begin with 0 to N random moves, which are not recorded", min=0, max=1000)

    def quiet(self) -> SearchSettings:
        """Settings that leave nothing to chance, for evaluations."""
        return replace(self, dirichlet_weight=0.0, temperature=0.0, late_temperature=0.0, gumbel_scale=0.0)

    def core(self) -> _core.SearchSettings:
        settings = _core.SearchSettings()
        for entry in fields(SearchSettings):
            setattr(settings, entry.name, getattr(self, entry.name))
        return settings


@dataclass(frozen=True, slots=True)
class Finished:
    """Decisions of finished games, ``[n]`` or ``[n, ...]`` each; those of one game lie together, in their order."""

    episode: Array
    """int64: a number that no other game of the same `SelfPlay` has."""
    step: Array
    """int32"""
    state: Array
    """``[n, bytes]`` uint8"""
    action: Array
    """int32"""
    next_state: Array
    observation: Array
    """``[n, obs_size]`` float32"""
    next_observation: Array
    reward: Array
    """float32: the outcome with the last decision, 0 before."""
    done: Array
    """bool"""
    policy: Array
    """``[n, num_actions]`` float32: shares of visits, or the improved policy of a Gumbel search."""
    value: Array
    """float32: what the search thought the position is worth to the mover."""
    outcome: Array
    """float32: how the game ended for the mover."""

    def __len__(self) -> int:
        return len(self.episode)


class Searches:
    """Searches of many positions: some wait, the caller evaluates them."""

    def __init__(self, spec: GameSpec, core: _core.SelfPlay) -> None:
        self.spec, self.core = spec, core
        self._rows = np.zeros((core.most_leaves, spec.obs_size), np.float32)
        self._count = 0

    def waiting(self) -> int:
        """How many positions wait for an evaluation."""
        self._count = self.core.collect()
        return self._count

    def leaves(self) -> Array:
        """``[n, obs_size]`` float32: positions that wait for an evaluation. Written over by the next call."""
        rows: Array = self._rows[: self.waiting()]
        self.core.write_leaves(rows, self._count)
        return rows

    def evaluated(self, logits: Array, values: Array) -> None:
        """``[n, num_actions]`` and ``[n]`` (or ``[n, 1]``) for them, in the same order; values seen by the mover."""
        values = np.ascontiguousarray(values, np.float32).reshape(-1)
        self.core.evaluated(np.ascontiguousarray(logits, np.float32), values, self._count)
        self._count = 0

    def evaluate_by(self, net: _core.ValueNet) -> None:
        """Evaluates the positions that wait by a learnt value instead of a network; Balatro only."""
        self.core.evaluate_by(net)
        self._count = 0

    def uniform(self, simulations: int) -> None:
        """Makes that many simulations in all with equal priors, without a network."""
        self.core.run_uniform(simulations)

    @property
    def simulations(self) -> int:
        return self.core.simulations


class SelfPlay(Searches):
    """Many games side by side, each with its own search; a game that is over is followed by the next.

    What happens depends on the seed and the evaluations alone, not on the number of threads.
    """

    def __init__(self, env_id: str, games: int, settings: SearchSettings, seed: int, threads: int = 1) -> None:
        super().__init__(game_spec(env_id), _core.play_games(env_id, games, settings.core(), seed, threads))

    def __repr__(self) -> str:
        return f"<SelfPlay of {self.core.games:,} games of {self.spec.display_name}>"

    @property
    def moves(self) -> int:
        return self.core.moves

    @property
    def episodes(self) -> int:
        """Games that have ended."""
        return self.core.episodes

    def finished(self) -> Finished:
        """Decisions of the games that ended since the last call."""
        n, spec, size = self.core.finished_rows, self.spec, self.core.state_size
        arrays: dict[str, Any] = {
            "episode": np.zeros(n, np.int64),
            "step": np.zeros(n, np.int32),
            "action": np.zeros(n, np.int32),
            "state": np.zeros((n, size), np.uint8),
            "next_state": np.zeros((n, size), np.uint8),
            "observation": np.zeros((n, spec.obs_size), np.float32),
            "next_observation": np.zeros((n, spec.obs_size), np.float32),
            "reward": np.zeros(n, np.float32),
            "done": np.zeros(n, np.bool_),
            "policy": np.zeros((n, spec.num_actions), np.float32),
            "value": np.zeros(n, np.float32),
            "outcome": np.zeros(n, np.float32),
        }
        self.core.take_finished(arrays)
        return Finished(**arrays)


@dataclass(frozen=True, slots=True)
class SearchResults:
    """Results of searches, ``[n]`` each."""

    action: Array
    """int32: chosen by the temperature of the settings."""
    policy: Array
    """``[n, num_actions]`` float32"""
    value: Array
    """float32, seen by the mover."""


class TreeSearch(Searches):
    """One search of each of some positions of one game: it is over when nothing waits any more.

    Noise and temperature are those of the settings: `quiet` makes settings with neither.
    """

    def __init__(self, positions: Sequence[Position], settings: SearchSettings, seed: int, threads: int = 1) -> None:
        if not positions:
            raise ValueError("there is no position to search")
        cores = [position.core for position in positions]
        super().__init__(positions[0].spec, _core.search_positions(cores, settings.core(), seed, threads))

    def __repr__(self) -> str:
        return f"<TreeSearch of {self.core.games:,} positions of {self.spec.display_name}>"

    def results(self) -> SearchResults:
        policy = np.zeros((self.core.games, self.spec.num_actions), np.float32)
        actions, values = zip(*self.core.results(policy), strict=True)
        return SearchResults(np.array(actions, np.int32), policy, np.array(values, np.float32))
