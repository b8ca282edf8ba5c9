"""Settings of a trainer: their names and defaults, the reference ones and tuned ones.

Values are checked when a config is made and again when a trainer takes it, because they may be set in between:

>>> config = get_default_config("PPO")
>>> config.total_timesteps = 500_000
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, Self

from jimbo.declared import Declared, declared, from_dict
from jimbo.files import read_json, reading, write_text

Extractor = Literal["balatro", "flat"]

COMMON: Mapping[str, Mapping[str, Any]] = {
    "PPO": {"learning_rate": 3e-4, "gamma": 0.99, "gae_lambda": 0.95, "entropy_coefficient": 0.01},
    "A2C": {"learning_rate": 7e-4, "gamma": 0.99, "gae_lambda": 1.0, "entropy_coefficient": 0.01},
    "DQN": {"learning_rate": 1e-4, "gamma": 0.99},
}
"""Defaults in which the algorithms differ."""
SPECIFIC: Mapping[str, Mapping[str, Any]] = {
    "PPO": {"n_steps": 2048, "batch_size": 64, "n_epochs": 10, "clip_range": 0.2},
    "A2C": {"n_steps": 5},
    "DQN": {"buffer_size": 100_000, "learning_starts": 10_000, "batch_size": 32, "train_freq": 4},
}
"""Arguments that an algorithm has for itself."""

TUNED: Mapping[str, Mapping[str, Any]] = {
    "PPO": {"n_envs": 64, "learning_rate": 5e-4, "gamma": 0.999, "n_steps": 64, "batch_size": 512, "n_epochs": 3},
    "A2C": {"n_envs": 64, "gamma": 0.999, "gae_lambda": 0.95, "n_steps": 8},
    "DQN": {
        "n_envs": 16,
        "learning_rate": 3e-4,
        "gamma": 0.995,
        "batch_size": 128,
        "target_update_interval": 2_000,
        "gradient_steps": 2,
    },
}
"""Values for a few cores, found by trying; ``tuned_config`` has them."""


class JsonConfig(Declared):
    """Settings that are kept as JSON."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)  # type: ignore[call-overload,no-any-return]

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """ValueError names what is unknown or does not fit."""
        return from_dict(cls, data)

    def save(self, path: Path | str) -> None:
        write_text(Path(path), json.dumps(self.to_dict(), indent=2) + "\n")

    @classmethod
    def load(cls, path: Path | str) -> Self:
        with reading(path):
            return cls.from_dict(read_json(Path(path)))


@dataclass(slots=True, kw_only=True)
class HyperparameterConfig(Declared):
    """How a network learns, and how large it is."""

    learning_rate: float = declared(3e-4, "learning rate", min=1e-9, max=1.0)
    gamma: float = declared(0.99, "discount factor", min=0.0, max=1.0)
    gae_lambda: float = declared(0.95, "GAE lambda", min=0.0, max=1.0)
    entropy_coefficient: float = declared(0.01, "entropy coefficient, PPO and A2C", min=0.0, max=10.0)
    value_function_coefficient: float = declared(0.5, "value loss coefficient, PPO and A2C", min=0.0, max=100.0)
    max_grad_norm: float = declared(0.5, "gradient norm limit", min=1e-6, max=1e6)
    policy_net_arch: list[int] = declared(
        default_factory=lambda: [256, 256], help="hidden layers of the policy", min=1, max=8192
    )
    value_net_arch: list[int] = declared(
        default_factory=lambda: [256, 256], help="hidden layers of the value function", min=1, max=8192
    )
    features_dim: int = declared(512, "size of the feature vector", min=1, max=8192)
    algorithm_specific: Mapping[str, Any] = declared(
        default_factory=dict, help="further arguments of the algorithm in Stable-Baselines3, such as n_steps"
    )


@dataclass(slots=True, kw_only=True)
class CommonConfig(JsonConfig):
    """Settings that trainers and experiments share."""

    algorithm: str = declared("PPO", "PPO, A2C, DQN or one that was registered", nonempty=True)
    total_timesteps: int = declared(1_000_000, "total timesteps over all environments", min=1)
    seed: int = declared(42, "random seed for games, weights and sampling", min=0, max=2**31 - 1)
    n_envs: int = declared(8, "parallel games", min=1, max=100_000)
    use_curriculum: bool = declared(False, "curriculum: short games first, longer ones with success")
    use_behavioral_cloning: bool = declared(False, "start from a behaviour clone of the player in bc_data")
    use_wandb: bool = declared(False, "log to Weights & Biases")
    wandb_project: str = declared("balatro-rl", "its project", nonempty=True)
    wandb_tags: list[str] = declared(default_factory=list, help="its tags")
    save_dir: str = declared("models", "folder of trainings", nonempty=True)


@dataclass(slots=True, kw_only=True)
class TrainerConfig(CommonConfig):
    """All settings of a training except the environment."""

    hyperparams: HyperparameterConfig | None = declared(None, "None: the defaults of the algorithm")

    use_feature_extractor: bool = declared(True, "false: a flat vector and the layers of Stable-Baselines3")
    feature_extractor_type: Extractor = declared("balatro", "balatro encodes cards, jokers and offers one by one")
    normalize_obs: bool = declared(True, "normalise observations to mean 0 and standard deviation 1")
    normalize_reward: bool = declared(True, "scale returns to standard deviation 1; evaluations show raw rewards")

    checkpoint_freq: int = declared(10_000, "steps between two checkpoints; 0: only at the end", min=0)
    eval_freq: int = declared(5_000, "steps between two evaluations; 0: none", min=0)

    # --- Additions to the framework -----------------------------------------------------------------------------------

    env: Literal["run", "campaign"] = declared(
        "run", "run: every action; campaign: the engine plays hands (jimbo/Campaign-v0)"
    )
    hands: int = declared(1, "campaign: rollouts of the blind solver for each hand; 1: the quick player", min=1)
    run_name: str | None = declared(None, "folder within save_dir; None: algorithm and time", nonempty=True)
    candidates: int = declared(24, "maximum number of candidate actions", min=2, max=512)
    network: Literal["tiny", "small", "base"] = declared("tiny", "network size: tiny, small or base")
    device: Literal["auto", "cpu", "cuda", "mps"] = declared("auto", "auto, cpu, cuda or mps")
    threads: int = declared(1, "threads that step the games", min=1, max=1024)
    torch_threads: int = declared(1, "threads of PyTorch; more help larger networks on idle cores", min=1, max=1024)
    eval_episodes: int = declared(20, "games per evaluation, always on the same seeds", min=1, max=100_000)
    curriculum_config: Mapping[str, float] = declared(
        default_factory=dict,
        help="arguments of the curriculum",
        keys=("initial_max_ante", "ante_increment", "success_threshold", "eval_interval"),
    )
    checkpoints_kept: int = declared(5, "older ones are deleted", min=1)
    bc_data: list[str] = declared(default_factory=list, help="recorded games to clone, .parquet or .jsonl")
    bc_epochs: int = declared(3, "passes over them (epochs)", min=1, max=1000)
    tensorboard: bool = declared(True, "write events for TensorBoard")
    verbose: int = declared(1, "1: show how the training goes and where its files are; 0: nothing", min=0, max=1)
    wandb_mode: Literal["online", "offline"] = declared("online", "offline keeps the log in the folder")

    def __post_init__(self) -> None:
        Declared.__post_init__(self)
        if self.hyperparams is None:
            self.hyperparams = HyperparameterConfig(**COMMON.get(self.algorithm, {}))
        if self.use_behavioral_cloning and not self.bc_data:
            raise ValueError("use_behavioral_cloning needs recorded games: name them in bc_data")

    def __setattr__(self, name: str, value: Any) -> None:
        """Set a field. Another algorithm brings its own defaults; values that were chosen stay."""
        before = getattr(self, "algorithm", None) if name == "algorithm" else None
        object.__setattr__(self, name, value)
        hyper = getattr(self, "hyperparams", None)
        if before is not None and isinstance(hyper, HyperparameterConfig) and isinstance(value, str):
            object.__setattr__(self, "hyperparams", _switched(hyper, before, value))

    @property
    def extractor(self) -> Extractor:
        return self.feature_extractor_type if self.use_feature_extractor else "flat"

    @property
    def hyper(self) -> HyperparameterConfig:
        """``hyperparams``, which are always there once the config is made."""
        assert self.hyperparams is not None
        return self.hyperparams

    def specific(self) -> dict[str, Any]:
        """Return the algorithm's own arguments: its defaults, and over them what was given."""
        return {**SPECIFIC.get(self.algorithm, {}), **self.hyper.algorithm_specific}

    def checked(self) -> TrainerConfig:
        """Return a copy whose values are checked again."""
        return replace(self, hyperparams=replace(self.hyper))


def _switched(hyper: HyperparameterConfig, before: str, after: str) -> HyperparameterConfig:
    """Return hyperparameters in which the defaults of one algorithm have become those of another."""
    plain = HyperparameterConfig()
    old, new = COMMON.get(before, {}), COMMON.get(after, {})
    common = {
        name: new.get(name, getattr(plain, name))
        for name in {**old, **new}
        if getattr(hyper, name) == old.get(name, getattr(plain, name))
    }
    left = SPECIFIC.get(before, {})
    chosen = {name: value for name, value in hyper.algorithm_specific.items() if left.get(name) != value}
    shown = SPECIFIC.get(after, {}) if hyper.algorithm_specific else {}
    return replace(hyper, **common, algorithm_specific={**shown, **chosen})


def get_default_config(algorithm: str = "PPO") -> TrainerConfig:
    """Return a config with the framework's reference defaults, all of them there to be seen and changed."""
    hyperparams = HyperparameterConfig(
        **COMMON.get(algorithm, {}), algorithm_specific=dict(SPECIFIC.get(algorithm, {}))
    )
    return TrainerConfig(algorithm=algorithm, hyperparams=hyperparams)


def tuned_config(algorithm: str = "PPO") -> TrainerConfig:
    """Return a config for real trainings on a few cores: many games at once, large batches, a smaller network."""
    data = get_default_config(algorithm).to_dict()
    data |= {"checkpoint_freq": 100_000, "eval_freq": 100_000, "eval_episodes": 100}
    tuned = {"features_dim": 128, "policy_net_arch": [128], "value_net_arch": [128], **TUNED.get(algorithm, {})}
    data["n_envs"] = tuned.pop("n_envs", data["n_envs"])
    set_hyperparameters(data["hyperparams"], tuned)
    return TrainerConfig.from_dict(data)


def campaign_config(algorithm: str = "PPO") -> TrainerConfig:
    """Return a config for ``jimbo/Campaign-v0``, where a decision takes longer to come than to learn from."""
    data = tuned_config(algorithm).to_dict()
    data |= {"env": "campaign", "normalize_obs": False, "normalize_reward": False}
    data["hyperparams"] |= {"gamma": 1.0, "features_dim": 64, "policy_net_arch": [], "value_net_arch": [64]}
    if algorithm == "PPO":
        data["n_envs"] = 128
        set_hyperparameters(data["hyperparams"], {"learning_rate": 1e-3, "batch_size": 1024})
    return TrainerConfig.from_dict(data)


def set_hyperparameters(hyper: dict[str, Any], named: Mapping[str, Any]) -> None:
    """Set values in the data of a HyperparameterConfig; a name that is no field is an argument of the algorithm."""
    for name, value in named.items():
        (hyper if name in hyper else hyper["algorithm_specific"])[name] = value
