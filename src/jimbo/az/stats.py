"""``stats.json``: how a training goes, for pages that look at it again and again. It is whole at any time."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from jimbo.declared import from_dict
from jimbo.files import loads, read_text, reason, write_text

_TIERS = ((1_000, 1), (10_000, 100))
"""Within so many of the newest steps, every so many are kept."""
_BEYOND = 500
_MAX_EVALUATIONS = 50


@dataclass
class Evaluation:
    """How a model did."""

    step: int
    win_rate: float
    draw_rate: float
    loss_rate: float
    games_played: int
    avg_game_length: float
    timestamp: int
    opponent: str
    """random, best, or another that it met."""
    opponent_iteration: int | None = None
    became_new_best: bool = False
    current_iteration: int | None = None
    optimal_moves: float | None = None
    """Share of positions in which its first choice is one of the best moves."""


@dataclass
class Best:
    iteration: int
    step: int
    win_rate_when_promoted: float
    timestamp: int


@dataclass
class Learnt:
    """What a step learnt."""

    step: int
    total_loss: float
    policy_loss: float
    value_loss: float
    learning_rate: float


@dataclass
class Stats:
    env_id: str = ""
    step: int = 0
    total_steps: int = 0
    total_loss: float = 0.0
    policy_loss: float = 0.0
    value_loss: float = 0.0
    learning_rate: float = 0.0
    samples_seen: int = 0
    replay_buffer_size: int = 0
    last_checkpoint: str = ""
    timestamp: int = 0
    history: list[Mapping[str, Any]] = field(default_factory=list)
    """Step, losses and learning rate: many of the newest steps, few of the old ones."""
    last_eval: Evaluation | None = None
    eval_history: list[Evaluation] = field(default_factory=list)
    best_model: Best | None = None
    iteration: int = 0
    iterations: list[Mapping[str, Any]] = field(default_factory=list)
    """What the loop tells of each of its iterations."""

    def learnt(self, step: int, losses: Mapping[str, float], learning_rate: float) -> None:
        row = {"step": step, **losses, "learning_rate": learning_rate}
        self.step, self.learning_rate = step, learning_rate
        self.total_loss, self.value_loss, self.policy_loss = (
            losses[name] for name in ("total_loss", "value_loss", "policy_loss")
        )
        before: list[Mapping[str, Any]] = [old for old in self.history if old["step"] < step]
        self.history = thinned([*before, row])

    def evaluated(self, found: Evaluation) -> None:
        self.last_eval = found
        self.eval_history = [*self.eval_history, found][-_MAX_EVALUATIONS:]

    def write(self, path: Path) -> None:
        self.timestamp = int(time.time())
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, json.dumps(asdict(self), indent=1, allow_nan=False) + "\n")


def read_stats(path: Path, env_id: str) -> Stats:
    """Return what is there, or nothing yet; ValueError for a file that is something else, or of another game."""
    advice = "Remove it, or name another file with --stats"
    try:
        stats = from_dict(Stats, loads(read_text(path), finite=True))
        for row in stats.history:
            from_dict(Learnt, row, "history")
        if stats.env_id not in ("", env_id):
            raise ValueError(f"it is about {stats.env_id}")
    except FileNotFoundError:
        return Stats()
    except (OSError, UnicodeError) as error:
        raise ValueError(f"{path} cannot be read: {reason(error)}. {advice}") from None
    except ValueError as error:
        raise ValueError(f"{path} cannot be resumed: {error}. {advice}") from None
    return stats


def thinned(history: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """All of the newest thousand steps, every 100th of the newest ten thousand, every 500th beyond."""
    newest = history[-1]["step"]
    return [row for row in history if row["step"] % _every(newest - row["step"]) == 0 or row is history[-1]]


def _every(age: int) -> int:
    return next((every for within, every in _TIERS if age < within), _BEYOND)
