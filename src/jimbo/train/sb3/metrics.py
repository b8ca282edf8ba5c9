"""Episodes in numbers: what a training or an evaluation came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

RECENT = 100
"""Episodes that count as recent."""


class BalatroMetrics:
    """Collects finished episodes.

    >>> metrics = BalatroMetrics()
    >>> metrics.add_episode(reward=1.2, ante=5, score=50_000, length=500)
    >>> metrics.get_summary()["mean_ante"]
    5.0
    """

    def __init__(self) -> None:
        self.rewards: list[float] = []
        self.antes: list[int] = []
        self.scores: list[float] = []
        self.lengths: list[int] = []
        self.wins: list[bool] = []
        self.illegal: list[int] = []
        self.timesteps: list[int] = []

    def __len__(self) -> int:
        return len(self.rewards)

    def __repr__(self) -> str:
        return f"<BalatroMetrics of {len(self)} episodes>"

    def add_episode(
        self,
        reward: float,
        ante: int,
        score: float,
        length: int,
        *,
        won: bool = False,
        illegal: int = 0,
        timestep: int = 0,
    ) -> None:
        """``score``: the highest of one hand; ``timestep``: of the training, when the episode ended."""
        self.rewards.append(float(reward))
        self.antes.append(int(ante))
        self.scores.append(float(score))
        self.lengths.append(int(length))
        self.wins.append(bool(won))
        self.illegal.append(int(illegal))
        self.timesteps.append(int(timestep))

    def add_result(self, info: Mapping[str, Any], timestep: int = 0) -> None:
        """The episode that an ``info`` with ``episode`` tells of; environments of others have no ``result``."""
        result = info.get("result", {})
        self.add_episode(
            reward=float(info["episode"]["r"]),
            ante=result.get("ante", 0),
            score=result.get("best_hand", 0.0),
            length=int(info["episode"]["l"]),
            won=result.get("won", False),
            illegal=result.get("illegal", 0),
            timestep=timestep,
        )

    @classmethod
    def from_lists(cls, lists: Mapping[str, Sequence[Any]]) -> BalatroMetrics:
        """Metrics with these lists, by the names of the attributes; those that are not given stay empty."""
        found = cls()
        for name in vars(found).keys() & lists.keys():
            setattr(found, name, list(lists[name]))
        return found

    def get_summary(self) -> dict[str, float]:
        """Means, spreads and bests of all episodes, and means of the last hundred; zeros when there are none."""
        return {
            "total_episodes": len(self),
            "mean_reward": _mean(self.rewards),
            "std_reward": float(np.std(self.rewards)) if self.rewards else 0.0,
            "max_reward": max(self.rewards, default=0.0),
            "mean_ante": _mean(self.antes),
            "max_ante": max(self.antes, default=0),
            "mean_score": _mean(self.scores),
            "max_score": max(self.scores, default=0.0),
            "mean_length": _mean(self.lengths),
            "win_rate": _mean(self.wins),
            "illegal_actions": sum(self.illegal),
            **self.get_recent(),
        }

    def get_recent(self) -> dict[str, float]:
        """Means of the last hundred episodes; quick, however many there are."""
        return {
            "recent_mean_reward": _mean(self.rewards[-RECENT:]),
            "recent_mean_ante": _mean(self.antes[-RECENT:]),
            "recent_win_rate": _mean(self.wins[-RECENT:]),
            "recent_illegal_actions": sum(self.illegal[-RECENT:]),
        }

    def to_dict(self) -> dict[str, list[Any]]:
        """Every episode, as lists."""
        return {
            "episode_rewards": list(self.rewards),
            "episode_antes": list(self.antes),
            "episode_scores": list(self.scores),
            "episode_lengths": list(self.lengths),
            "episode_wins": list(self.wins),
            "episode_illegal": list(self.illegal),
            "timesteps": list(self.timesteps),
        }


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else 0.0


def compute_moving_average(values: Sequence[float], window: int = RECENT) -> NDArray[np.float64]:
    """The mean of each value and those before it, at most ``window`` together; as many as there are values."""
    if window < 1:
        raise ValueError(f"window must be at least 1, not {window}")
    data = np.asarray(values, np.float64)
    if not data.size:
        return data
    sums = np.concatenate([[0.0], np.cumsum(data)])
    ends = np.arange(1, len(data) + 1)
    starts = np.maximum(ends - window, 0)
    means: NDArray[np.float64] = (sums[ends] - sums[starts]) / (ends - starts)
    return means
