"""RLlib's PPO, as a configuration says it, on the machines that there are."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module import RLModuleSpec
from ray.tune.registry import register_env

from jimbo.text import counted
from jimbo.train.rllib.balatro_net import BalatroNet
from jimbo.train.rllib.callbacks import BalatroCallbacks
from jimbo.train.rllib.config import RllibConfig
from jimbo.train.rllib.env import ENV_NAME, TIMESTEPS, make_env, run_options
from jimbo.train.rllib.learner import BalatroLearner

_PROBE_SECONDS = 60.0
"""A machine that is busy answers late; one that has died does not answer at all."""


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
    """The configuration for what there is, and notices; ValueError with a remedy where it cannot be done."""
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
    free = machines.cpus - _cores_to_learn(config)
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


def _cores_to_learn(config: RllibConfig) -> int:
    """Ray keeps them for processes that learn without a GPU."""
    return 0 if config.num_gpus_per_learner else config.num_learners


def ppo_config(config: RllibConfig, timesteps: int = 0) -> PPOConfig:
    """``timesteps``: decisions that were made before, by which the schedule of tasks goes."""
    register_env(ENV_NAME, make_env)
    return (
        PPOConfig()
        .environment(ENV_NAME, env_config=env_context(config, timesteps))
        .env_runners(
            num_env_runners=config.num_env_runners,
            num_envs_per_env_runner=config.num_envs_per_env_runner,
            num_cpus_per_env_runner=config.num_cpus_per_env_runner,
            num_gpus_per_env_runner=config.num_gpus_per_env_runner,
            rollout_fragment_length=config.rollout_fragment_length or "auto",
            batch_mode=config.batch_mode,
            gym_env_vectorize_mode="vector_entry_point",
        )
        .learners(
            num_learners=config.learners, num_gpus_per_learner=config.num_gpus_per_learner or min(1, config.num_gpus)
        )
        .training(
            lr=config.lr,
            gamma=config.gamma,
            grad_clip=config.grad_clip,
            train_batch_size_per_learner=config.train_batch_size_per_learner,
            minibatch_size=config.minibatch_size,
            num_epochs=config.num_epochs,
            lambda_=config.lambda_,
            clip_param=config.clip_param,
            entropy_coeff=config.entropy_coeff,
            kl_coeff=config.kl_coeff,
            kl_target=config.kl_target,
            vf_loss_coeff=config.vf_loss_coeff,
            vf_clip_param=config.vf_clip_param,
            learner_class=BalatroLearner,
        )
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
    return RLModuleSpec(module_class=BalatroNet, model_config=asdict(config.model))


def env_context(config: RllibConfig, timesteps: int) -> dict[str, Any]:
    """What each process makes its games of."""
    schedule = dict(config.env_config.schedule)
    return {**run_options(config.env_config), "difficulty_schedule": schedule, TIMESTEPS: timesteps}
