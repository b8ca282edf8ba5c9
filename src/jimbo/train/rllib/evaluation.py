"""Games on fixed seeds, played without chance by a BalatroNet: they measure a network, whatever it was trained on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from ray.rllib.core.columns import Columns

from jimbo.eval.statistics import wilson
from jimbo.seeds.seed_sets import train_seeds
from jimbo.train.rllib.algorithm import make_games, run_options
from jimbo.train.rllib.balatro_net import BalatroNet
from jimbo.train.rllib.callbacks import Behaviour
from jimbo.train.rllib.config import EnvConfig
from jimbo.train.rllib.option_net import OptionNet

Array = NDArray[Any]
_AT_ONCE = 100
"""Games side by side."""


@dataclass(frozen=True, slots=True)
class GamesPlayed:
    """Results of games, and the actions in them."""

    results: tuple[Mapping[str, Any], ...]
    """For each game, as environments give it."""
    behaviour: Behaviour

    @property
    def wins(self) -> int:
        return sum(bool(result["won"]) for result in self.results)

    @property
    def win_rate(self) -> float:
        return self.wins / len(self.results)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the win rate."""
        return wilson(self.wins, len(self.results))

    @property
    def reward(self) -> float:
        return self.mean("return")

    @property
    def illegal(self) -> int:
        return int(sum(result["illegal"] for result in self.results))

    def mean(self, name: str) -> float:
        return float(np.mean([result[name] for result in self.results]))


def evaluation_seeds(games: int) -> list[str]:
    """Return seeds that are always the same; none of them is in a set for measuring."""
    return list(islice(train_seeds("rllib-judging"), games))


def evaluate(module: BalatroNet | OptionNet, config: EnvConfig, seeds: Sequence[str]) -> GamesPlayed:
    """Play one whole game on each seed, the most likely action each time."""
    behaviour = Behaviour()
    results: list[Mapping[str, Any]] = []
    for start in range(0, len(seeds), _AT_ONCE):
        results += _play(module, config, seeds[start : start + _AT_ONCE], behaviour)
    return GamesPlayed(tuple(results), behaviour)


def _play(
    module: BalatroNet | OptionNet, config: EnvConfig, seeds: Sequence[str], behaviour: Behaviour
) -> list[Mapping[str, Any]]:
    rows = len(seeds)
    env = make_games(config.env, rows, autoreset_mode="Disabled", **run_options(config), seeds=list(seeds))
    shown, _ = env.reset(seed=0)
    memory = {name: np.tile(value, (rows, 1)) for name, value in module.get_initial_state().items()}
    results: list[Any] = [None] * rows
    while (playing := np.array([result is None for result in results])).any():
        here = {name: value[playing] for name, value in shown.items()}
        actions = np.zeros(rows, np.int64)
        actions[playing], after = choose(module, here, {name: value[playing] for name, value in memory.items()})
        for name, value in after.items():
            memory[name][playing] = value
        if "observation" in here:
            behaviour.add(here, actions[playing])
        shown, _, _, _, info = env.step(actions)
        for row in np.flatnonzero(info.get("_result", ())).tolist():
            ended = info["result"]
            results[row] = results[row] or {name: ended[name][row] for name in ended if not name.startswith("_")}
    env.close()
    return results


def choose(
    module: BalatroNet | OptionNet, shown: Mapping[str, Array], memory: Mapping[str, Array] | None = None
) -> tuple[Array, dict[str, Array]]:
    """Return the most likely action for each packed observation ``[N, ...]``, and the new memory."""
    observations = {name: torch.from_numpy(value) for name, value in shown.items()}
    batch: dict[str, Any] = {Columns.OBS: observations}
    if memory:
        batch[Columns.OBS] = {name: value.unsqueeze(1) for name, value in observations.items()}
        batch[Columns.STATE_IN] = {name: torch.from_numpy(value) for name, value in memory.items()}
    with torch.no_grad():
        output = module.forward_inference(batch)
    logits = output[Columns.ACTION_DIST_INPUTS]
    best = logits.reshape(-1, logits.shape[-1]).argmax(dim=-1).numpy()
    return best, {name: value.numpy() for name, value in output.get(Columns.STATE_OUT, {}).items()}
