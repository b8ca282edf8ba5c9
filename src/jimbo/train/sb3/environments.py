"""From the one environment that a trainer is given to the many that it plays."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import fields, replace
from functools import partial
from itertools import islice
from typing import Any

import gymnasium
from gymnasium.envs.registration import EnvSpec
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv, VecEnvWrapper

from jimbo.env.curriculum import CurriculumWrapper
from jimbo.env.factories import plain_run_env
from jimbo.env.options import RunOptions
from jimbo.env.sb3 import RunVecEnv
from jimbo.train.sb3.config import TrainerConfig
from jimbo.train.sb3.curriculum import CurriculumVecEnv
from jimbo.train.sb3.normalize import NormalizedVecEnv

EVALUATED_AT_ONCE = 64


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
