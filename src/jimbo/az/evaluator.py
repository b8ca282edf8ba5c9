"""The evaluator: a model against random play, another model, or a solver. ``python -m jimbo.az.evaluator``."""

from __future__ import annotations

import logging
import runpy
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jimbo.az.databases import database_of
from jimbo.az.games import BALATRO, game_of, known_game
from jimbo.az.match import Match, Told, play_match
from jimbo.az.model_file import OnnxModel
from jimbo.az.optimal import SOLVED, check_positions, judged_positions, optimal_share
from jimbo.az.players import AlphaBetaPlayer, ModelPlayer, PerfectPlayer, Player, RandomPlayer, opponent_file
from jimbo.az.replay import Replay
from jimbo.az.report import as_data, block
from jimbo.az.runs import EvaluatedRuns, evaluate_runs
from jimbo.az.schema import GameMetadata
from jimbo.az.settings import EvaluatorConfig

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Evaluated:
    model: str
    opponent: str
    match: Match
    optimal: float | None

    def text(self) -> str:
        more = f"\nOptimal first choices, network alone: {100 * self.optimal:.1f}%" if self.optimal is not None else ""
        return block(self.match, self.model, self.opponent) + more

    def data(self) -> dict[str, Any]:
        return {**as_data(self.match, self.model, self.opponent), "optimal_moves": self.optimal}


def evaluate(config: EvaluatorConfig, told: Told | None = None) -> Evaluated | EvaluatedRuns:
    """BadModel for a model that is missing or cannot be used, ValueError for other bad input."""
    check_positions(config.env_id, config.optimal_positions)
    game = _game(config)
    if game.env_id == BALATRO:
        return evaluate_runs(config, told)
    model = OnnxModel(Path(config.model), game)
    name = f"ONNX({Path(config.model).name})"
    player = _model_player(name, model, config)
    other = _opponent(config, game)
    match = play_match(config.env_id, player, other, config.games, opening=config.opening, seed=config.seed, told=told)
    return Evaluated(name, other.name, match, _optimal(config, model))


def _game(config: EvaluatorConfig) -> GameMetadata:
    """As the store describes it, if there is one."""
    known = known_game(config.env_id)
    try:
        with Replay(database_of(config.db, create=False), create=False) as replay:
            return game_of(config.env_id, replay)
    except FileNotFoundError:
        return known


def _model_player(name: str, model: OnnxModel, config: EvaluatorConfig) -> ModelPlayer:
    return ModelPlayer(
        name,
        model.evaluate,
        seed=config.seed,
        temperature=config.eval_temperature,
        simulations=config.eval_simulations,
    )


def _opponent(config: EvaluatorConfig, game: GameMetadata) -> Player:
    if config.opponent == "random":
        return RandomPlayer(config.seed)
    if config.opponent == "perfect":
        return PerfectPlayer(config.seed)
    has_alpha_beta = config.env_id == "connect4"
    if config.opponent == "alphabeta" and has_alpha_beta:
        return AlphaBetaPlayer(config.depth, config.seed)
    path = opponent_file(config.opponent, ("random", "perfect", *["alphabeta"] * has_alpha_beta))
    return _model_player(f"ONNX({path.name})", OnnxModel(path, game), config)


def _optimal(config: EvaluatorConfig, model: OnnxModel) -> float | None:
    if not config.optimal_positions:
        return None
    if config.env_id not in SOLVED:
        raise ValueError(f"{config.env_id} has no solver here: leave out --optimal-positions")
    return optimal_share(model.evaluate, judged_positions(config.env_id, config.optimal_positions, config.seed))


if __name__ == "__main__":
    sys.argv[:1] = ["jimbo", "az", "evaluate"]
    runpy.run_module("jimbo", run_name="__main__", alter_sys=True)
