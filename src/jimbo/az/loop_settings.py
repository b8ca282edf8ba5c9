"""What a loop is told: all that its actors and its trainer are told, and how they take turns. A game has a preset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from jimbo.az.optimal import SOLVED, check_positions
from jimbo.az.settings import ActorConfig, TrainerConfig, of_environment, of_file, part_of
from jimbo.declared import declared, from_dict
from jimbo.engine.az import game_specs
from jimbo.yaml_files import read_yaml

DOCUMENT = "document"


@dataclass(frozen=True, kw_only=True)
class LoopConfig(TrainerConfig, ActorConfig):
    preset: str = declared(
        "auto", "preset: auto (that of the game), document (reference defaults), or a game", nonempty=True
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
        game = game_specs().get(self.env_id)
        if game is not None and game.player_count == 2:
            games = self.lead * self.episodes + self.actors * self.parallel_games
            most = int(games) * game.board_width * game.board_height
            if self.batch_size > most:
                raise ValueError(
                    f"--batch-size is {self.batch_size:,}, but an iteration has at most {most:,} moves: lower it, or "
                    "raise --episodes"
                )

    def placed(self) -> LoopConfig:
        """With a place for everything."""
        folder = Path(self.out_dir)
        return replace(
            self,
            db=self.db or str(folder / "replay.db"),
            model_dir=self.model_dir or str(folder / "models"),
            stats=self.stats or str(folder / "stats.json"),
        )

    def simulations_of(self, iteration: int) -> int:
        return min(self.sims_max, self.sims_start + self.sims_step * iteration)

    def of_actor(self, iteration: int, number: int) -> ActorConfig:
        plays = replace(part_of(ActorConfig, self), episodes=0, seed=self.seed + number)
        if iteration < self.values_first:
            # One simulation that counts for nothing: the move is the network's, and so is what is said of it.
            return replace(plays, simulations=1, search="gumbel", gumbel_value_scale=0.0)
        return replace(plays, simulations=self.simulations_of(iteration))

    def of_trainer(self, iteration: int) -> TrainerConfig:
        """The store is emptied by the loop, when an iteration is over."""
        learns = replace(
            part_of(TrainerConfig, self), start_step=iteration * self.steps, clear_replay=False, eval_interval=0
        )
        return replace(learns, policy_weight=0.0) if iteration < self.values_first else learns


def presets() -> list[str]:
    return sorted(Path(entry.name).stem for entry in _folder().iterdir() if entry.name.endswith(".yaml"))


def read_loop_settings(given: Mapping[str, Any], environ: Mapping[str, str], path: Path | None = None) -> LoopConfig:
    """As ``read_settings``; the preset lies below the file."""
    told = of_file(LoopConfig, path) if path else {}
    told = {**told, **of_environment(LoopConfig, environ), **given}
    chosen = told.get("preset", "auto")
    name = told.get("env_id", "tictactoe") if chosen == "auto" else chosen
    return from_dict(LoopConfig, {**_preset(str(name), required=chosen != "auto"), **told}).placed()


def _preset(name: str, *, required: bool) -> dict[str, Any]:
    if name in presets():
        return dict(read_yaml(Path(str(_folder().joinpath(f"{name}.yaml")))))
    if required and name != DOCUMENT:
        raise ValueError(f'there is no preset "{name}": choose from {", ".join(["auto", DOCUMENT, *presets()])}')
    return {}


def _folder() -> Any:
    return files("jimbo.az").joinpath("presets")
