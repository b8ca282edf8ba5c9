"""Models of Stable-Baselines3 made from a config; sizes that cannot be, and how much memory they ask for."""

from __future__ import annotations

import inspect
import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3 import A2C
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.off_policy_algorithm import OffPolicyAlgorithm
from stable_baselines3.common.on_policy_algorithm import OnPolicyAlgorithm
from stable_baselines3.common.type_aliases import TrainFreq, TrainFrequencyUnit
from stable_baselines3.common.vec_env import VecEnv
from torch import nn

from jimbo.training.config import TrainerConfig
from jimbo.training.policies import (
    EntityExtractor,
    FlatExtractor,
    MaskedA2CPolicy,
    MaskedDQN,
    MaskedDQNPolicy,
    MaskedPPOPolicy,
)

REMEDIES = {
    "PPO": "lower n_steps or n_envs",
    "A2C": "lower n_steps or n_envs",
    "DQN": "lower buffer_size in algorithm_specific",
}
OUT_OF_MEMORY = (
    "the device ran out of memory: lower n_envs (2, say), batch_size or features_dim (256, say), or choose a smaller "
    "network"
)
WORTH_SAYING = 0.1
"""Share of the steps that were asked: so many more are a warning."""
KINDS: Mapping[str, tuple[type[BaseAlgorithm], type[Any]]] = {
    "PPO": (MaskablePPO, MaskedPPOPolicy),
    "A2C": (A2C, MaskedA2CPolicy),
    "DQN": (MaskedDQN, MaskedDQNPolicy),
}
_OURS = ("policy", "env", "seed", "device", "policy_kwargs", "tensorboard_log", "verbose", "self", "_init_setup_model")
"""Arguments of the algorithms that the trainer gives."""
_OPTIONAL = ("clip_range_vf", "target_kl")
_SCHEDULES = ("clip_range", "clip_range_vf", "learning_rate")
"""What may also be a function of the share of the training that is left."""
_UNITS = ("step", "episode")
"""Of train_freq."""
_FLAGS = ("normalize_advantage", "use_rms_prop", "use_sde", "optimize_memory_usage")


def check_memory(config: TrainerConfig, arguments: Mapping[str, Any], observation: int) -> None:
    """ValueError where what is kept of the steps would not fit; ``observation``: bytes of one."""
    needed = kept_bytes(config, arguments, observation)
    there = available_bytes()
    if there is not None and needed > 0.8 * there:
        raise ValueError(
            f"{config.algorithm} would keep {needed / 1e9:.1f} GB of steps, and {there / 1e9:.1f} GB of memory are free"
            f": {REMEDIES[config.algorithm]}"
        )


def kept_bytes(config: TrainerConfig, arguments: Mapping[str, Any], observation: int) -> int:
    """What is kept of the steps from which the algorithm learns."""
    if config.algorithm == "DQN":
        return int(arguments["buffer_size"]) * 2 * observation
    return int(arguments["n_steps"]) * config.n_envs * observation


def available_bytes() -> int | None:
    """Free memory of this machine; None where it does not tell."""
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
    except (OSError, ValueError):
        return None


@dataclass(frozen=True, slots=True)
class _Limits:
    """Of a number."""

    kind: type[int] | type[float]
    least: float
    most: float | None = None

    def allow(self, value: Any) -> bool:
        fits = type(value) is int or (self.kind is float and type(value) is float and math.isfinite(value))
        return fits and self.least <= value <= (math.inf if self.most is None else self.most)

    def __str__(self) -> str:
        kind = "a whole number" if self.kind is int else "a number"
        return f"{kind} of at least {self.least}" if self.most is None else f"{kind} from {self.least} to {self.most}"


_COUNT, _POSITIVE, _SHARE = _Limits(int, 1), _Limits(float, 0), _Limits(float, 0, 1)
_LIMITS: Mapping[str, _Limits] = {
    **dict.fromkeys(("n_steps", "batch_size", "n_epochs", "buffer_size"), _COUNT),
    **dict.fromkeys(("target_update_interval", "stats_window_size"), _COUNT),
    **dict.fromkeys(("clip_range", "clip_range_vf", "target_kl", "rms_prop_eps"), _POSITIVE),
    **dict.fromkeys(("ent_coef", "vf_coef", "max_grad_norm"), _POSITIVE),
    **dict.fromkeys(("tau", "exploration_fraction", "exploration_initial_eps", "exploration_final_eps"), _SHARE),
    **dict.fromkeys(("gamma", "gae_lambda", "learning_rate"), _SHARE),
    "learning_starts": _Limits(int, 0),
    "gradient_steps": _Limits(int, -1),
    "sde_sample_freq": _Limits(int, -1),
}


def make_model(env: VecEnv, config: TrainerConfig, *, device: Any, tensorboard: str | None) -> BaseAlgorithm:
    """ValueError with a sentence for sizes that cannot be."""
    if not isinstance(env.action_space, spaces.Discrete):
        raise ValueError(
            f"actions must be Discrete, not {env.action_space}: choose an environment with a list of actions"
        )
    kind, policy = KINDS[config.algorithm]
    arguments = {**_common(config), **_own(config, kind)}
    check_sizes(config, arguments)
    check_memory(config, arguments, _bytes_of(env.observation_space))
    try:
        return kind(
            policy,
            env,
            seed=config.seed,
            device=device,
            policy_kwargs=_policy_arguments(env, config),
            tensorboard_log=tensorboard,
            **arguments,
        )
    except AssertionError as error:  # by which Stable-Baselines3 refuses arguments that do not go together
        raise ValueError(f"{config.algorithm} cannot be made so: {error}. Change algorithm_specific.") from None


def _common(config: TrainerConfig) -> dict[str, Any]:
    hyper = config.hyper
    common = {"learning_rate": hyper.learning_rate, "gamma": hyper.gamma, "max_grad_norm": hyper.max_grad_norm}
    if config.algorithm == "DQN":
        return common
    return {
        **common,
        "gae_lambda": hyper.gae_lambda,
        "ent_coef": hyper.entropy_coefficient,
        "vf_coef": hyper.value_function_coefficient,
    }


def _own(config: TrainerConfig, kind: type[BaseAlgorithm]) -> dict[str, Any]:
    known = [name for name in inspect.signature(kind.__init__).parameters if name not in _OURS]
    given = config.specific()
    for name, value in given.items():
        if name not in known:
            raise ValueError(
                f'{config.algorithm} has no argument "{name}" in algorithm_specific: choose from {", ".join(known)}, '
                f'or begin with get_default_config("{config.algorithm}")'
            )
        check_argument(name, value)
    # Files have lists where Stable-Baselines3 wants a pair.
    return {
        name: tuple(value) if name == "train_freq" and type(value) is list else value for name, value in given.items()
    }


def check_argument(name: str, value: Any) -> None:
    """ValueError for a value that Stable-Baselines3 would stumble over, sooner or later."""
    if name in _SCHEDULES and callable(value):
        return
    if name == "train_freq":
        _check_frequency(value)
    elif name in _FLAGS:
        if not isinstance(value, bool):
            raise ValueError(f"{name} must be true or false, not {value!r}")
    elif name in _LIMITS:
        limits = _LIMITS[name]
        if not (value is None and name in _OPTIONAL) and not limits.allow(value):
            raise ValueError(f"{name} must be {limits}, not {value!r}")
    elif isinstance(value, str | int | float | list):
        raise ValueError(f"{name} can only be given from Python, where it is a class or a dict, not {value!r}")


def _check_frequency(value: Any) -> None:
    """A number of steps, or a number and what is counted."""
    number, unit = value if isinstance(value, tuple | list) and len(value) == 2 else (value, _UNITS[0])
    if not _COUNT.allow(number) or unit not in _UNITS:
        raise ValueError(f'train_freq must be {_COUNT}, or such a number with "step" or "episode", not {value!r}')


def _by_episode(frequency: Any) -> bool:
    return isinstance(frequency, tuple) and frequency[1] == _UNITS[1]


def check_sizes(config: TrainerConfig, arguments: Mapping[str, Any]) -> None:
    """ValueError for numbers that do not go together; Stable-Baselines3 would warn, or fail later."""
    if config.algorithm == "PPO":
        steps, batch = arguments["n_steps"] * config.n_envs, arguments["batch_size"]
        if steps < 2 or batch < 2:
            raise ValueError(
                "PPO needs at least 2 steps in a rollout and in a batch: raise n_steps, n_envs or batch_size"
            )
        if batch > steps:
            raise ValueError(
                f"batch_size {batch} is larger than a rollout of n_steps x n_envs = {steps}: lower batch_size, or "
                "raise n_steps"
            )
    if config.algorithm == "DQN" and arguments["batch_size"] > arguments["buffer_size"]:
        raise ValueError(f"batch_size {arguments['batch_size']} is larger than the buffer: raise buffer_size")
    if config.algorithm == "DQN" and config.n_envs > arguments["buffer_size"]:
        raise ValueError(f"a buffer of {arguments['buffer_size']} cannot hold a step of {config.n_envs} environments")
    if config.algorithm == "DQN" and config.n_envs > 1 and _by_episode(arguments["train_freq"]):
        raise ValueError('train_freq counts episodes, which needs a single environment: set n_envs=1, or count "step"')


def _policy_arguments(env: VecEnv, config: TrainerConfig) -> dict[str, Any]:
    hyper, space = config.hyper, env.observation_space
    packed = isinstance(space, spaces.Dict) and "observation" in space.spaces and config.extractor == "balatro"
    assert isinstance(env.action_space, spaces.Discrete)
    arguments: dict[str, Any] = {
        "net_arch": {"pi": list(hyper.policy_net_arch), "vf": list(hyper.value_net_arch)},
        "activation_fn": nn.ReLU,
        "features_extractor_class": EntityExtractor if packed else FlatExtractor,
        "features_extractor_kwargs": {
            "features_dim": hyper.features_dim,
            **({"size": config.network} if packed else {"actions": int(env.action_space.n)}),
        },
    }
    # The entity network has first weights of its own.
    return arguments if config.algorithm == "DQN" else {**arguments, "ortho_init": not packed}


def _bytes_of(space: spaces.Space[Any]) -> int:
    """Of one observation."""
    parts = space.spaces.values() if isinstance(space, spaces.Dict) else [space]
    return sum(int(np.prod(part.shape or (1,))) * np.dtype(part.dtype).itemsize for part in parts)


# --- How many steps a training makes -------------------------------------------------------------------------------


def planned_steps(model: BaseAlgorithm, asked: int) -> int:
    """The steps that ``learn(asked)`` makes: rollouts are whole."""
    rollout = _rollout(model)
    return math.ceil(asked / rollout) * rollout


def warnings_before(model: BaseAlgorithm, asked: int, name: str) -> Iterator[str]:
    """What the result of ``asked`` further steps will not show by itself; ``name`` is that of the algorithm."""
    planned, rollout = planned_steps(model, asked), _rollout(model)
    if planned > asked * (1 + WORTH_SAYING):
        size, remedy = ("n_steps x n_envs", "n_steps or n_envs")
        if isinstance(model, OffPolicyAlgorithm):
            size, remedy = ("train_freq x n_envs", "train_freq or n_envs")
        yield (
            f"{name} makes {planned:,} steps, not {asked:,}: a rollout of {size} = {rollout:,} steps is always played "
            f"whole. Lower {remedy} for fewer."
        )
    if isinstance(model, OffPolicyAlgorithm) and model.num_timesteps + planned <= model.learning_starts:
        yield (
            f"{name} learns nothing in {planned:,} steps: learning_starts is {model.learning_starts:,}. "
            "Lower it, or raise total_timesteps."
        )


def updates_made(model: BaseAlgorithm) -> int:
    """Passes over a rollout (PPO, A2C) or steps of the optimizer (DQN), as Stable-Baselines3 counts them."""
    return model._n_updates


def _rollout(model: BaseAlgorithm) -> int:
    """Steps between two looks at whether it is over; 1 where episodes are counted, which have any length."""
    if isinstance(model, OffPolicyAlgorithm):
        frequency = cast(TrainFreq, model.train_freq)
        return frequency.frequency * model.n_envs if frequency.unit == TrainFrequencyUnit.STEP else 1
    return cast(OnPolicyAlgorithm, model).n_steps * model.n_envs
