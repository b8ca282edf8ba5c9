"""What actors, trainer, evaluator and loop are told. A field here is a flag, a variable and a key of a file at once.

``--batch-size 128`` on the command line counts more than ``JIMBO_AZ_BATCH_SIZE=128`` in the environment, that more than
``batch_size: 128`` in the YAML file of ``--config``, and that more than the default. A file may name fields of all four
commands: each takes its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from jimbo.declared import Declared, check_values, declared, fields_of, filled, from_text
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
    seed: int = declared(7, "of weights, games and order", min=0)
    log_level: LogLevel = declared("INFO", "how much is told")


@dataclass(frozen=True, kw_only=True)
class TrainerConfig(Place):
    stats: str = declared("data/stats.json", "file in which the training tells how it goes", nonempty=True)
    steps: int = declared(1000, "steps of the optimizer in all, counted from start_step", min=0)
    batch_size: int = declared(64, "positions of a step", min=1, max=1_000_000)
    lr: float = declared(0.001, "learning rate", min=0.0)
    weight_decay: float = declared(0.0001, "how strongly weights are pulled to 0", min=0.0)
    grad_clip: float = declared(1.0, "length to which gradients are cut; 0: not at all", min=0.0)
    checkpoint_interval: int = declared(100, "steps between two models", min=1)
    device: DeviceName = declared("auto", "auto takes cuda, then mps, then cpu")
    lr_schedule: bool = declared(True, "whether the learning rate falls along a cosine")
    lr_min_ratio: float = declared(0.1, "share of lr that is left at the end", min=0.0, max=1.0)
    lr_warmup_steps: int = declared(100, "steps in which lr rises; none where a training is gone on with", min=0)
    lr_warmup_start_ratio: float = declared(0.1, "share of lr with which it begins to rise", min=0.0, max=1.0)
    lr_total_steps: int = declared(0, "steps over which lr falls, over several trainings; 0: over this one", min=0)
    wait_interval: float = declared(2.0, "seconds between two looks for data", min=0.01, max=86_400.0)
    max_wait: float = declared(300.0, "seconds to wait for data; 0: for ever", min=0.0)
    max_empty_batches: int = declared(500, "times that a batch may not be there before training fails", min=1)
    stats_interval: int = declared(10, "steps between two writings of stats", min=1)
    log_interval: int = declared(10, "steps between two lines", min=1)
    max_checkpoints: int = declared(10, "models kept; 0: all", min=0)
    clear_replay: bool = declared(False, "whether the store is emptied first")
    replay_window: int = declared(0, "newest rows that are learnt from; 0: all", min=0)
    replay_cleanup_interval: int = declared(0, "steps between two removals of rows out of the window; 0: never", min=0)
    start_step: int = declared(0, "number of the step before the first", min=0)
    eval_interval: int = declared(100, "steps between two evaluations against random play; 0: none", min=0)
    eval_games: int = declared(50, "games of an evaluation", min=0, max=100_000)
    metrics_port: int = declared(9090, "port for Prometheus, on this machine; 0: none", min=0, max=65_535)
    tensorboard: bool = declared(False, "whether TensorBoard's files are written beside stats")
    network: Literal["auto", "mlp", "resnet"] = declared("auto", "kind of network; auto: what suits the game")
    width: int = declared(0, "numbers or channels of a layer; 0: what suits the game", min=0, max=4096)
    blocks: int = declared(0, "blocks of a resnet; 0: what suits the game", min=0, max=64)
    symmetries: bool = declared(True, "whether positions are also seen mirrored and turned, as the game allows")
    value_mix: float = declared(0.0, "share of the search's value in what the value should be", min=0.0, max=1.0)
    policy_weight: float = declared(1.0, "how much the policy counts in what is learnt", min=0.0)
    value_weight: float = declared(1.0, "how much the value does", min=0.0)
    average: float = declared(
        0.0, "models are the mean weights of about the last 1 / (1 - average) steps; 0: the newest", min=0.0, max=0.9999
    )
    train_threads: int = declared(0, "threads of torch; 0: one on a small machine", min=0, max=1024)


@dataclass(frozen=True, kw_only=True)
class ActorConfig(Place, SearchSettings):
    parallel_games: int = declared(64, "games side by side in one actor", min=1, max=65_536)
    episodes: int = declared(0, "games after which the actor ends; 0: it goes on", min=0)
    commit_episodes: int = declared(16, "finished games that are written together", min=1, max=65_536)
    commit_interval: float = declared(2.0, "seconds after which finished games are written anyway", min=0.0)
    playouts: bool = declared(True, "whether searches without a model value positions by random games")
    reload_interval: float = declared(1.0, "seconds between two looks for a new model", min=0.01)
    threads: int = declared(1, "of the network in one actor", min=1, max=1024)


@dataclass(frozen=True, kw_only=True)
class EvaluatorConfig(Place):
    model: str = declared("data/models/latest.onnx", "model to evaluate", nonempty=True)
    games: int = declared(100, "games, half of them from each seat", min=1, max=100_000)
    eval_temperature: float = declared(0.0, "of its choices; 0: always the best", min=0.0)
    verbose: bool = declared(False, "whether every move is told")
    opponent: str = declared(
        "random",
        "random, perfect, alphabeta or a model's file; balatro: random, greedy, expert, default or a file",
        nonempty=True,
    )
    opening: int = declared(0, "random moves with which a game begins, the same from both seats", min=0, max=1000)
    depth: int = declared(8, "plies that alphabeta looks ahead", min=1, max=42)
    eval_simulations: int = declared(0, "of the search for a move; 0: the network alone", min=0, max=1_000_000)
    optimal_positions: int = declared(0, "positions by which the share of optimal moves is measured", min=0)


T = TypeVar("T", bound=Declared)


def part_of(kind: type[T], config: T) -> T:
    """What one of its base classes says of a configuration."""
    return kind(**{entry.name: getattr(config, entry.name) for entry in fields_of(kind)})


def read_settings(kind: type[T], given: Mapping[str, Any], environ: Mapping[str, str], path: Path | None = None) -> T:
    """What was typed, over what the environment says, over what the file says; ValueError says what does not fit."""
    told = of_file(kind, path) if path else {}
    return filled(kind, {**told, **of_environment(kind, environ), **given})


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
