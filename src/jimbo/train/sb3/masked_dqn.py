"""DQN that explores among allowed actions only."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from stable_baselines3 import DQN
from stable_baselines3.common.noise import ActionNoise

from jimbo.train.sb3.extractors import MASK


class MaskedDQN(DQN):
    """SB3's DQN for policies that mask. Each game decides for itself whether to explore."""

    def predict(
        self,
        observation: Any,
        state: tuple[np.ndarray, ...] | None = None,
        episode_start: np.ndarray | None = None,
        deterministic: bool = False,
    ) -> tuple[np.ndarray, tuple[np.ndarray, ...] | None]:
        actions, state = self.policy.predict(observation, state, episode_start, deterministic=True)
        if deterministic:
            return actions, state
        explores = np.random.random(np.shape(actions)) < self.exploration_rate  # noqa: NPY002 (SB3 seeds this one)
        if not np.any(explores):
            return actions, state
        return np.where(explores, any_allowed(observation, np.shape(actions), self._actions), actions), state

    def _sample_action(
        self, learning_starts: int, action_noise: ActionNoise | None = None, n_envs: int = 1
    ) -> tuple[np.ndarray, np.ndarray]:
        assert self._last_obs is not None
        if self.num_timesteps < learning_starts:
            actions = any_allowed(self._last_obs, (n_envs,), self._actions)
        else:
            actions, _ = self.predict(self._last_obs, deterministic=False)
        return actions, actions

    @property
    def _actions(self) -> int:
        return int(self.action_space.n)  # type: ignore[attr-defined]


def any_allowed(observation: Any, shape: tuple[int, ...], actions: int) -> NDArray[np.int64]:
    """Any of the allowed ones, each as likely as the others: the largest of random numbers where they stand."""
    draws = np.random.random((*shape, actions))  # noqa: NPY002 (SB3 seeds this one)
    if isinstance(observation, dict) and MASK in observation:
        draws = np.where(np.reshape(observation[MASK], draws.shape) > 0.5, draws, -1.0)
    chosen: NDArray[np.int64] = draws.argmax(axis=-1)
    return chosen
