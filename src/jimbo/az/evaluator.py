"""The evaluator: a model against random play, another model, a solver or an agent. ``python -m jimbo.az.evaluator``."""

from __future__ import annotations

import logging
import runpy
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jimbo.agents import make_agent
from jimbo.az.databases import database_of
from jimbo.az.games import BALATRO, game_of, known_game
from jimbo.az.match import (
    AlphaBetaPlayer,
    Match,
    ModelPlayer,
    PerfectPlayer,
    PositionPlayer,
    RandomPlayer,
    Told,
    opponent_file,
    play_match,
)
from jimbo.az.models import BalatroModel, OnnxModel, start_file
from jimbo.az.optimal import SOLVED, check_positions, judged_positions, optimal_share
from jimbo.az.replay import Replay
from jimbo.az.schema import GameMetadata
from jimbo.az.settings import EvaluatorConfig
from jimbo.backends import SimBackend
from jimbo.engine import LAST_ANTE, Run
from jimbo.engine.az.balatro import BLINDS, position_of_run
from jimbo.eval.episodes import play_episode
from jimbo.eval.statistics import Interval, bootstrap_mean, difference, no_difference_p, tango_interval, wilson
from jimbo.seeds.seed_sets import seed_set
from jimbo.text import counted

_LINE = "=" * 50
_MUCH, _LITTLE = 0.7, 0.3
"""Shares of wins above which a model is significantly better, and below which it is worse without more."""
RANDOM = RandomPlayer.name
SEATS = (("X", "first"), ("O", "second"))
AGENTS = ("random", "greedy", "expert")
DEFAULT = "default"
_WON = 1 - 1e-6
log = logging.getLogger(__name__)


def verdict(match: Match, other: str) -> str:
    """Better or worse only where the interval of wins less losses leaves out 0; equivalent where it is narrow.

    Better: significantly above 70 % of wins, else slightly. Worse: slightly from 30 % on. Random play is to be won
    against; among good players draws are half a win.
    """
    rate = match.rate("wins") if other == RANDOM else match.score
    low, high = margin(match)
    name = "random play" if other == RANDOM else other
    if low > 0:
        how, end = ("significantly", "!") if rate > _MUCH else ("slightly", ".")
        return f"✓ Model is {how} better than {name}{end}"
    if high < 0:
        return f"✗ Model is {'slightly ' if rate >= _LITTLE else ''}worse than {name}."
    if (1 + low) / 2 > _LITTLE and (1 + high) / 2 < _MUCH:
        return f"~ Model is roughly equivalent to {name}."
    games = f"{counted(match.games, 'game')} {'does' if match.games == 1 else 'do'}"
    return f"~ No verdict: {games} not tell Model and {name} apart."


def margin(match: Match) -> Interval:
    """The 95 % interval of wins less losses, as a share of the games."""
    return tango_interval(match.wins, match.losses, match.games)


def sign_test(match: Match) -> float:
    """The p-value of wins and losses being equally likely; below 0.05 exactly when ``margin`` leaves out 0."""
    return no_difference_p([1] * match.wins + [-1] * match.losses)


def block(match: Match, name: str, other: str, *, seats: bool = True) -> str:
    """``seats``: whether there are seats and moves; two runs of Balatro have neither in common."""
    low, high = wilson(match.wins, match.games)
    worst, best = margin(match)
    lines = [
        _LINE,
        f"Evaluation Results: {name} vs {other}",
        _LINE,
        f"Games played: {match.games}",
        "",
        *_side(name, match.wins, match.won if seats else (), match.games),
        f"  95 % interval of the win rate: {100 * low:.1f}% to {100 * high:.1f}%",
        "",
        *_side(other, match.losses, match.lost if seats else (), match.games),
        "",
        f"Draws: {match.draws} ({100 * match.rate('draws'):.1f}%)",
        *([f"Average game length: {match.mean_length:.1f} moves"] if seats else []),
        _LINE,
        "",
        verdict(match, other),
        f"  Wins less losses: {100 * (match.wins - match.losses) / match.games:+.1f}%, 95 % interval "
        f"{100 * worst:+.1f}% to {100 * best:+.1f}%, sign test p = {sign_test(match):.2g}",
    ]
    return "\n".join(lines)


def _side(name: str, wins: int, by_seat: tuple[int, ...], games: int) -> list[str]:
    seats = [f"    As {sign} ({seat}): {count}" for (sign, seat), count in zip(SEATS, by_seat, strict=False)]
    return [f"{name}:", f"  Wins: {wins} ({100 * wins / games:.1f}%)", *seats]


def as_data(match: Match, name: str, other: str) -> dict[str, Any]:
    return {
        "model": name,
        "opponent": other,
        "games_played": match.games,
        "wins": match.wins,
        "losses": match.losses,
        "draws": match.draws,
        "win_rate": match.rate("wins"),
        "draw_rate": match.rate("draws"),
        "loss_rate": match.rate("losses"),
        "win_rate_ci95": list(wilson(match.wins, match.games)),
        "margin_ci95": list(margin(match)),
        "sign_test_p": sign_test(match),
        "wins_by_seat": list(match.won),
        "opponent_wins_by_seat": list(match.lost),
        "avg_game_length": match.mean_length,
        "verdict": verdict(match, other),
    }


@dataclass(frozen=True, slots=True)
class EvaluatedRuns:
    """Two players on the same seeds; outcomes from -1 to 1 (won), each blind on the way worth a 24th."""

    model: str
    opponent: str
    ours: list[float]
    theirs: list[float]

    def match(self) -> Match:
        """A seed is won by who got further in its run."""
        better = sum(a > b + 1e-6 for a, b in zip(self.ours, self.theirs, strict=True))
        worse = sum(b > a + 1e-6 for a, b in zip(self.ours, self.theirs, strict=True))
        seeds = len(self.ours)
        return Match(seeds, (better, 0), (worse, 0), seeds - better - worse, 0)

    def data(self) -> dict[str, Any]:
        gaps = [a - b for a, b in zip(self.ours, self.theirs, strict=True)]
        antes = difference([_ante(value) for value in self.ours], [_ante(value) for value in self.theirs])
        told = as_data(self.match(), self.model, self.opponent)
        for name in ("wins_by_seat", "opponent_wins_by_seat", "avg_game_length"):
            del told[name]
        return {
            **told,
            "runs_won": sum(value > _WON for value in self.ours),
            "opponent_runs_won": sum(value > _WON for value in self.theirs),
            "mean_ante": _mean(_ante(value) for value in self.ours),
            "opponent_mean_ante": _mean(_ante(value) for value in self.theirs),
            "ante_difference": antes.mean,
            "ante_difference_ci95": list(antes.ci95) if antes.ci95 else None,
            "outcome_difference": _mean(gaps),
            "outcome_difference_ci95": list(bootstrap_mean(gaps)),
        }

    def text(self) -> str:
        told = self.data()
        low, high = wilson(told["runs_won"], len(self.ours))
        interval = told["ante_difference_ci95"]
        around = f" ({interval[0]:+.2f} to {interval[1]:+.2f})" if interval else ""
        return "\n".join(
            [
                block(self.match(), self.model, self.opponent, seats=False),
                f"Runs won: {told['runs_won']} ({100 * low:.1f}% to {100 * high:.1f}%), "
                f"{self.opponent} {told['opponent_runs_won']}",
                f"Mean ante: {told['mean_ante']:.2f}, {self.opponent} {told['opponent_mean_ante']:.2f}, "
                f"difference {told['ante_difference']:+.2f}{around}",
            ]
        )


def evaluate_runs(config: EvaluatorConfig, told: Told | None = None) -> EvaluatedRuns:
    """BadModel for a model that is missing or cannot be used, ValueError for other bad input."""
    seeds = seed_set("dev-1000", config.games).seeds
    player = _player(Path(config.model), config)
    if config.opponent in AGENTS:
        ours = play_runs(seeds, player)
        name, theirs = config.opponent.capitalize(), agent_runs(seeds, config.opponent)
    else:
        path = start_file() if config.opponent == DEFAULT else opponent_file(config.opponent, (*AGENTS, DEFAULT))
        other = _player(path, config)
        ours = play_runs(seeds, player)
        name, theirs = other.name, play_runs(seeds, other)
    if told:
        for seed, a, b in zip(seeds, ours, theirs, strict=True):
            told(f"{seed}: {player.name} {_words(a)}, {name} {_words(b)}")
    return EvaluatedRuns(player.name, name, ours, theirs)


def _player(path: Path, config: EvaluatorConfig) -> ModelPlayer:
    return ModelPlayer(
        f"ONNX({path.name})",
        BalatroModel(path).evaluate,
        seed=config.seed,
        temperature=config.eval_temperature,
        simulations=config.eval_simulations,
    )


def play_runs(seeds: Sequence[str], player: PositionPlayer) -> list[float]:
    """How the run of each seed ended; hands are played by the engine, all other decisions by the player."""
    positions = [position_of_run(Run(seed=seed)) for seed in seeds]
    while running := [position for position in positions if not position.done]:
        for position, action in zip(running, player.choose(running), strict=True):
            position.step(action)
    return [position.outcome for position in positions]


def agent_runs(seeds: Sequence[str], agent: str) -> list[float]:
    """The same for an agent, which plays its hands itself."""
    played = (
        play_episode(make_agent(agent), SimBackend(), seed=seed, nonce=place, episode_id=place)
        for place, seed in enumerate(seeds)
    )
    return [1.0 if row.won else row.blinds_passed / BLINDS - 1 for row in played]


def _ante(outcome: float) -> int:
    """In which a run ended; a win ends in the last."""
    passed = round((outcome + 1) * BLINDS)
    return LAST_ANTE if outcome > _WON else min(LAST_ANTE, passed // (BLINDS // LAST_ANTE) + 1)


def _words(outcome: float) -> str:
    return "won" if outcome > _WON else f"lost in ante {_ante(outcome)}"


def _mean(values: Any) -> float:
    listed = list(values)
    return float(sum(listed) / len(listed))


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


def _opponent(config: EvaluatorConfig, game: GameMetadata) -> PositionPlayer:
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
