"""Games on fixed seeds, played without chance by a BalatroNet: by these it is judged, whatever the task was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from ray.rllib.core.columns import Columns

from jimbo.env.vector_env import RunVectorEnv
from jimbo.eval.statistics import wilson
from jimbo.seeds.seed_sets import train_seeds
from jimbo.train.rllib.balatro_net import BalatroNet
from jimbo.train.rllib.behaviour import Behaviour
from jimbo.train.rllib.config import EnvConfig
from jimbo.train.rllib.env import run_options

Array = NDArray[Any]
_AT_ONCE = 100
"""Games side by side."""


@dataclass(frozen=True, slots=True)
class Judged:
    """How games went."""

    results: tuple[Mapping[str, Any], ...]
    """Of each game, as environments give it."""
    behaviour: Behaviour

    @property
    def wins(self) -> int:
        return sum(bool(result["won"]) for result in self.results)

    @property
    def win_rate(self) -> float:
        return self.wins / len(self.results)

    @property
    def interval(self) -> tuple[float, float]:
        """95 % of the win rate."""
        return wilson(self.wins, len(self.results))

    def mean(self, name: str) -> float:
        return float(np.mean([result[name] for result in self.results]))

    @property
    def reward(self) -> float:
        return self.mean("return")


def judging_seeds(games: int) -> list[str]:
    """Always the same; none of them is in a set for measuring."""
    return list(islice(train_seeds("rllib-judging"), games))


def judge(module: BalatroNet, config: EnvConfig, seeds: Sequence[str]) -> Judged:
    """One whole game on each seed, the most likely action each time."""
    behaviour, results = Behaviour(), []
    for start in range(0, len(seeds), _AT_ONCE):
        results += _played(module, config, seeds[start : start + _AT_ONCE], behaviour)
    return Judged(tuple(results), behaviour)


def _played(
    module: BalatroNet, config: EnvConfig, seeds: Sequence[str], behaviour: Behaviour
) -> list[Mapping[str, Any]]:
    rows = len(seeds)
    env = RunVectorEnv(rows, autoreset_mode="Disabled", **run_options(config), seeds=list(seeds))
    shown, _ = env.reset(seed=0)
    memory = {name: np.tile(value, (rows, 1)) for name, value in module.get_initial_state().items()}
    results: list[Any] = [None] * rows
    while (playing := np.array([result is None for result in results])).any():
        here = {name: value[playing] for name, value in shown.items()}
        actions = np.zeros(rows, np.int64)
        actions[playing], after = choose(module, here, {name: value[playing] for name, value in memory.items()})
        for name, value in after.items():
            memory[name][playing] = value
        behaviour.see(here, actions[playing])
        shown, _, _, _, info = env.step(actions)
        for row, result in _ended(info):
            results[row] = results[row] or result
    env.close()
    return results


def choose(
    module: BalatroNet, shown: Mapping[str, Array], memory: Mapping[str, Array] | None = None
) -> tuple[Array, dict[str, Array]]:
    """The most likely action for each packed observation ``[N, ...]``, and what is remembered."""
    observations = {name: torch.from_numpy(value) for name, value in shown.items()}
    batch: dict[str, Any] = {Columns.OBS: observations}
    if memory:
        batch[Columns.OBS] = {name: value.unsqueeze(1) for name, value in observations.items()}
        batch[Columns.STATE_IN] = {name: torch.from_numpy(value) for name, value in memory.items()}
    with torch.no_grad():
        found = module.forward_inference(batch)
    logits = found[Columns.ACTION_DIST_INPUTS]
    best = logits.reshape(-1, logits.shape[-1]).argmax(dim=-1).numpy()
    return best, {name: value.numpy() for name, value in found.get(Columns.STATE_OUT, {}).items()}


def _ended(info: Mapping[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows whose episodes ended, and how."""
    for row in np.flatnonzero(info.get("_result", ())):
        result = info["result"]
        yield int(row), {name: result[name][row] for name in result if not name.startswith("_")}
