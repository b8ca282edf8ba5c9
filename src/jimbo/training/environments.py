"""From the one environment that a trainer is given to the many that it plays: curriculum and normalization included."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import partial
from itertools import islice
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec
from numpy.typing import NDArray
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.running_mean_std import RunningMeanStd
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv, VecEnvWrapper, VecNormalize
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

from jimbo.env.factories import plain_run_env
from jimbo.env.options import RunOptions
from jimbo.env.sb3 import RunVecEnv
from jimbo.env.wrappers import AnteLimit, CurriculumWrapper
from jimbo.training.config import TrainerConfig
from jimbo.training.policies import MASK

EVALUATED_AT_ONCE = 64


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


class CurriculumVecEnv(VecEnvWrapper):
    """The rules of ``jimbo.env.CurriculumWrapper`` for a ``RunVecEnv``: by episode, truncated and not terminated.

    When the limit rises, games that are being played go on under the new one; their statistics count from there.
    """

    def __init__(
        self,
        make: Callable[[int], VecEnv],
        initial_max_ante: int = 2,
        ante_increment: int = 1,
        success_threshold: float = 0.8,
        eval_interval: int = 100,
    ) -> None:
        """``make`` makes the environment for a limit."""
        self._make = make
        self.limit = AnteLimit(initial_max_ante, ante_increment, success_threshold, eval_interval)
        super().__init__(make(self.limit.max_ante))

    def reset(self) -> Any:
        return self.venv.reset()

    def step_wait(self) -> VecEnvStepReturn:
        observations, rewards, dones, infos = self.venv.step_wait()
        for row in dones.nonzero()[0]:
            result = infos[row]["result"]
            limited = result["end"] == "max_ante"
            infos[row] = {**infos[row], "curriculum_limited": limited, "curriculum_max_ante": self.limit.max_ante}
            self._count(limited or result["won"])
        return observations, rewards, dones, infos

    def _count(self, success: bool) -> None:
        before = self.limit.max_ante
        self.limit.count(success)
        if self.limit.max_ante > before:
            self._raise_to(self.limit.max_ante)

    def _raise_to(self, limit: int) -> None:
        """The observations stay as they are, since the runs do."""
        old, new = self.venv, self._make(limit)
        before, after = (env.get_attr("unwrapped", [0])[0] for env in (old, new))
        runs = [before.run(row) for row in range(self.num_envs)]
        # Numbers of its own: from the first ones the games of the start would come again.
        seeds = [limit * 1_000_003 + self.limit.total_episodes * 131 + row for row in range(self.num_envs)]
        after.reset(seed=seeds, options={"runs": runs})
        old.close()
        self.venv = new

    def get_state(self) -> dict[str, Any]:
        """Where the curriculum stands."""
        return vars(self.limit).copy()

    def set_state(self, state: dict[str, Any]) -> None:
        """Goes there; the games themselves are to be restored afterwards."""
        self.venv.close()
        self.venv = self._make(state["max_ante"])
        vars(self.limit).update(state)


def training_env(env: gymnasium.Env[Any, Any] | VecEnv, config: TrainerConfig) -> VecEnv:
    """``config.n_envs`` environments like ``env``, normalized as the config says, with their games fixed by its seed.

    A plain ``jimbo/Run-v0`` is played by the compiled core, all games in one call. Where its maker named no actions,
    the trainer lists candidates; the observation is the one that the extractor reads. A wrapped environment, or one of
    others, is made anew from its ``spec`` and shows what it shows. A vector environment is taken as it is.
    """
    games = _games(env, config)
    games.seed(config.seed)
    if not (config.normalize_obs or config.normalize_reward):
        return games
    return NormalizedVecEnv(
        games, norm_obs=config.normalize_obs, norm_reward=config.normalize_reward, gamma=config.hyper.gamma
    )


def _games(env: gymnasium.Env[Any, Any] | VecEnv, config: TrainerConfig) -> VecEnv:
    if isinstance(env, VecEnv):
        return env
    options = native_options(env, config)
    if options is None:
        return DummyVecEnv([partial(_monitored, env, config)] * config.n_envs)
    if config.use_curriculum:
        return CurriculumVecEnv(
            lambda limit: run_vec_env(config.n_envs, replace(options, max_ante=limit)),
            **config.curriculum_config,  # type: ignore[arg-type]
        )
    return run_vec_env(config.n_envs, options)


def evaluation_env(env: gymnasium.Env[Any, Any] | VecEnv, config: TrainerConfig, seeds: list[str]) -> VecEnv:
    """Environments for an evaluation: no curriculum, nothing normalized, and these game seeds where they can be."""
    at_once = min(len(seeds), EVALUATED_AT_ONCE)
    if isinstance(env, RunVecEnv):
        return run_vec_env(at_once, replace(env.get_attr("options", [0])[0], seeds=seeds))
    if isinstance(env, VecEnv):
        raise ValueError(
            "a vector environment of others cannot be evaluated: give create_trainer a single one, or set eval_freq=0"
        )
    options = native_options(env, config)
    if options is not None:
        return run_vec_env(at_once, replace(options, seeds=seeds))
    games = DummyVecEnv([lambda: Monitor(_another(env, without=CurriculumWrapper))])
    games.seed(config.seed + 1_000_003)
    return games


def native_options(env: gymnasium.Env[Any, Any], config: TrainerConfig) -> RunOptions | None:
    """What the compiled core is to play; None for an environment that it cannot."""
    run_env = plain_run_env(env)
    if run_env is None:
        return None
    options = replace(run_env.options, observation="packed" if config.extractor == "balatro" else "flat")
    named = {} if env.spec is None else env.spec.kwargs
    if env.spec is not None and "actions" not in named:
        options = replace(options, actions="candidates", candidates=named.get("candidates", config.candidates))
    return replace(options, threads=config.threads)


def run_vec_env(n: int, options: RunOptions) -> RunVecEnv:
    return RunVecEnv(n, **{entry.name: getattr(options, entry.name) for entry in fields(options)})


def _monitored(env: gymnasium.Env[Any, Any], config: TrainerConfig) -> gymnasium.Env[Any, Any]:
    copied = _another(env)
    if config.use_curriculum:
        copied = CurriculumWrapper(copied, **config.curriculum_config)  # type: ignore[arg-type]
    return Monitor(copied)


def _another(
    env: gymnasium.Env[Any, Any], without: type[gymnasium.Wrapper[Any, Any, Any, Any]] | tuple[()] = ()
) -> gymnasium.Env[Any, Any]:
    """One more of the same kind; wrappers of the kind ``without`` are left out."""
    if env.spec is not None:
        return _made_again(env, env.spec, without)
    try:
        return copy.deepcopy(env)
    except Exception as error:
        raise ValueError(
            f"{env} cannot be made again ({type(error).__name__}: {error}): register it with gymnasium, so that it has "
            "a spec, or give create_trainer a vector environment"
        ) from error


def _made_again(
    env: gymnasium.Env[Any, Any], spec: EnvSpec, without: type[gymnasium.Wrapper[Any, Any, Any, Any]] | tuple[()]
) -> gymnasium.Env[Any, Any]:
    """Wrappers are made from their classes: gymnasium would look for them by name, and not find those of a script."""
    around = list(islice(_wrappers(env), len(spec.additional_wrappers)))
    made = gymnasium.make(replace(spec, additional_wrappers=()))
    for wrapper, told in zip(reversed(around), spec.additional_wrappers, strict=True):
        if isinstance(wrapper, without):
            continue
        if told.kwargs is None:
            raise ValueError(
                f"{told.name} cannot be made again, because nobody knows its arguments: derive it from "
                "EnvironmentWrapper, or give create_trainer a vector environment"
            )
        made = type(wrapper)(made, **told.kwargs)
    return made


def _wrappers(env: gymnasium.Env[Any, Any]) -> Iterator[gymnasium.Wrapper[Any, Any, Any, Any]]:
    """From the outside in."""
    while isinstance(env, gymnasium.Wrapper):
        yield env
        env = env.env


def raw_env(env: VecEnv) -> VecEnv:
    """Without wrappers."""
    while isinstance(env, VecEnvWrapper):
        env = env.venv
    return env


def find_wrapper(env: VecEnv, kind: type[Any]) -> Any:
    """The wrapper of this kind around an environment; None where there is none."""
    while isinstance(env, VecEnvWrapper):
        if isinstance(env, kind):
            return env
        env = env.venv
    return None
