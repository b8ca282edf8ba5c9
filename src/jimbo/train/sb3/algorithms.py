"""The algorithms of Stable-Baselines3, made from a config."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3 import A2C
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.vec_env import VecEnv
from torch import nn

from jimbo.train.sb3.config import TrainerConfig
from jimbo.train.sb3.extractors import EntityExtractor, FlatExtractor
from jimbo.train.sb3.masked_dqn import MaskedDQN
from jimbo.train.sb3.memory import check_memory
from jimbo.train.sb3.policies import MaskedA2CPolicy, MaskedDQNPolicy, MaskedPPOPolicy

KINDS: Mapping[str, tuple[type[BaseAlgorithm], type[Any]]] = {
    "PPO": (MaskablePPO, MaskedPPOPolicy),
    "A2C": (A2C, MaskedA2CPolicy),
    "DQN": (MaskedDQN, MaskedDQNPolicy),
}
_OURS = ("policy", "env", "seed", "device", "policy_kwargs", "tensorboard_log", "verbose", "self", "_init_setup_model")
"""Arguments of the algorithms that the trainer gives."""


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
    return kind(
        policy,
        env,
        seed=config.seed,
        device=device,
        policy_kwargs=_policy_arguments(env, config),
        tensorboard_log=tensorboard,
        **arguments,
    )


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
    for name in given:
        if name not in known:
            raise ValueError(
                f'{config.algorithm} has no argument "{name}" in algorithm_specific: choose from {", ".join(known)}, '
                f'or begin with get_default_config("{config.algorithm}")'
            )
    return given


def check_sizes(config: TrainerConfig, arguments: Mapping[str, Any]) -> None:
    """ValueError for numbers that do not go together; Stable-Baselines3 would warn, or fail later."""
    for name in ("n_steps", "batch_size", "n_epochs", "buffer_size"):
        if name in arguments and not (type(arguments[name]) is int and arguments[name] >= 1):
            raise ValueError(f"{name} must be a whole number of at least 1, not {arguments[name]!r}")
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
