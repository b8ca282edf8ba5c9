"""Settings of a training with RLlib: one list for files, code and documentation. Nothing here needs Ray."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from jimbo.data.samples import MAX_CANDIDATES
from jimbo.declared import Declared, declared, from_dict, short_repr
from jimbo.engine import DEFAULT_REWARDS, LAST_ANTE, reward_terms
from jimbo.engine.decisions import MOST_OPTIONS
from jimbo.models.checkpoint import SIZES
from jimbo.text import counted
from jimbo.yaml_files import read_yaml

DEFAULT = "default_ppo"
_SHORT_NAMES = {"default": DEFAULT, "experimental": "experimental_ppo"}
DIFFICULTIES = {"easy": 2, "medium": 4, "hard": LAST_ANTE}
"""Games are cut off (truncated, not lost) once the ante lies beyond this one."""

# --- Settings ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConfig(Declared):
    """BalatroNet."""

    size: str = declared("tiny", "of the entity network: tiny, small or base", nonempty=True)
    lstm: bool = declared(False, "whether it remembers earlier decisions of a run; such a network is not exported")
    max_seq_len: int = declared(20, "decisions through which it learns to remember", min=1, max=1000)
    graph_embedding_dim: int = declared(
        0, "numbers of the knowledge graph for each joker, 128 as the package has them; 0: none", min=0, max=4096
    )

    def __post_init__(self) -> None:
        Declared.__post_init__(self)
        if self.size not in SIZES:
            raise ValueError(f"size must be one of {', '.join(SIZES)}, not {self.size}")

    @property
    def exports(self) -> bool:
        """Whether it plays without Ray, as the other networks do."""
        return not self.lstm


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvConfig(Declared):
    """The games."""

    deck: str | None = declared(None, "key or name of the deck; default: Red Deck", nonempty=True)
    stake: str = declared("white", "key or name of the stake", nonempty=True)
    env: Literal["run", "campaign"] = declared("run", "run: every action; campaign: the engine plays hands")
    candidates: int = declared(MAX_CANDIDATES, "run: maximum number of candidate actions", min=2, max=128)
    hands: int = declared(1, "campaign: rollouts of the blind solver for each hand; 1: the quick player", min=1)
    max_options: int = declared(MOST_OPTIONS, "campaign: maximum number of options", min=2, max=1024)
    max_ante: int = declared(LAST_ANTE, "games are truncated beyond this ante", min=1, max=LAST_ANTE)
    max_steps: int = declared(1000, "decisions after which a game is truncated", min=1)
    rewards: Mapping[str, float] = declared(
        default_factory=lambda: dict(DEFAULT_REWARDS),
        help="weight of each reward term",
        keys=tuple(reward_terms()),
    )
    difficulty_schedule: Any = field(default_factory=dict)
    """Difficulties by timestep, such as ``{0: easy, 500000: hard}``."""

    def __post_init__(self) -> None:
        Declared.__post_init__(self)
        if not any(self.rewards.values()):
            raise ValueError("rewards pay nothing: give at least one term a weight other than 0")
        object.__setattr__(self, "difficulty_schedule", read_schedule(self.difficulty_schedule))


@dataclass(frozen=True, slots=True, kw_only=True)
class RllibConfig(Declared):
    """Everything that decides the result of a training. Names are those of RLlib's new API stack."""

    algorithm: Literal["PPO"] = "PPO"
    env: Literal["BalatroEnv"] = "BalatroEnv"
    framework: Literal["torch"] = "torch"
    lr: float = declared(5e-5, "learning rate", min=0.0, max=10.0)
    train_batch_size_per_learner: int = declared(4000, "decisions per update", min=1)
    minibatch_size: int = declared(128, "decisions per optimizer step", min=1)
    num_epochs: int = declared(30, "passes over the decisions of an update (epochs)", min=1, max=1000)
    clip_param: float = declared(0.2, "PPO clip range", min=0.0, max=10.0)
    entropy_coeff: float = declared(0.01, "entropy coefficient", min=0.0, max=10.0)
    gamma: float = declared(0.99, "discount factor", min=0.0, max=1.0)
    lambda_: float = declared(0.95, "GAE lambda", min=0.0, max=1.0)
    kl_coeff: float = declared(0.2, "initial KL coefficient", min=0.0, max=1000.0)
    kl_target: float = declared(0.02, "target KL divergence of an update", min=0.0, max=10.0)
    vf_loss_coeff: float = declared(1.0, "weight of the value loss relative to the policy loss", min=0.0, max=100.0)
    vf_clip_param: float = declared(10.0, "value error limit (clip)", min=0.0)
    grad_clip: float = declared(0.5, "gradient norm limit", min=0.0)
    num_env_runners: int = declared(2, "processes that play; 0: the learner itself", min=0, max=10_000)
    num_envs_per_env_runner: int = declared(32, "parallel games in each", min=1, max=4096)
    num_cpus_per_env_runner: float = declared(1.0, "CPU cores that Ray reserves for each", min=0.0, max=1024.0)
    num_gpus_per_env_runner: float = declared(0.0, "GPUs that Ray reserves for each", min=0.0, max=64.0)
    rollout_fragment_length: int | None = declared(
        None, "decisions that a game sends at once; default: as many as a batch needs", min=1
    )
    batch_mode: Literal["truncate_episodes", "complete_episodes"] = "truncate_episodes"
    num_gpus: int = declared(0, "GPUs for training, one learner each; at most as many as there are", min=0, max=1024)
    num_learners: int = declared(0, "learner processes; 0: the driver itself", min=0, max=1024)
    num_gpus_per_learner: float = declared(0.0, "GPUs per learner; the cluster must have them", min=0.0, max=64.0)
    evaluation_interval: int = declared(10, "iterations between two evaluations on fixed seeds", min=1)
    evaluation_duration: int = declared(100, "games per evaluation", min=1, max=1000)
    seed: int = declared(7, "random seed for weights and games", min=0)
    model: ModelConfig = field(default_factory=ModelConfig)
    env_config: EnvConfig = field(default_factory=EnvConfig)

    @property
    def exports(self) -> bool:
        """Whether its network plays without Ray."""
        return self.model.exports and self.env_config.env == "run"

    def __post_init__(self) -> None:
        Declared.__post_init__(self)
        if self.env_config.env == "campaign" and self.model.lstm:
            raise ValueError("model.lstm is for env_config.env: run; the network of a campaign sees the run as it is")
        if self.minibatch_size > self.train_batch_size_per_learner:
            raise ValueError(
                f"minibatch_size is {self.minibatch_size:,}, but an update has only "
                f"{self.train_batch_size_per_learner:,} decisions: lower it, or raise train_batch_size_per_learner"
            )
        self._check_fragments()
        if self.num_gpus and (self.num_learners or self.num_gpus_per_learner):
            raise ValueError(
                "num_gpus says how many learners there are: leave it out, or num_learners and num_gpus_per_learner"
            )

    @property
    def learners(self) -> int:
        """Learner processes; 0: the driver itself learns."""
        return self.num_learners or (self.num_gpus if self.num_gpus > 1 else 0)

    def _check_fragments(self) -> None:
        """RLlib wants a batch to be a whole number of fragments from all games, or up to 10 % more."""
        if self.rollout_fragment_length is None:
            return
        games = max(1, self.num_env_runners) * self.num_envs_per_env_runner
        at_once = self.rollout_fragment_length * games
        wanted = self.train_batch_size_per_learner * max(1, self.learners)
        times, better = math.ceil(wanted / at_once), math.ceil(wanted / games)
        if times * at_once > 1.1 * wanted:
            made = ", ".join(f"{at_once * number:,}" for number in range(max(1, times - 2), times + 1))
            remedy = f", or set it to {better}" if better * games <= 1.1 * wanted else ""
            raise ValueError(
                f"rollout_fragment_length {self.rollout_fragment_length} x {counted(games, 'game')} "
                f"({counted(self.num_env_runners, 'env runner')} x {self.num_envs_per_env_runner}) makes batches of "
                f"{made}, and RLlib wants {wanted:,} (train_batch_size_per_learner), or up to 10 % more: leave "
                f"rollout_fragment_length out{remedy}"
            )

    def to_data(self) -> dict[str, Any]:
        return asdict(self)


# --- Difficulties -----------------------------------------------------------------------------------------------------


def read_schedule(data: Any) -> dict[int, str]:
    """Read ``{0: easy, 500000: medium}``, in order; ValueError says what does not fit."""
    if not isinstance(data, Mapping):
        raise ValueError(
            f"difficulty_schedule must be named values such as {{0: easy, 500000: hard}}, not {short_repr(data)}"
        )
    found = sorted(((_timestep(start), name) for start, name in data.items()), key=lambda entry: entry[0])
    for _, name in found:
        if not isinstance(name, str) or name not in DIFFICULTIES:
            raise ValueError(f"difficulty_schedule must name {', '.join(DIFFICULTIES)}, not {short_repr(name)}")
    if found and found[0][0] != 0:
        raise ValueError("difficulty_schedule must say what is played first: give it an entry 0")
    return dict(found)


def _timestep(value: Any) -> int:
    if isinstance(value, str) and value.isdigit():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"difficulty_schedule must have numbers of timesteps as names, not {short_repr(value)}")
    return value


def max_ante_at(schedule: Mapping[int, str], timestep: int) -> int:
    """Return the ante after which games are cut off after this many decisions of a training."""
    names = [name for start, name in schedule.items() if start <= timestep]
    return DIFFICULTIES[names[-1]] if names else LAST_ANTE


# --- Files ------------------------------------------------------------------------------------------------------------


def config_names() -> list[str]:
    """Return the names of the files that come with the package."""
    return sorted(entry.name.removesuffix(".yaml") for entry in _packaged().iterdir() if entry.name.endswith(".yaml"))


def load_config(given: str = DEFAULT) -> tuple[RllibConfig, list[str]]:
    """Read a configuration by the name or path of its file, with notices for its reader; ValueError with a sentence."""
    path = config_path(given)
    return read_config(read_yaml(path), f"config {path}")


def config_path(given: str) -> Path:
    """Return a file of that path; otherwise one of the package, with or without ``configs/`` and ``.yaml``."""
    if Path(given).is_file():
        return Path(given)
    name = given.removeprefix("configs/").removesuffix(".yaml")
    name = _SHORT_NAMES.get(name, name)
    if name in config_names():
        return Path(str(_packaged().joinpath(f"{name}.yaml")))
    raise ValueError(f"There is no config {given}. Name a file, or one of {', '.join(config_names())}.")


def _packaged() -> Any:
    return files("jimbo.train.rllib").joinpath("configs")


def read_config(data: Any, where: str = "") -> tuple[RllibConfig, list[str]]:
    """Make a configuration from the named values of a file, with a notice for each old name."""
    before = f"{where}: " if where else ""
    values, notices = _translated(data if data is not None else {}, before)
    return from_dict(RllibConfig, values, where), notices


# --- Names that RLlib and this project once used ----------------------------------------------------------------------

_OLD_NAMES = {
    "num_workers": "num_env_runners",
    "num_rollout_workers": "num_env_runners",
    "num_envs_per_worker": "num_envs_per_env_runner",
    "num_cpus_per_worker": "num_cpus_per_env_runner",
    "num_gpus_per_worker": "num_gpus_per_env_runner",
    "train_batch_size": "train_batch_size_per_learner",
    "sgd_minibatch_size": "minibatch_size",
    "num_sgd_iter": "num_epochs",
    "lambda": "lambda_",
}
_OLD_MODEL_NAMES = {"memgraph_embedding_dim": "graph_embedding_dim", "use_lstm": "lstm"}
_NETWORK = "BalatroNet"


def _translated(data: Any, before: str) -> tuple[dict[str, Any], list[str]]:
    """Return the values by their present names, and a notice for each old one; ValueError for a name given twice."""
    if not isinstance(data, Mapping):
        raise ValueError(f"{before}expected named values such as lr: 0.0001, not {short_repr(data)}")
    notices: list[str] = []
    found = _renamed(data, _OLD_NAMES, before, notices)
    if isinstance(model := found.get("model"), Mapping):
        found["model"] = _renamed(_flat_model(model, before), _OLD_MODEL_NAMES, f"{before}model.", notices)
    return found, notices


def _flat_model(model: Mapping[Any, Any], before: str) -> dict[str, Any]:
    """Return the values of a model without the level of ``custom_model_config``."""
    values = dict(model)
    network = values.pop("custom_model", _NETWORK)
    if network != _NETWORK:
        raise ValueError(f"{before}model.custom_model must be {_NETWORK}, not {short_repr(network)}")
    inner = values.pop("custom_model_config", {})
    if not isinstance(inner, Mapping):
        raise ValueError(f"{before}model.custom_model_config must be named values, not {short_repr(inner)}")
    if twice := [name for name in inner if name in values]:
        raise ValueError(f"{before}model.{twice[0]} is given twice")
    return {**values, **inner}


def _renamed(data: Mapping[Any, Any], names: Mapping[str, str], before: str, notices: list[str]) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for name, value in data.items():
        new = names.get(name, name) if isinstance(name, str) else name
        if new in found or (new != name and new in data):
            raise ValueError(f"{before}{new} is given twice, once by an old name: leave one of them out")
        if new != name:
            notices.append(f"{before}{name} is the old name of {new}.")
        found[new] = value
    return found
