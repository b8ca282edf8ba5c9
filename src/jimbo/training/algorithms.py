"""Models of Stable-Baselines3 made from a config: a DQN with masks, checks of arguments and memory, planned steps."""

from __future__ import annotations

import inspect
import math
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3 import A2C, DQN
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.noise import ActionNoise
from stable_baselines3.common.off_policy_algorithm import OffPolicyAlgorithm
from stable_baselines3.common.on_policy_algorithm import OnPolicyAlgorithm
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.type_aliases import PyTorchObs, TrainFreq, TrainFrequencyUnit
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.dqn.policies import DQNPolicy, QNetwork
from torch import Tensor, nn

from jimbo.declared import Limits, checked
from jimbo.models.network import NOWHERE
from jimbo.training.config import TrainerConfig
from jimbo.training.option_policy import OptionExtractor
from jimbo.training.policies import (
    EntityExtractor,
    FlatExtractor,
    Layers,
    MaskedA2CPolicy,
    MaskedPPOPolicy,
    NetArch,
    Scores,
    any_allowed,
    parts_of,
)

# --- DQN with masks ---------------------------------------------------------------------------------------------------


class MaskedQNetwork(QNetwork):
    """Values of actions: the state's value, and how much better each action is than the mean of those allowed.

    So the last state of a game that was cut off, which lists no candidates and allows one empty action, is worth what
    the state is worth. Actions that are not allowed have a value that is finite and lower than any other.
    """

    def __init__(self, *args: Any, net_arch: NetArch, **kwargs: Any) -> None:
        super().__init__(*args, net_arch=[], **kwargs)  # type: ignore[misc]
        parts = parts_of(self.features_extractor)
        self.net_arch = net_arch  # type: ignore[assignment]
        self.layers = Layers(parts, net_arch, self.activation_fn)
        self.value = nn.Linear(self.layers.latent_dim_vf, 1)
        self.q_net = Scores(parts, self.layers.context)  # type: ignore[assignment]

    def forward(self, obs: PyTorchObs) -> Tensor:
        latent_pi, latent_vf = self.layers(self.extract_features(obs, self.features_extractor))
        scores, mask = self.q_net.scored(latent_pi)  # type: ignore[operator]
        allowed = mask.to(scores.dtype)
        mean = (scores * allowed).sum(dim=1, keepdim=True) / allowed.sum(dim=1, keepdim=True).clamp(min=1.0)
        values: Tensor = self.value(latent_vf) + scores - mean
        return torch.where(mask, values, torch.full_like(values, NOWHERE))


class MaskedDQNPolicy(DQNPolicy):
    """``MaskedDQN``'s policy; the target network masks as the other does."""

    def make_q_net(self) -> QNetwork:
        arguments = self._update_features_extractor(self.net_args, features_extractor=None)
        return MaskedQNetwork(**arguments).to(self.device)


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


# --- Models -----------------------------------------------------------------------------------------------------------

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


def make_model(env: VecEnv, config: TrainerConfig, *, device: Any, tensorboard: str | None) -> BaseAlgorithm:
    """Make the model; ValueError with a sentence for arguments that cannot be."""
    if not isinstance(env.action_space, spaces.Discrete):
        raise ValueError(
            f"actions must be Discrete, not {env.action_space}: choose an environment with a list of actions"
        )
    kind, policy = KINDS[config.algorithm]
    arguments = _arguments(config, kind)
    check_sizes(config, arguments)
    check_memory(config, arguments, env.observation_space)
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


def _arguments(config: TrainerConfig, kind: type[BaseAlgorithm]) -> dict[str, Any]:
    hyper, given = config.hyper, config.specific()
    known = [name for name in inspect.signature(kind.__init__).parameters if name not in _OURS]
    for name, value in given.items():
        if name not in known:
            raise ValueError(
                f'{config.algorithm} has no argument "{name}" in algorithm_specific: choose from {", ".join(known)}, '
                f'or start with get_default_config("{config.algorithm}")'
            )
        check_argument(name, value)
    if isinstance(given.get("train_freq"), list):  # as files have it
        given["train_freq"] = tuple(given["train_freq"])
    common = {"learning_rate": hyper.learning_rate, "gamma": hyper.gamma, "max_grad_norm": hyper.max_grad_norm}
    if config.algorithm != "DQN":
        common |= {"gae_lambda": hyper.gae_lambda, "ent_coef": hyper.entropy_coefficient}
        common |= {"vf_coef": hyper.value_function_coefficient}
    return {**common, **given}


def _policy_arguments(env: VecEnv, config: TrainerConfig) -> dict[str, Any]:
    hyper, space = config.hyper, env.observation_space
    assert isinstance(env.action_space, spaces.Discrete)
    keys = space.spaces if isinstance(space, spaces.Dict) and config.extractor == "balatro" else {}
    extractor: type[BaseFeaturesExtractor] = FlatExtractor
    own: dict[str, Any] = {"actions": int(env.action_space.n)}
    if "observation" in keys:
        extractor, own = EntityExtractor, {"size": config.network}
    elif "kinds" in keys:
        extractor, own = OptionExtractor, {}
    arguments: dict[str, Any] = {
        "net_arch": {"pi": list(hyper.policy_net_arch), "vf": list(hyper.value_net_arch)},
        "activation_fn": nn.ReLU,
        "features_extractor_class": extractor,
        "features_extractor_kwargs": {"features_dim": hyper.features_dim, **own},
    }
    # The others have first weights of their own.
    return arguments if config.algorithm == "DQN" else {**arguments, "ortho_init": extractor is FlatExtractor}


# --- Checks -----------------------------------------------------------------------------------------------------------

_COUNT, _POSITIVE, _SHARE = (int, Limits(min=1)), (float, Limits(min=0)), (float, Limits(min=0, max=1))
_ARGUMENTS: Mapping[str, tuple[Any, Limits]] = {
    **dict.fromkeys(("n_steps", "batch_size", "n_epochs", "buffer_size"), _COUNT),
    **dict.fromkeys(("target_update_interval", "stats_window_size"), _COUNT),
    **dict.fromkeys(("clip_range", "rms_prop_eps", "ent_coef", "vf_coef", "max_grad_norm"), _POSITIVE),
    **dict.fromkeys(("clip_range_vf", "target_kl"), (float | None, Limits(min=0))),
    **dict.fromkeys(("tau", "exploration_fraction", "exploration_initial_eps", "exploration_final_eps"), _SHARE),
    **dict.fromkeys(("gamma", "gae_lambda", "learning_rate"), _SHARE),
    **dict.fromkeys(("gradient_steps", "sde_sample_freq"), (int, Limits(min=-1))),
    **dict.fromkeys(("normalize_advantage", "use_rms_prop", "use_sde", "optimize_memory_usage"), (bool, Limits())),
    "learning_starts": (int, Limits(min=0)),
}
"""Types and limits of arguments that can be typed."""
_SCHEDULES = ("clip_range", "clip_range_vf", "learning_rate")
"""Arguments that may also be a function of the share of the training that is left."""


def check_argument(name: str, value: Any) -> None:
    """ValueError for a value with which Stable-Baselines3 would fail, sooner or later."""
    if name in _SCHEDULES and callable(value):
        return
    if name == "train_freq":
        number, unit = value if isinstance(value, tuple | list) and len(value) == 2 else (value, "step")
        if type(number) is not int or number < 1 or unit not in ("step", "episode"):
            raise ValueError(
                'train_freq must be a whole number of at least 1, or such a number with "step" or "episode", '
                f"not {value!r}"
            )
    elif name in _ARGUMENTS:
        kind, limits = _ARGUMENTS[name]
        checked(kind, value, name, limits)
    elif isinstance(value, str | int | float | list):
        raise ValueError(f"{name} can only be given from Python, where it is a class or a dict, not {value!r}")


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
    by_episode = isinstance(arguments.get("train_freq"), tuple) and arguments["train_freq"][1] == "episode"
    if by_episode and config.n_envs > 1:
        raise ValueError('train_freq counts episodes, which needs a single environment: set n_envs=1, or count "step"')


def check_memory(config: TrainerConfig, arguments: Mapping[str, Any], space: spaces.Space[Any]) -> None:
    """ValueError if the steps from which the algorithm learns would not fit."""
    is_dqn = config.algorithm == "DQN"
    steps = int(arguments["buffer_size"]) * 2 if is_dqn else int(arguments["n_steps"]) * config.n_envs
    needed, there = steps * _bytes_of(space), available_bytes()
    if there is not None and needed > 0.8 * there:
        remedy = "lower buffer_size in algorithm_specific" if is_dqn else "lower n_steps or n_envs"
        raise ValueError(
            f"{config.algorithm} would keep {needed / 1e9:.1f} GB of steps, and {there / 1e9:.1f} GB of memory are free"
            f": {remedy}"
        )


def available_bytes() -> int | None:
    """Return the free memory of this machine; None where it is not known."""
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
    except (OSError, ValueError):
        return None


def _bytes_of(space: spaces.Space[Any]) -> int:
    """Return the size of one observation."""
    parts = space.spaces.values() if isinstance(space, spaces.Dict) else [space]
    return sum(int(np.prod(part.shape or (1,))) * np.dtype(part.dtype).itemsize for part in parts)


# --- How many steps a training makes ----------------------------------------------------------------------------------


def planned_steps(model: BaseAlgorithm, asked: int) -> int:
    """Return the steps that ``learn(asked)`` makes; rollouts are whole."""
    rollout = _rollout(model)
    return math.ceil(asked / rollout) * rollout


def warnings_before(model: BaseAlgorithm, asked: int, name: str) -> Iterator[str]:
    """Yield remarks that the result of ``asked`` further steps will not show; ``name`` is that of the algorithm."""
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
    """Return passes over a rollout (PPO, A2C) or steps of the optimizer (DQN), as Stable-Baselines3 counts them."""
    return model._n_updates


def _rollout(model: BaseAlgorithm) -> int:
    """Return the steps between two checks of the end; 1 if episodes are counted, which have any length."""
    if isinstance(model, OffPolicyAlgorithm):
        frequency = cast(TrainFreq, model.train_freq)
        return frequency.frequency * model.n_envs if frequency.unit == TrainFrequencyUnit.STEP else 1
    return cast(OnPolicyAlgorithm, model).n_steps * model.n_envs
