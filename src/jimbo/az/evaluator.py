"""The evaluator: a model against random play, another model, a solver or an agent. ``python -m jimbo.az.evaluator``."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from jimbo.agents import make_agent
from jimbo.az.match import (
    AlphaBetaPlayer,
    Match,
    ModelPlayer,
    PerfectPlayer,
    PositionPlayer,
    RandomPlayer,
    Told,
    match_of_runs,
    optimal_share,
    play_match,
    play_runs,
    solved_positions,
)
from jimbo.az.models import DEFAULT, Model, RowModel, open_model
from jimbo.az.replay import open_replay
from jimbo.az.settings import BALATRO, SOLVED, VALUE, EvaluatorConfig, check_positions
from jimbo.backends.sim import SimBackend
from jimbo.engine import LAST_ANTE
from jimbo.engine.az import GameSpec, game_spec
from jimbo.engine.az.balatro import BLINDS
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
_OPPONENTS = {"connect4": ("random", "perfect", "alphabeta"), BALATRO: (*AGENTS, DEFAULT, VALUE)}
_WON = 1 - 1e-6


def verdict(match: Match, other: str) -> str:
    """Return a sentence: better or worse only where the interval of wins less losses leaves out 0.

    Where it holds 0 and is narrow, the two are equivalent. Better: significantly above 70 % of wins, else slightly.
    Worse: slightly from 30 % on. Random play is to be won against; among good players draws are half a win.
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
    """Return the 95 % interval of wins less losses, as a share of the games."""
    return tango_interval(match.wins, match.losses, match.games)


def sign_test(match: Match) -> float:
    """Return the p-value of wins and losses being equally likely; below 0.05 exactly when ``margin`` leaves out 0."""
    return no_difference_p([1] * match.wins + [-1] * match.losses)


def report(match: Match, name: str, other: str, *, seats: bool = True) -> str:
    """Return the report of a match. ``seats``: whether there are seats and moves, as in board games."""
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

    @property
    def match(self) -> Match:
        return match_of_runs(self.ours, self.theirs)

    def data(self) -> dict[str, Any]:
        gaps = [a - b for a, b in zip(self.ours, self.theirs, strict=True)]
        antes = difference([_ante(value) for value in self.ours], [_ante(value) for value in self.theirs])
        told = as_data(self.match, self.model, self.opponent)
        for name in ("wins_by_seat", "opponent_wins_by_seat", "avg_game_length"):
            del told[name]
        return {
            **told,
            "runs_won": sum(value > _WON for value in self.ours),
            "opponent_runs_won": sum(value > _WON for value in self.theirs),
            "mean_ante": fmean(_ante(value) for value in self.ours),
            "opponent_mean_ante": fmean(_ante(value) for value in self.theirs),
            "ante_difference": antes.mean,
            "ante_difference_ci95": list(antes.ci95) if antes.ci95 else None,
            "outcome_difference": fmean(gaps),
            "outcome_difference_ci95": list(bootstrap_mean(gaps)),
        }

    def text(self) -> str:
        told = self.data()
        low, high = wilson(told["runs_won"], len(self.ours))
        interval = told["ante_difference_ci95"]
        around = f" ({interval[0]:+.2f} to {interval[1]:+.2f})" if interval else ""
        return "\n".join(
            [
                report(self.match, self.model, self.opponent, seats=False),
                f"Runs won: {told['runs_won']} ({100 * low:.1f}% to {100 * high:.1f}%), "
                f"{self.opponent} {told['opponent_runs_won']}",
                f"Mean ante: {told['mean_ante']:.2f}, {self.opponent} {told['opponent_mean_ante']:.2f}, "
                f"difference {told['ante_difference']:+.2f}{around}",
            ]
        )


@dataclass(frozen=True, slots=True)
class Evaluated:
    """Two players of a board game."""

    model: str
    opponent: str
    match: Match
    optimal: float | None

    def text(self) -> str:
        more = f"\nOptimal first choices, network alone: {100 * self.optimal:.1f}%" if self.optimal is not None else ""
        return report(self.match, self.model, self.opponent) + more

    def data(self) -> dict[str, Any]:
        return {**as_data(self.match, self.model, self.opponent), "optimal_moves": self.optimal}


def evaluate(config: EvaluatorConfig, told: Told | None = None) -> Evaluated | EvaluatedRuns:
    """BadModel for a model that is missing or cannot be used, ValueError for other bad input."""
    check_positions(config.env_id, config.optimal_positions)
    game = _game(config)
    model = open_model(config.model, game)
    player = _model_player(model, config)
    if game.env_id == BALATRO:
        return _evaluate_runs(config, player, game, told)
    other = _opponent(config, game)
    match = play_match(config.env_id, player, other, config.games, opening=config.opening, seed=config.seed, told=told)
    return Evaluated(player.name, other.name, match, _optimal(config, model))


def _game(config: EvaluatorConfig) -> GameSpec:
    """Return the game as the store describes it, if there is a store."""
    known = game_spec(config.env_id)
    try:
        with open_replay(config.db) as replay:
            return replay.game(config.env_id)
    except FileNotFoundError:
        return known


def _model_player(model: Model, config: EvaluatorConfig) -> ModelPlayer:
    temperature, simulations = config.eval_temperature, config.eval_simulations
    return ModelPlayer(model, seed=config.seed, temperature=temperature, simulations=simulations)


def _opponent(config: EvaluatorConfig, game: GameSpec) -> PositionPlayer:
    """Return the player that the settings name; ValueError with those that there are."""
    name, seed = config.opponent, config.seed
    boards: dict[str, Callable[[], PositionPlayer]] = {
        "random": lambda: RandomPlayer(seed),
        "perfect": lambda: PerfectPlayer(seed),
        "alphabeta": lambda: AlphaBetaPlayer(config.depth, seed),
    }
    known = _OPPONENTS.get(game.env_id, ("random", "perfect"))
    if name in known and name in boards:
        return boards[name]()
    if name not in known and not Path(name).is_file():
        raise ValueError(f'there is no opponent "{name}": choose {", ".join(known)} or the file of a model')
    return _model_player(open_model(name, game), config)


def _optimal(config: EvaluatorConfig, model: Model) -> float | None:
    if not config.optimal_positions:
        return None
    if config.env_id not in SOLVED or not isinstance(model, RowModel):
        raise ValueError(f"{config.env_id} has no solver here: leave out --optimal-positions")
    return optimal_share(model, solved_positions(config.env_id, config.optimal_positions, config.seed))


def _evaluate_runs(config: EvaluatorConfig, player: ModelPlayer, game: GameSpec, told: Told | None) -> EvaluatedRuns:
    seeds = seed_set("dev-1000", config.games).seeds
    if config.opponent in AGENTS:
        name, theirs = config.opponent.capitalize(), agent_runs(seeds, config.opponent)
    else:
        other = _opponent(config, game)
        name, theirs = other.name, play_runs(seeds, other)
    found = EvaluatedRuns(player.name, name, play_runs(seeds, player), theirs)
    if told:
        for seed, a, b in zip(seeds, found.ours, theirs, strict=True):
            told(f"{seed}: {player.name} {_words(a)}, {name} {_words(b)}")
    return found


def agent_runs(seeds: Sequence[str], agent: str) -> list[float]:
    """Return how the runs of an agent ended, from -1 to 1 (won); it plays its hands itself."""
    played = (
        play_episode(make_agent(agent), SimBackend(), seed=seed, nonce=place, episode_id=place)
        for place, seed in enumerate(seeds)
    )
    return [1.0 if row.won else row.blinds_passed / BLINDS - 1 for row in played]


def _ante(outcome: float) -> int:
    """Return the ante in which a run ended; a win ends in the last."""
    passed = round((outcome + 1) * BLINDS)
    return LAST_ANTE if outcome > _WON else min(LAST_ANTE, passed // (BLINDS // LAST_ANTE) + 1)


def _words(outcome: float) -> str:
    return "won" if outcome > _WON else f"lost in ante {_ante(outcome)}"


if __name__ == "__main__":
    sys.argv[:1] = ["jimbo", "az", "evaluate"]
    runpy.run_module("jimbo", run_name="__main__", alter_sys=True)
