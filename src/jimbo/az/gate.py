"""The gate: how strong the model of an iteration is, and whether it is the new best."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

from jimbo.az.match import (
    Match,
    ModelPlayer,
    PositionPlayer,
    RandomPlayer,
    match_of_runs,
    optimal_share,
    play_match,
    play_runs,
    solved_positions,
)
from jimbo.az.models import RowModel, checkpoint_path, first_file, open_network
from jimbo.az.settings import BALATRO, SOLVED, LoopConfig
from jimbo.az.stats import MatchRecord, read_record
from jimbo.engine.az import game_spec
from jimbo.files import write_text
from jimbo.seeds.seed_sets import train_seeds

RESULT = "gate.json"
POSITIONS = "judged_positions.npz"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opponent:
    """The best model so far."""

    path: str
    iteration: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Gated:
    """The result of the gate in one iteration."""

    iteration: int
    random: MatchRecord
    best: MatchRecord | None
    optimal: float | None
    best_optimal: float | None
    """Share of the best model so far, on the same positions."""
    promoted: bool


def run_gate(config: LoopConfig, iteration: int, opponent: Opponent | None) -> int:
    """Write the result to a file next to the statistics; return the exit code."""
    folder = Path(config.stats).parent
    write_text(folder / RESULT, json.dumps(asdict(gated(config, iteration, opponent))) + "\n")
    return 0


def read_gate(config: LoopConfig, iteration: int) -> Gated | None:
    """Return the result of this iteration, if there is one; ValueError for a file that cannot be read."""
    found = read_record(Gated, Path(config.stats).parent / RESULT, "Remove it: the model is evaluated again")
    return found if found and found.iteration == iteration else None


def gated(config: LoopConfig, iteration: int, opponent: Opponent | None) -> Gated:
    """Let the model of an iteration play against random play and against the best model so far."""
    game = game_spec(config.env_id)
    step = (iteration + 1) * config.steps
    model = open_network(checkpoint_path(Path(config.model_dir), step), game)
    path = Path(opponent.path) if opponent else first_file(config.env_id)
    best_model = open_network(path, game) if path else None
    play = _runs if config.env_id == BALATRO else _games
    random, best = play(config, iteration, _player(config, model), _player(config, best_model) if best_model else None)
    # Both are measured now: the positions are others than before where a loop is resumed with more or fewer of them.
    optimal = _optimal(config, model)
    best_optimal = _optimal(config, best_model) if best_model else None
    promoted = _is_better(config, best, optimal, best_optimal)
    about = {"current_iteration": iteration, "optimal_moves": optimal, "became_new_best": promoted}
    against = opponent.iteration if opponent else None
    return Gated(
        iteration=iteration,
        random=MatchRecord.of(random, step, "random", **about),
        best=MatchRecord.of(best, step, "best", opponent_iteration=against, **about) if best else None,
        optimal=optimal,
        best_optimal=best_optimal,
        promoted=promoted,
    )


def _games(
    config: LoopConfig, iteration: int, player: PositionPlayer, best: PositionPlayer | None
) -> tuple[Match, Match | None]:
    """Play board games against random play, and against the best model."""
    count, seed = config.gate_games, config.seed + iteration
    random = play_match(config.env_id, player, RandomPlayer(iteration), count)
    if best is None:
        return random, None
    return random, play_match(config.env_id, player, best, count, opening=config.gate_opening, seed=seed)


def _runs(
    config: LoopConfig, iteration: int, player: PositionPlayer, best: PositionPlayer | None
) -> tuple[Match, Match | None]:
    """Play runs of Balatro on the same seeds."""
    seeds = gate_seeds(iteration, config.gate_games)
    ours = play_runs(seeds, player)
    random = match_of_runs(ours, play_runs(seeds, RandomPlayer(iteration)))
    return random, match_of_runs(ours, play_runs(seeds, best)) if best else None


def gate_seeds(iteration: int, count: int) -> list[str]:
    """Return seeds that no other iteration has, and none that models are measured on: the best of many tries on the
    same seeds would look better than it is."""
    return list(islice(train_seeds("az-gate"), iteration * count, (iteration + 1) * count))


def _player(config: LoopConfig, model: RowModel) -> ModelPlayer:
    return ModelPlayer(model, seed=config.seed, simulations=config.eval_simulations, kind=config.search)


def _optimal(config: LoopConfig, model: RowModel) -> float | None:
    if config.env_id not in SOLVED or not config.optimal_positions:
        return None
    kept = Path(config.stats).parent / POSITIONS
    return optimal_share(model, solved_positions(config.env_id, config.optimal_positions, config.seed, kept))


def _is_better(config: LoopConfig, best: Match | None, optimal: float | None, best_optimal: float | None) -> bool:
    if best is None:
        return True
    if config.gate == "solver" and optimal is not None and best_optimal is not None:
        return optimal >= best_optimal + config.gate_margin
    return best.score >= config.gate_threshold
