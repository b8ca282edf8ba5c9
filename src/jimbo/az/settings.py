"""Settings of actors, trainer, evaluator and loop. A field here is a flag, a variable and a key of a file at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, TypeVar

from jimbo.declared import Declared, check_values, declared, fields_of
from jimbo.engine.az import SearchSettings, game_specs
from jimbo.train.core import settings as core
from jimbo.train.core.machine import DeviceName
from jimbo.yaml_files import read_yaml

VARIABLE = "JIMBO_AZ_"
BALATRO, VALUE = "balatro", "value"
SOLVED = {"tictactoe": (0, 8), "connect4": (14, 34)}
"""Games that are solved here, and the moves after which their positions are drawn: none that takes the solver long."""
_MOST_POSITIONS = {"tictactoe": 3000, "connect4": 10_000}
"""Positions that can be asked for. TicTacToe has 3,191 in which the choice matters; Connect4 takes 14 ms for each."""
_REFERENCE = ("reference", "document")
"""Names of the preset that is nothing but the defaults; the second is older."""
LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR"]
T = TypeVar("T", bound=Declared)


@dataclass(frozen=True, kw_only=True)
class AzSettings(Declared):
    """Settings that all commands share: the game, and where things lie."""

    env_id: str = declared("tictactoe", "game: tictactoe, connect4 or balatro", nonempty=True)
    db: str = declared("data/replay.db", "replay store: a file of SQLite, or postgresql://...", nonempty=True)
    model_dir: str = declared("data/models", "folder of the models", nonempty=True)
    seed: int = declared(7, "random seed for weights, games and batch order", min=0)
    log_level: LogLevel = declared("INFO", "log level")


@dataclass(frozen=True, kw_only=True)
class TrainConfig(AzSettings):
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
class ActorConfig(AzSettings, SearchSettings):
    parallel_games: int = declared(64, "parallel games per actor", min=1, max=65_536)
    episodes: int = declared(0, "games after which the actor ends; 0: no limit", min=0)
    commit_episodes: int = declared(16, "finished games per commit to the store", min=1, max=1_000_000)
    commit_interval: float = declared(2.0, "maximum seconds between two commits", min=0.0)
    playouts: bool = declared(True, "value positions by random playouts while there is no model")
    reload_interval: float = declared(1.0, "seconds between two checks for a new model", min=0.01)
    threads: int = declared(1, "threads of the network per actor", min=1, max=1024)
    evaluator: Literal["network", "value"] = declared(
        "network", "what guides the search: the newest network, or the learnt value of the package (balatro)"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.evaluator == VALUE:
            check_has_value(self.env_id, "choose --evaluator network")


@dataclass(frozen=True, kw_only=True)
class EvaluatorConfig(AzSettings):
    model: str = declared(
        "data/models/latest.onnx",
        "model to evaluate: a file; balatro: also value, a value's file, or default (the package's network)",
        nonempty=True,
    )
    games: int = declared(100, "games; each side moves first in half of them", min=1, max=100_000)
    eval_temperature: float = declared(0.0, "sampling temperature of the moves; 0: always the best one", min=0.0)
    verbose: bool = declared(False, "print every move")
    opponent: str = declared(
        "random",
        "random, perfect, alphabeta or a model's file; balatro: random, greedy, expert, default, value or a file",
        nonempty=True,
    )
    opening: int = declared(0, "random opening moves, the same for both sides", min=0, max=1000)
    depth: int = declared(8, "search depth of alphabeta in plies", min=1, max=42)
    eval_simulations: int = declared(0, "simulations per move; 0: the model alone", min=0, max=1_000_000)
    optimal_positions: int = declared(0, "positions for measuring the share of optimal moves; 0: none", min=0)


@dataclass(frozen=True, kw_only=True)
class LoopConfig(TrainConfig, ActorConfig):
    preset: str = declared(
        "auto", "preset: auto (that of the game), reference (plain defaults), or a game", nonempty=True
    )
    out_dir: str = declared(
        "data", "folder for store, models and statistics, unless their own options are given", nonempty=True
    )
    db: str = declared("", "replay store: a file of SQLite, or postgresql://...; default: in out_dir")
    model_dir: str = declared("", "folder of the models; default: in out_dir")
    stats: str = declared("", "file for statistics of the loop; default: in out_dir")
    iterations: int = declared(100, "total iterations", min=1)
    episodes: int = declared(500, "self-play games per iteration", min=1)
    steps: int = declared(1000, "optimizer steps per iteration", min=1)
    lead: float = declared(
        4.0, "actors pause after this many times the games of an iteration, until its training is over", min=1.0
    )
    actors: int = declared(1, "actor processes", min=1, max=1024)
    clear_replay: bool = declared(True, "train each iteration on its own games only")
    sims_start: int = declared(50, "simulations per move in the first iteration", min=1, max=1_000_000)
    sims_step: int = declared(20, "additional simulations per iteration", min=0, max=1_000_000)
    sims_max: int = declared(400, "maximum number of simulations per move", min=1, max=1_000_000)
    values_first: int = declared(0, "initial iterations that train the value alone, on games without search", min=0)
    gate: Literal["best", "solver"] = declared(
        "best", "what a new model must beat: the best model, or the best solver score"
    )
    gate_games: int = declared(50, "games against the best model, and against random play", min=2, max=100_000)
    gate_threshold: float = declared(0.55, "score against the best model that makes a new best", min=0.0, max=1.0)
    gate_margin: float = declared(0.01, "required gain in the share of optimal moves (solver gate)", min=0.0, max=1.0)
    gate_opening: int = declared(4, "random opening moves in games against the best model", min=0, max=1000)
    eval_simulations: int = declared(
        50, "simulations per move in these games; 0: the network alone", min=0, max=1_000_000
    )
    optimal_positions: int = declared(500, "positions for measuring the share of optimal moves; 0: none", min=0)
    max_minutes: float = declared(0.0, "start no new iteration after this many minutes; 0: no limit", min=0.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.gate == "solver" and (self.env_id not in SOLVED or not self.optimal_positions):
            raise ValueError(
                f"--gate solver needs a game with a solver ({', '.join(SOLVED)}) and --optimal-positions above 0: "
                "choose --gate best"
            )
        check_positions(self.env_id, self.optimal_positions)
        self._check_batch_size()
        for name, file in (("db", "replay.db"), ("model_dir", "models"), ("stats", "stats.json")):
            object.__setattr__(self, name, getattr(self, name) or str(Path(self.out_dir) / file))

    def _check_batch_size(self) -> None:
        game = game_specs().get(self.env_id)
        if game is None or game.player_count != 2:
            return
        games = self.lead * self.episodes + self.actors * self.parallel_games
        most = int(games) * game.board_width * game.board_height
        if self.batch_size > most:
            raise ValueError(
                f"--batch-size is {self.batch_size:,}, but an iteration has at most {most:,} moves: lower it, or "
                "raise --games"
            )

    @classmethod
    def defaults_for(cls, told: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the values of the preset."""
        chosen = told.get("preset", "auto")
        name = str(told.get("env_id", "tictactoe") if chosen == "auto" else chosen)
        if name in presets():
            return dict(read_yaml(Path(str(_preset_folder().joinpath(f"{name}.yaml")))))
        if chosen != "auto" and name not in _REFERENCE:
            names = ", ".join(["auto", _REFERENCE[0], *presets()])
            raise ValueError(f'there is no preset "{name}": choose from {names}')
        return {}

    def simulations_of(self, iteration: int) -> int:
        return min(self.sims_max, self.sims_start + self.sims_step * iteration)

    def of_actor(self, iteration: int, number: int) -> ActorConfig:
        plays = replace(part_of(ActorConfig, self), episodes=0, seed=self.seed + number)
        if iteration < self.values_first:
            # One simulation that counts for nothing: the move is the network's, and so is what is said of it.
            return replace(plays, simulations=1, search="gumbel", gumbel_value_scale=0.0)
        return replace(plays, simulations=self.simulations_of(iteration))

    def of_trainer(self, iteration: int) -> TrainConfig:
        """The store is emptied by the loop, when an iteration is over."""
        learns = replace(
            part_of(TrainConfig, self), start_step=iteration * self.steps, clear_replay=False, eval_interval=0
        )
        return replace(learns, policy_weight=0.0) if iteration < self.values_first else learns


def check_has_value(env_id: str, advice: str) -> None:
    """ValueError for a game without a learnt value."""
    if env_id != BALATRO:
        raise ValueError(f"{env_id} has no learnt value, only {BALATRO} has one: {advice}")


def check_positions(env_id: str, count: int) -> None:
    """ValueError for more positions than there are, or than can be solved in a few minutes."""
    most = _MOST_POSITIONS.get(env_id, count)
    if count > most:
        raise ValueError(f"--optimal-positions can be at most {most:,} in {env_id}, not {count:,}")


def presets() -> list[str]:
    return sorted(Path(entry.name).stem for entry in _preset_folder().iterdir() if entry.name.endswith(".yaml"))


def _preset_folder() -> Any:
    return files("jimbo.az").joinpath("presets")


def part_of(kind: type[T], config: T) -> T:
    """Return the part of a configuration that one of its base classes declares."""
    return kind(**{entry.name: getattr(config, entry.name) for entry in fields_of(kind)})


def read_settings(kind: type[T], given: Mapping[str, Any], environ: Mapping[str, str], path: Path | None = None) -> T:
    """Return what was typed, over the environment, over the file, over the preset; ValueError says what does not fit.

    The file may hold settings of all commands.
    """
    file = _read_file(kind, path) if path else {}
    return core.read_settings(kind, {**file, **core.from_environment(kind, environ, VARIABLE), **given})


def _read_file(kind: type[Declared], path: Path) -> dict[str, Any]:
    data = read_yaml(path)
    if not isinstance(data, Mapping):
        raise ValueError(f"config {path} must have named values, such as 'batch_size: 128'")
    known = {entry.name for each in (EvaluatorConfig, LoopConfig) for entry in fields_of(each)}
    if unknown := [name for name in data if name not in known]:
        raise ValueError(f"config {path}: {unknown[0]} unknown")
    found = {entry.name: data[entry.name] for entry in fields_of(kind) if entry.name in data}
    check_values(kind, found, f"config {path}")
    return found
