"""The gate: how strong the model of an iteration is, and whether it is the new best."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

from jimbo.az.evaluator import EvaluatedRuns, play_runs
from jimbo.az.games import BALATRO, known_game
from jimbo.az.match import Match, ModelPlayer, PositionPlayer, RandomPlayer, play_match
from jimbo.az.models import Model, checkpoint_path, first_file, open_model
from jimbo.az.optimal import SOLVED, judged_positions, optimal_share
from jimbo.az.settings import LoopConfig
from jimbo.az.stats import MatchRecord
from jimbo.declared import from_dict
from jimbo.files import loads, read_text, reason, write_text
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
    """What the gate found of one iteration."""

    iteration: int
    random: MatchRecord
    best: MatchRecord | None
    optimal: float | None
    best_optimal: float | None
    """Of the best so far, on the same positions."""
    promoted: bool


def run_gate(config: LoopConfig, iteration: int, opponent: Opponent | None) -> int:
    """Writes what it found to a file beside the stats; returns the exit code."""
    folder = Path(config.stats).parent
    write_text(folder / RESULT, json.dumps(asdict(judge(config, iteration, opponent))) + "\n")
    return 0


def read_gate(config: LoopConfig, iteration: int) -> Gated | None:
    """None where the file is that of another iteration, or there is none; ValueError where it cannot be read."""
    path = Path(config.stats).parent / RESULT
    if not path.exists():
        return None
    try:
        found = from_dict(Gated, loads(read_text(path), finite=True))
    except (OSError, UnicodeError) as error:
        raise ValueError(f"{path} cannot be read: {reason(error)}.") from None
    except ValueError as error:
        raise ValueError(f"{path} cannot be used: {error}. Remove it: the model is judged again.") from None
    return found if found.iteration == iteration else None


def judge(config: LoopConfig, iteration: int, opponent: Opponent | None) -> Gated:
    game = known_game(config.env_id)
    step = (iteration + 1) * config.steps
    model = open_model(checkpoint_path(Path(config.model_dir), step), game)
    player = _player(config, "New", model)
    path = Path(opponent.path) if opponent else first_file(config.env_id)
    best_model = open_model(path, game) if path else None
    other = _player(config, "Best", best_model) if best_model else None
    random, best = (_runs if config.env_id == BALATRO else _games)(config, iteration, player, other)
    # Both are measured now: the positions are others than before where a loop goes on with more or fewer of them.
    optimal = _optimal(config, model)
    best_optimal = _optimal(config, best_model) if best_model else None
    promoted = _is_better(config, best, optimal, best_optimal)
    against = opponent.iteration if opponent else None
    return Gated(
        iteration=iteration,
        random=_record(random, step, iteration, "random", None, optimal, promoted),
        best=_record(best, step, iteration, "best", against, optimal, promoted) if best else None,
        optimal=optimal,
        best_optimal=best_optimal,
        promoted=promoted,
    )


def _games(
    config: LoopConfig, iteration: int, player: PositionPlayer, other: PositionPlayer | None
) -> tuple[Match, Match | None]:
    """Against random play, and against the best."""
    random = play_match(config.env_id, player, RandomPlayer(iteration), config.gate_games)
    if other is None:
        return random, None
    seed = config.seed + iteration
    return random, play_match(config.env_id, player, other, config.gate_games, opening=config.gate_opening, seed=seed)


def _runs(
    config: LoopConfig, iteration: int, player: PositionPlayer, other: PositionPlayer | None
) -> tuple[Match, Match | None]:
    """The same on seeds; one is won by who got further."""
    seeds = gate_seeds(iteration, config.gate_games)
    ours = play_runs(seeds, player)
    random = EvaluatedRuns("", "", ours, play_runs(seeds, RandomPlayer(iteration))).match()
    return random, EvaluatedRuns("", "", ours, play_runs(seeds, other)).match() if other else None


def gate_seeds(iteration: int, count: int) -> list[str]:
    """Others each time, and none that models are measured on: the best of many tries on the same seeds would look
    better than it is."""
    return list(islice(train_seeds("az-gate"), iteration * count, (iteration + 1) * count))


def _player(config: LoopConfig, name: str, model: Model) -> ModelPlayer:
    return ModelPlayer(name, model.evaluate, seed=config.seed, simulations=config.eval_simulations, kind=config.search)


def _optimal(config: LoopConfig, model: Model) -> float | None:
    if config.env_id not in SOLVED or not config.optimal_positions:
        return None
    kept = Path(config.stats).parent / POSITIONS
    return optimal_share(model.evaluate, judged_positions(config.env_id, config.optimal_positions, config.seed, kept))


def _is_better(config: LoopConfig, best: Match | None, optimal: float | None, best_optimal: float | None) -> bool:
    if best is None:
        return True
    if config.gate == "solver" and optimal is not None and best_optimal is not None:
        return optimal >= best_optimal + config.gate_margin
    return best.score >= config.gate_threshold


def _record(
    match: Match, step: int, iteration: int, name: str, against: int | None, optimal: float | None, promoted: bool
) -> MatchRecord:
    return MatchRecord(
        step=step,
        win_rate=match.rate("wins"),
        draw_rate=match.rate("draws"),
        loss_rate=match.rate("losses"),
        games_played=match.games,
        avg_game_length=match.mean_length,
        timestamp=int(time.time()),
        opponent=name,
        opponent_iteration=against,
        became_new_best=promoted,
        current_iteration=iteration,
        optimal_moves=optimal,
    )
