"""Balatro has one player: two of them are compared on the same seeds, each playing its own run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jimbo.agents import make_agent
from jimbo.az.balatro_model import BalatroModel, start_file
from jimbo.az.match import Match, Told
from jimbo.az.players import ModelPlayer, Player, opponent_file
from jimbo.az.report import as_data, block
from jimbo.az.settings import EvaluatorConfig
from jimbo.backends import SimBackend
from jimbo.engine import LAST_ANTE, Run
from jimbo.engine.az.balatro import BLINDS, position_of_run
from jimbo.eval.episodes import play_episode
from jimbo.eval.statistics import bootstrap_mean, difference, wilson
from jimbo.seeds.seed_sets import seed_set

AGENTS = ("random", "greedy", "expert")
DEFAULT = "default"
_WON = 1 - 1e-6


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


def play_runs(seeds: Sequence[str], player: Player) -> list[float]:
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
