"""VecNormalize of Stable-Baselines3 for observations with tables."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.running_mean_std import RunningMeanStd
from stable_baselines3.common.vec_env import VecEnv, VecNormalize

from jimbo.train.sb3.extractors import MASK


class ColumnStatistics(RunningMeanStd):
    """Mean and spread of each column of a table, over all rows that hold something.

    A candidate may stand anywhere in the list, so what is known of a column holds for all rows.
    """

    def update(self, arr: NDArray[Any]) -> None:
        rows = arr.reshape(-1, arr.shape[-1])
        rows = rows[rows.any(axis=1)]
        if len(rows):
            super().update(rows)


class NormalizedVecEnv(VecNormalize):
    """Brings those entries to mean 0 and spread 1 that hold numbers with fractions; ids, bytes and masks stay."""

    def __init__(self, venv: VecEnv, *, norm_obs: bool, norm_reward: bool, gamma: float) -> None:
        space = venv.observation_space
        keys = normalized_keys(space) if isinstance(space, spaces.Dict) else None
        is_box = isinstance(space, spaces.Box)
        super().__init__(
            venv,
            norm_obs=norm_obs and (bool(keys) or is_box),
            norm_reward=norm_reward,
            gamma=gamma,
            norm_obs_keys=keys if norm_obs and keys else None,
        )
        if self.norm_obs and keys:
            self.obs_rms = {key: _statistics(self.obs_spaces[key]) for key in keys}


def normalized_keys(space: spaces.Dict) -> list[str]:
    return [
        key
        for key, entry in space.spaces.items()
        if key != MASK and isinstance(entry, spaces.Box) and np.issubdtype(entry.dtype, np.floating)
    ]


def _statistics(space: spaces.Space[Any]) -> RunningMeanStd:
    shape = space.shape
    assert shape is not None
    return ColumnStatistics(shape=shape[-1:]) if len(shape) == 2 else RunningMeanStd(shape=shape)
