"""The games of a trainer, made from the one environment that it is given, and evaluation on fixed games."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec
from numpy.typing import NDArray
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.running_mean_std import RunningMeanStd
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv, VecEnvWrapper, VecNormalize
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

from jimbo.env.factories import plain_run_env
from jimbo.env.options import CampaignOptions, EpisodeOptions, RunOptions
from jimbo.env.sb3 import CampaignVecEnv, RunVecEnv
from jimbo.env.wrappers import AnteLimit, CurriculumWrapper
from jimbo.seeds.seed_sets import train_seeds
from jimbo.training.config import TrainerConfig
from jimbo.training.metrics import BalatroMetrics
from jimbo.training.policies import MASK, any_allowed

Env = gymnasium.Env[Any, Any]
EVALUATED_AT_ONCE = 64
_OTHER_GAMES = 1_000_003
"""A number by which seeds of other games are shifted."""

# --- Normalization ----------------------------------------------------------------------------------------------------


class ColumnStatistics(RunningMeanStd):
    """Mean and standard deviation of each column of a table, over all rows that hold something.

    A candidate may stand anywhere in the list, so what is known of a column holds for all rows.
    """

    def update(self, arr: NDArray[Any]) -> None:
        rows = arr.reshape(-1, arr.shape[-1])
        rows = rows[rows.any(axis=1)]
        if len(rows):
            super().update(rows)


class NormalizedVecEnv(VecNormalize):
    """Brings entries of numbers with fractions to mean 0 and standard deviation 1; ids, bytes and masks stay."""

    def __init__(self, venv: VecEnv, *, norm_obs: bool, norm_reward: bool, gamma: float) -> None:
        space = venv.observation_space
        keys = normalized_keys(space) if norm_obs and isinstance(space, spaces.Dict) else []
        super().__init__(
            venv,
            norm_obs=norm_obs and (bool(keys) or isinstance(space, spaces.Box)),
            norm_reward=norm_reward,
            gamma=gamma,
            norm_obs_keys=keys or None,
        )
        if keys:
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


# --- Games to learn from ----------------------------------------------------------------------------------------------


class CurriculumVecEnv(VecEnvWrapper):
    """The rules of ``jimbo.env.CurriculumWrapper`` for a ``RunVecEnv``: by episode, truncated and not terminated.

    When the limit rises, running games continue under the new one; their statistics count from there.
    """

    def __init__(self, make: Callable[[int], VecEnv], **rule: Any) -> None:
        """``make`` makes the environment for a limit; ``rule`` are the arguments of AnteLimit."""
        self._make, self.limit = make, AnteLimit(**rule)
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
        seeds = [limit * _OTHER_GAMES + self.limit.total_episodes * 131 + row for row in range(self.num_envs)]
        after.reset(seed=seeds, options={"runs": runs})
        old.close()
        self.venv = new

    def get_state(self) -> dict[str, Any]:
        """Return where the curriculum stands."""
        return vars(self.limit).copy()

    def set_state(self, state: dict[str, Any]) -> None:
        """Go there; restore the games themselves afterwards."""
        self.venv.close()
        self.venv = self._make(state["max_ante"])
        vars(self.limit).update(state)


def training_env(env: Env | VecEnv, config: TrainerConfig) -> VecEnv:
    """Make ``config.n_envs`` environments like ``env``, normalized as the config says; its seed decides the games.

    A plain ``jimbo/Run-v0`` is played by the compiled core, all games in one call. Where its maker named no actions,
    the trainer lists candidates; the observation is the one that the extractor reads. So is a plain
    ``jimbo/Campaign-v0``, in the layout that it has. A wrapped environment, or one of
    others, is made again from its ``spec`` and shows what it shows. A vector environment is taken as it is.
    """
    games = _games(env, config)
    games.seed(config.seed)
    if not (config.normalize_obs or config.normalize_reward):
        return games
    return NormalizedVecEnv(
        games, norm_obs=config.normalize_obs, norm_reward=config.normalize_reward, gamma=config.hyper.gamma
    )


def _games(env: Env | VecEnv, config: TrainerConfig) -> VecEnv:
    if isinstance(env, VecEnv):
        return env
    curriculum: dict[str, Any] = dict(config.curriculum_config)
    options = native_options(env, config)
    if options is None:

        def made() -> Env:
            copied = _another(env)
            return Monitor(CurriculumWrapper(copied, **curriculum) if config.use_curriculum else copied)

        return DummyVecEnv([made] * config.n_envs)
    if config.use_curriculum:
        return CurriculumVecEnv(
            lambda limit: run_vec_env(config.n_envs, replace(options, max_ante=limit)), **curriculum
        )
    return run_vec_env(config.n_envs, options)


def native_options(env: Env | VecEnv, config: TrainerConfig) -> EpisodeOptions | None:
    """Return what the compiled core is to play; None for an environment that it cannot."""
    if isinstance(env, VecEnv):
        return env.get_attr("options", [0])[0] if isinstance(env, RunVecEnv) else None
    run_env = plain_run_env(env)
    if run_env is None:
        return None
    if isinstance(run_env.options, CampaignOptions):
        layout = run_env.options.layout if config.extractor == "balatro" else "flat"
        return replace(run_env.options, layout=layout, threads=config.threads)
    assert isinstance(run_env.options, RunOptions)
    options = replace(run_env.options, observation="packed" if config.extractor == "balatro" else "flat")
    named = {} if env.spec is None else env.spec.kwargs
    if env.spec is not None and "actions" not in named:
        options = replace(options, actions="candidates", candidates=named.get("candidates", config.candidates))
    return replace(options, threads=config.threads)


def run_vec_env(n: int, options: EpisodeOptions) -> RunVecEnv:
    kind = CampaignVecEnv if isinstance(options, CampaignOptions) else RunVecEnv
    return kind(n, **vars(options))


def _another(env: Env, without: type[Any] | tuple[()] = ()) -> Env:
    """Make one more of the same kind; wrappers of the kind ``without`` are left out."""
    if env.spec is not None:
        return _made_again(env, env.spec, without)
    try:
        return copy.deepcopy(env)
    except Exception as error:
        raise ValueError(
            f"{env} cannot be made again ({type(error).__name__}: {error}): register it with gymnasium, so that it has "
            "a spec, or give create_trainer a vector environment"
        ) from error


def _made_again(env: Env, spec: EnvSpec, without: type[Any] | tuple[()]) -> Env:
    """Make wrappers from their classes: gymnasium would look for them by name, and not find those of a script."""
    kinds: list[type[Any]] = []
    for _ in spec.additional_wrappers:
        assert isinstance(env, gymnasium.Wrapper)
        kinds.append(type(env))
        env = env.env
    made = gymnasium.make(replace(spec, additional_wrappers=()))
    for kind, told in zip(reversed(kinds), spec.additional_wrappers, strict=True):
        if issubclass(kind, without):
            continue
        if told.kwargs is None:
            raise ValueError(
                f"{told.name} cannot be made again, because nobody knows its arguments: derive it from "
                "EnvironmentWrapper, or give create_trainer a vector environment"
            )
        made = kind(made, **told.kwargs)
    return made


def raw_env(env: VecEnv) -> VecEnv:
    """Return the environment without wrappers."""
    while isinstance(env, VecEnvWrapper):
        env = env.venv
    return env


def find_wrapper(env: VecEnv, kind: type[Any]) -> Any:
    """Return the wrapper of this kind around an environment; None if there is none."""
    while isinstance(env, VecEnvWrapper) and not isinstance(env, kind):
        env = env.venv
    return env if isinstance(env, kind) else None


# --- Evaluation -------------------------------------------------------------------------------------------------------


def evaluate_model(
    model: BaseAlgorithm, env: Env | VecEnv, config: TrainerConfig, n_episodes: int, *, deterministic: bool = True
) -> BalatroMetrics:
    """Play ``n_episodes`` games, the same each time, with rewards as they are; nothing is learnt from them."""
    if n_episodes < 1:
        raise ValueError(f"n_episodes must be at least 1, not {n_episodes}")
    games = evaluation_env(env, config, list(islice(train_seeds("sb3-evaluation"), n_episodes)))
    try:
        return _play(model, games, n_episodes, deterministic)
    finally:
        games.close()


def evaluation_env(env: Env | VecEnv, config: TrainerConfig, seeds: list[str]) -> VecEnv:
    """Make environments without curriculum and normalization, with these game seeds if they take any."""
    options = native_options(env, config)
    if options is not None:
        return run_vec_env(min(len(seeds), EVALUATED_AT_ONCE), replace(options, seeds=seeds))
    if isinstance(env, VecEnv):
        raise ValueError(
            "a vector environment of others cannot be evaluated: give create_trainer a single one, or set eval_freq=0"
        )
    games = DummyVecEnv([lambda: Monitor(_another(env, without=CurriculumWrapper))])
    games.seed(config.seed + _OTHER_GAMES)
    return games


def _play(model: BaseAlgorithm, games: VecEnv, n_episodes: int, deterministic: bool) -> BalatroMetrics:
    """Play the episodes i, i + n, ... in row i of n: exactly those count, or short games would count more often.

    A policy that always chooses the same in the same state may go round in circles, such as taking a card up and
    putting it down again. So a game that shows what it has shown before gets another action.
    """
    normalize = model.get_vec_normalize_env()
    left = np.array([len(range(row, n_episodes, games.num_envs)) for row in range(games.num_envs)])
    metrics = BalatroMetrics()
    seen: list[Counter[int]] = [Counter() for _ in left]
    observations: Any = games.reset()
    while left.any():
        shown = observations if normalize is None else normalize.normalize_obs(observations)
        actions, _ = model.predict(shown, deterministic=deterministic)
        if deterministic:
            _leave_circles(model, games, shown, actions, _times_seen(seen, observations))
        observations, _, dones, infos = games.step(actions)
        for row in np.flatnonzero(dones):
            seen[row].clear()
            if left[row]:
                metrics.add_result(infos[row])
                left[row] -= 1
    return metrics


def _times_seen(seen: list[Counter[int]], observations: Any) -> NDArray[np.int64]:
    """Return how often each game has shown what it shows now, and count it once more."""
    parts = list(observations.values()) if isinstance(observations, dict) else [observations]
    before = np.zeros(len(seen), np.int64)
    for row, known in enumerate(seen):
        key = hash(b"".join(part[row].tobytes() for part in parts))
        before[row] = known[key]
        known[key] += 1
    return before


def _leave_circles(
    model: BaseAlgorithm, games: VecEnv, shown: Any, actions: NDArray[Any], before: NDArray[np.int64]
) -> None:
    """Change the actions of games that show what they have shown ``before``, so many times.

    At first the policy draws. DQN seldom draws, and a policy may be so sure that its draws are always the same: after
    that it is any allowed action.
    """
    drawn, lost = before == 1, before > 1
    if drawn.any():
        actions[drawn], _ = model.predict(_rows(shown, drawn), deterministic=False)
    if lost.any():
        assert isinstance(games.action_space, spaces.Discrete)
        actions[lost] = any_allowed(_rows(shown, lost), (int(lost.sum()),), int(games.action_space.n))


def _rows(observations: Any, rows: NDArray[np.bool_]) -> Any:
    if isinstance(observations, dict):
        return {name: part[rows] for name, part in observations.items()}
    return observations[rows]
