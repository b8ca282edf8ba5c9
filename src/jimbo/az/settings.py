"""Settings of actors, trainer, evaluator and loop. A field here is a flag, a variable and a key of a file at once.

``--batch-size 128`` on the command line counts more than ``JIMBO_AZ_BATCH_SIZE=128`` in the environment, that more than
``batch_size: 128`` in the YAML file of ``--config``, and that more than the default. A file may name fields of all four
commands: each takes its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from jimbo.declared import Declared, check_values, declared, fields_of, from_dict, from_text
from jimbo.engine.az import SearchSettings
from jimbo.yaml_files import read_yaml

VARIABLE = "JIMBO_AZ_"
LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR"]
DeviceName = Literal["auto", "cpu", "cuda", "mps"]


@dataclass(frozen=True, kw_only=True)
class Place(Declared):
    """What all of them share: which game, and where things lie."""

    env_id: str = declared("tictactoe", "game: tictactoe, connect4 or balatro", nonempty=True)
    db: str = declared("data/replay.db", "replay store: a file of SQLite, or postgresql://...", nonempty=True)
    model_dir: str = declared("data/models", "folder of the models", nonempty=True)
    seed: int = declared(7, "random seed for weights, games and batch order", min=0)
    log_level: LogLevel = declared("INFO", "log level")


@dataclass(frozen=True, kw_only=True)
class TrainerConfig(Place):
    stats: str = declared("data/stats.json", "file for statistics of the training", nonempty=True)
    steps: int = declared(1000, "optimizer steps in total, counted from start_step", min=0)
    batch_size: int = declared(64, "positions per batch", min=1, max=1_000_000)
    lr: float = declared(0.001, "learning rate", min=0.0)
    weight_decay: float = declared(0.0001, "weight decay", min=0.0)
    grad_clip: float = declared(1.0, "gradient norm limit; 0: none", min=0.0)
    checkpoint_interval: int = declared(100, "steps between two checkpoints", min=1)
    device: DeviceName = declared("auto", "auto takes cuda, then mps, then cpu")
    lr_schedule: bool = declared(True, "cosine learning rate schedule")
    lr_min_ratio: float = declared(0.1, "final learning rate as a share of lr", min=0.0, max=1.0)
    lr_warmup_steps: int = declared(100, "warm-up steps of the learning rate; none when a training is resumed", min=0)
    lr_warmup_start_ratio: float = declared(
        0.1, "learning rate at the start of the warm-up as a share of lr", min=0.0, max=1.0
    )
    lr_total_steps: int = declared(0, "steps over which lr falls, across several trainings; 0: over this one", min=0)
    wait_interval: float = declared(2.0, "seconds between two checks for data", min=0.01, max=86_400.0)
    max_wait: float = declared(300.0, "seconds to wait for data; 0: no limit", min=0.0)
    max_empty_batches: int = declared(500, "missing batches in a row before training fails", min=1)
    stats_interval: int = declared(10, "steps between two updates of the statistics file", min=1)
    log_interval: int = declared(10, "steps between two log lines", min=1)
    max_checkpoints: int = declared(10, "checkpoints kept; 0: all", min=0)
    clear_replay: bool = declared(False, "empty the replay store first")
    replay_window: int = declared(0, "train on the newest N rows only; 0: all", min=0)
    replay_cleanup_interval: int = declared(0, "steps between two removals of rows outside the window; 0: never", min=0)
    start_step: int = declared(0, "step to count from", min=0)
    eval_interval: int = declared(100, "steps between two evaluations against random play; 0: none", min=0)
    eval_games: int = declared(50, "games per evaluation", min=0, max=100_000)
    metrics_port: int = declared(9090, "port for Prometheus metrics on this machine; 0: none", min=0, max=65_535)
    tensorboard: bool = declared(False, "also write TensorBoard files, next to stats")
    network: Literal["auto", "mlp", "resnet"] = declared("auto", "network architecture; auto: the one for the game")
    width: int = declared(0, "units or channels per layer; 0: the default of the game", min=0, max=4096)
    blocks: int = declared(0, "residual blocks; 0: the default of the game", min=0, max=64)
    symmetries: bool = declared(True, "augment positions with the symmetries of the game")
    value_mix: float = declared(0.0, "share of the search value in the value target", min=0.0, max=1.0)
    policy_weight: float = declared(1.0, "weight of the policy loss", min=0.0)
    value_weight: float = declared(1.0, "weight of the value loss", min=0.0)
    average: float = declared(0.0, "exponential moving average of the weights (decay); 0: none", min=0.0, max=0.9999)
    train_threads: int = declared(0, "threads of PyTorch; 0: one on a small machine", min=0, max=1024)


@dataclass(frozen=True, kw_only=True)
class ActorConfig(Place, SearchSettings):
    parallel_games: int = declared(64, "parallel games per actor", min=1, max=65_536)
    episodes: int = declared(0, "games after which the actor ends; 0: no limit", min=0)
    commit_episodes: int = declared(16, "finished games per commit to the store", min=1, max=1_000_000)
    commit_interval: float = declared(2.0, "maximum seconds between two commits", min=0.0)
    playouts: bool = declared(True, "value positions by random playouts while there is no model")
    reload_interval: float = declared(1.0, "seconds between two checks for a new model", min=0.01)
    threads: int = declared(1, "threads of the network per actor", min=1, max=1024)


@dataclass(frozen=True, kw_only=True)
class EvaluatorConfig(Place):
    model: str = declared("data/models/latest.onnx", "model to evaluate", nonempty=True)
    games: int = declared(100, "games; each side moves first in half of them", min=1, max=100_000)
    eval_temperature: float = declared(0.0, "sampling temperature of the moves; 0: always the best one", min=0.0)
    verbose: bool = declared(False, "print every move")
    opponent: str = declared(
        "random",
        "random, perfect, alphabeta or a model's file; balatro: random, greedy, expert, default or a file",
        nonempty=True,
    )
    opening: int = declared(0, "random opening moves, the same for both sides", min=0, max=1000)
    depth: int = declared(8, "search depth of alphabeta in plies", min=1, max=42)
    eval_simulations: int = declared(0, "simulations per move; 0: the network alone", min=0, max=1_000_000)
    optimal_positions: int = declared(0, "positions for measuring the share of optimal moves; 0: none", min=0)


T = TypeVar("T", bound=Declared)


def part_of(kind: type[T], config: T) -> T:
    """What one of its base classes says of a configuration."""
    return kind(**{entry.name: getattr(config, entry.name) for entry in fields_of(kind)})


def read_settings(kind: type[T], given: Mapping[str, Any], environ: Mapping[str, str], path: Path | None = None) -> T:
    """What was typed, over what the environment says, over what the file says; ValueError says what does not fit."""
    told = of_file(kind, path) if path else {}
    return from_dict(kind, {**told, **of_environment(kind, environ), **given})


def of_environment(kind: type[Declared], environ: Mapping[str, str]) -> dict[str, Any]:
    found = {}
    for entry in fields_of(kind):
        name = VARIABLE + entry.name.upper()
        if name in environ:
            found[entry.name] = from_text(kind, entry.name, environ[name])
    return found


def of_file(kind: type[Declared], path: Path) -> dict[str, Any]:
    data = read_yaml(path)
    if not isinstance(data, Mapping):
        raise ValueError(f"config {path} must have named values, such as 'batch_size: 128'")
    if unknown := [name for name in data if name not in all_fields()]:
        raise ValueError(f"config {path}: {unknown[0]} unknown")
    check_values(kind, data, f"config {path}")
    own = {entry.name for entry in fields_of(kind)}
    return {name: value for name, value in data.items() if name in own}


def all_fields() -> set[str]:
    from jimbo.az.loop_settings import LoopConfig

    return {
        entry.name for kind in (TrainerConfig, ActorConfig, EvaluatorConfig, LoopConfig) for entry in fields_of(kind)
    }
