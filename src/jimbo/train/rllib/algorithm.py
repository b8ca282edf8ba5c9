"""RLlib's PPO, as a configuration says it, on the machines that there are, and the games that it plays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.algorithms.ppo.torch.ppo_torch_learner import PPOTorchLearner
from ray.rllib.core.rl_module import RLModuleSpec
from ray.tune.registry import register_env

from jimbo.env.campaign import CampaignVectorEnv
from jimbo.env.vector_env import RunVectorEnv
from jimbo.text import counted
from jimbo.train.rllib.balatro_net import BalatroNet
from jimbo.train.rllib.callbacks import SCHEDULE, TIMESTEPS, BalatroCallbacks
from jimbo.train.rllib.config import EnvConfig, RllibConfig, max_ante_at, read_schedule
from jimbo.train.rllib.option_net import OptionNet

_ENV_NAME = "jimbo_balatro"
KIND = "env"
"""The entry of an env_config that says what is played."""
_PROBE_SECONDS = 60.0
"""A machine that is busy answers late; one that has died does not answer at all."""
_TRAINING = (
    "lr", "gamma", "grad_clip", "train_batch_size_per_learner", "minibatch_size", "num_epochs", "lambda_", "clip_param",
    "entropy_coeff", "kl_coeff", "kl_target", "vf_loss_coeff", "vf_clip_param",
)  # fmt: skip
_ENV_RUNNERS = (
    "num_env_runners", "num_envs_per_env_runner", "num_cpus_per_env_runner", "num_gpus_per_env_runner", "batch_mode",
)  # fmt: skip
"""Settings that have the same name in RLlib."""

# --- Machines ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Machines:
    """What Ray has to offer."""

    cpus: float
    gpus: float

    @staticmethod
    def of(ray: Any) -> Machines:
        there = ray.cluster_resources()
        return Machines(there.get("CPU", 0.0), there.get("GPU", 0.0))


def fitted(config: RllibConfig, machines: Machines) -> tuple[RllibConfig, list[str]]:
    """Return the configuration for what there is, and notices; ValueError with a remedy where it cannot be done."""
    notices = []
    wanted = config.num_gpus_per_learner * max(1, config.num_learners)
    wanted += config.num_gpus_per_env_runner * config.num_env_runners
    if wanted > machines.gpus:
        raise ValueError(
            f"The config asks for {wanted:g} GPUs, and Ray has {machines.gpus:g}. Set num_gpus_per_learner and "
            "num_gpus_per_env_runner to 0, write num_gpus instead (as many as there are), or join machines with GPUs"
        )
    if config.num_gpus > (left := int(machines.gpus - wanted)):
        there = counted(left, "GPU") if left else "the processor: Ray has no GPU"
        notices.append(f"num_gpus is {config.num_gpus}; it learns on {there}{' left' if wanted else ''}.")
        config = replace(config, num_gpus=left)
    # Ray keeps a core for each process that learns without a GPU.
    free = machines.cpus - (0 if config.num_gpus_per_learner else config.num_learners)
    if free < 0:
        raise ValueError(
            f"The config asks for {config.num_learners} learners, each with a core of its own, and Ray has "
            f"{counted(int(machines.cpus), 'core')}. Lower num_learners, or join more machines"
        )
    if config.num_env_runners * config.num_cpus_per_env_runner > free:
        cores = f"{free:g} core{'' if free == 1 else 's'}"
        notices.append(f"{counted(config.num_env_runners, 'env runner')} share {cores}.")
        config = replace(config, num_cpus_per_env_runner=free / config.num_env_runners)
    return config, notices


# --- PPO --------------------------------------------------------------------------------------------------------------


class FusedAdamLearner(PPOTorchLearner):
    """RLlib's PPO with an optimizer that moves all weights in one call: a small network has many small ones."""

    def configure_optimizers_for_module(self, module_id: str, config: Any = None) -> None:
        weights = self.get_parameters(self.module[module_id])
        adam = torch.optim.Adam(weights, fused=True)
        self.register_optimizer(module_id=module_id, optimizer=adam, params=weights, lr_or_lr_schedule=config.lr)


def ppo_config(config: RllibConfig, timesteps: int = 0) -> PPOConfig:
    """Return RLlib's configuration. ``timesteps``: decisions made before, by which the difficulty goes."""
    register_env(_ENV_NAME, make_env)
    games = {
        **run_options(config.env_config),
        KIND: config.env_config.env,
        SCHEDULE: config.env_config.difficulty_schedule,
        TIMESTEPS: timesteps,
    }
    return (
        PPOConfig()
        .environment(_ENV_NAME, env_config=games)
        .env_runners(
            **{name: getattr(config, name) for name in _ENV_RUNNERS},
            rollout_fragment_length=config.rollout_fragment_length or "auto",
            gym_env_vectorize_mode="vector_entry_point",
        )
        .learners(
            num_learners=config.learners, num_gpus_per_learner=config.num_gpus_per_learner or min(1, config.num_gpus)
        )
        .training(**{name: getattr(config, name) for name in _TRAINING}, learner_class=FusedAdamLearner)
        .rl_module(rl_module_spec=module_spec(config))
        .callbacks(BalatroCallbacks)
        .fault_tolerance(
            restart_failed_env_runners=True,
            delay_between_env_runner_restarts_s=0.0,
            env_runner_health_probe_timeout_s=_PROBE_SECONDS,
        )
        .debugging(seed=config.seed, log_level="ERROR")
    )


def module_spec(config: RllibConfig) -> RLModuleSpec:
    kind = OptionNet if config.env_config.env == "campaign" else BalatroNet
    return RLModuleSpec(module_class=kind, model_config=asdict(config.model))


# --- Games ------------------------------------------------------------------------------------------------------------


class _FewInfos(RunVectorEnv):
    """A native vector environment.

    ``info`` holds nothing but the ``result`` of episodes that end, because RLlib takes every entry of every step apart.
    """

    def _status(self) -> dict[str, Any]:
        return {}

    def reset(self, **arguments: Any) -> tuple[Any, dict[str, Any]]:
        return super().reset(**arguments)[0], {}


class BalatroVectorEnv(_FewInfos):
    """``jimbo/Run-v0``."""


class CampaignGames(_FewInfos, CampaignVectorEnv):
    """``jimbo/Campaign-v0``."""


_KINDS: Mapping[str, type[RunVectorEnv]] = {"run": BalatroVectorEnv, "campaign": CampaignGames}
_OWN = {"run": ("candidates",), "campaign": ("hands", "max_options")}
"""Settings that only one kind has."""


def run_options(config: EnvConfig) -> dict[str, Any]:
    """Return the options of an environment of whole runs."""
    options = asdict(config)
    kind = options.pop("env")
    others = [name for other, names in _OWN.items() if other != kind for name in names]
    for name in (SCHEDULE, *others):
        del options[name]
    return options if kind == "campaign" else {"actions": "candidates", "observation": "packed", **options}


def make_games(kind: str, rows: int, **options: Any) -> RunVectorEnv:
    """Make the games of ``env_config.env``."""
    return _KINDS[kind](rows, **options)


def make_env(context: Mapping[str, Any]) -> RunVectorEnv:
    """Make the games of one process of RLlib, which calls this with ``num_envs`` and its env_config."""
    options = dict(context)
    rows = options.pop("num_envs", 1)
    schedule, timesteps = read_schedule(options.pop(SCHEDULE)), options.pop(TIMESTEPS)
    options["max_ante"] = min(options["max_ante"], max_ante_at(schedule, timesteps))
    return make_games(options.pop(KIND), rows, **options)
