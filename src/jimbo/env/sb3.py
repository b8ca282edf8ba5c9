"""Many runs at once for Stable-Baselines3.

>>> from jimbo.env.sb3 import RunVecEnv
>>> env = RunVecEnv(64, observation="flat", threads=2)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

from jimbo.env.campaign import CampaignVectorEnv
from jimbo.env.layouts import Observation
from jimbo.env.vector_env import RunVectorEnv
from jimbo.extras import require

require("stable_baselines3", "train")

from stable_baselines3.common.vec_env import VecEnv  # noqa: E402
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn  # noqa: E402


class RunVecEnv(VecEnv):
    """``num_envs`` environments ``jimbo/Run-v0``, stepped by one call of the compiled core.

    Keyword arguments are the fields of ``RunOptions``. It has masks for ``MaskablePPO`` and reports episodes the way
    SB3's ``Monitor`` does (``info["episode"]``), so that it needs no further wrapper. Row i plays the games of a
    ``RunEnv`` with the seed + i.
    """

    vector_type: ClassVar[type[RunVectorEnv]] = RunVectorEnv

    def __init__(self, num_envs: int, **options: Any) -> None:
        self._env = self.vector_type(num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **options)
        super().__init__(num_envs, self._env.single_observation_space, self._env.single_action_space)
        self._actions = np.zeros(num_envs, np.int64)

    def reset(self) -> Observation:
        seeds = [seed for seed in self._seeds if seed is not None]
        observation, _ = self._env.reset(seed=seeds or None)
        self.reset_infos = self._env.plain_infos()
        self._reset_seeds()
        return observation

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        observation, rewards, terminated, truncated, infos = self._env.step_plainly(self._actions)
        done = terminated | truncated
        for row in np.flatnonzero(done).tolist():
            result = infos[row]["result"]
            infos[row]["TimeLimit.truncated"] = bool(truncated[row] and not terminated[row])
            infos[row]["episode"] = {"r": result["return"], "l": result["length"]}
        return observation, rewards.astype(np.float32), done, infos

    def close(self) -> None:
        self._env.close()

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        return [getattr(self._env, attr_name) for _ in self._chosen(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        raise AttributeError(f"{attr_name} cannot be set: the rows share one environment; give options when making it")

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Call a method of the vector environment once; each row gets its part of the result."""
        values = getattr(self._env, method_name)(*method_args, **method_kwargs)
        return [values[row] for row in self._chosen(indices)]

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: VecEnvIndices = None
    ) -> list[bool]:
        """Return False for all but SB3's ``Monitor``, whose work is done here."""
        return [wrapper_class.__name__ == "Monitor" for _ in self._chosen(indices)]

    def _chosen(self, indices: VecEnvIndices) -> Iterable[int]:
        return self._get_indices(indices)


class CampaignVecEnv(RunVecEnv):
    """``num_envs`` environments ``jimbo/Campaign-v0``; keyword arguments are the fields of ``CampaignOptions``."""

    vector_type: ClassVar[type[RunVectorEnv]] = CampaignVectorEnv
