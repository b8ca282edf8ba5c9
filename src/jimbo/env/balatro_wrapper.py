"""A short observation in the game's own units, and statistics of the episodes."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from jimbo.env.base_wrapper import EnvironmentWrapper, Observation

LARGEST = float(np.finfo(np.float32).max)


class BalatroGymWrapper(EnvironmentWrapper):
    """Shows twelve entries of a Dict observation, with numbers as the game shows them.

    ===============  ===========  ======================================================================
    hand             [64] int16   cards of the hand, left to right: 1 + 13 * suit + rank, 0 for nothing or unknown;
                                  suits and ranks in the order of the engine's vocabularies
    joker_ids        [32] int16   jokers from left to right, 0 for nothing or face down
    chips_scored     [1] float32  scored in this blind
    chips_needed     [1] float32  score to reach in it
    progress_ratio   [1] float32  the one divided by the other, at most 1
    money            [1] float32  dollars
    ante, round      [1] float32
    hands_left       [1] float32
    discards_left    [1] float32
    hand_levels      [12] int16   level of each poker hand
    phase            [1] int16    id of the phase
    action_mask      [A] int8     as in the wrapped environment
    ===============  ===========  ======================================================================

    Scores are exact to seven digits. ``get_episode_stats()`` sums up the episodes that ended so far.
    """

    def __init__(self, env: gymnasium.Env[Observation, Any]) -> None:
        super().__init__(env)
        inner = env.observation_space
        if not isinstance(inner, spaces.Dict) or "hand_rank" not in inner.spaces:
            raise ValueError(
                'BalatroGymWrapper needs the engine\'s fields: make the environment with observation="fields", '
                "and put this wrapper inside those that change the observation"
            )
        number = spaces.Box(-LARGEST, LARGEST, (1,), np.float32)
        positive = spaces.Box(0, LARGEST, (1,), np.float32)
        self._ranks = _kinds(inner["hand_rank"])
        self.observation_space = spaces.Dict(
            {
                "hand": spaces.Box(0, _kinds(inner["hand_suit"]) * self._ranks, inner["hand_rank"].shape, np.int16),
                "joker_ids": spaces.Box(0, _kinds(inner["joker_id"]), inner["joker_id"].shape, np.int16),
                "chips_scored": positive,
                "chips_needed": positive,
                "progress_ratio": spaces.Box(0, 1, (1,), np.float32),
                "money": number,
                "ante": number,
                "round": positive,
                "hands_left": number,
                "discards_left": number,
                "hand_levels": inner["poker_level"],
                "phase": spaces.Box(0, _kinds(inner["phase"]), (1,), np.int16),
                "action_mask": inner["action_mask"],
            }
        )
        self._rewards: list[float] = []
        self._antes: list[int] = []
        self._scores: list[float] = []
        self._return = 0.0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        observation, info = self.env.reset(seed=seed, options=options)
        self._return = 0.0
        return self.observation(observation), info

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._return += float(reward)
        if terminated or truncated:
            self._rewards.append(self._return)
            self._antes.append(info["result"]["ante"])
            self._scores.append(info["result"]["best_hand"])
            self._return = 0.0
        return self.observation(observation), float(reward), terminated, truncated, info

    def observation(self, fields: Observation) -> Observation:
        """The twelve entries and the mask, made from the engine's fields."""
        suits, ranks = fields["hand_suit"].astype(np.int16), fields["hand_rank"].astype(np.int16)
        known = (suits > 0) & (ranks > 0)
        return {
            "hand": np.where(known, (suits - 1) * self._ranks + ranks, 0).astype(np.int16),
            "joker_ids": fields["joker_id"].astype(np.int16),
            "chips_scored": _from_log(fields["chips_log"]),
            "chips_needed": _from_log(fields["target_log"]),
            "progress_ratio": fields["score_share"],
            "money": fields["dollars"].astype(np.float32),
            "ante": fields["ante"].astype(np.float32),
            "round": fields["round"].astype(np.float32),
            "hands_left": fields["hands_left"].astype(np.float32),
            "discards_left": fields["discards_left"].astype(np.float32),
            "hand_levels": fields["poker_level"],
            "phase": fields["phase"].astype(np.int16),
            "action_mask": fields["action_mask"],
        }

    def get_episode_stats(self) -> dict[str, float]:
        """Of all episodes that ended: how many, their rewards, antes and best single hands; 0 when there are none."""
        return {
            "total_episodes": len(self._rewards),
            "mean_reward": float(np.mean(self._rewards or [0])),
            "std_reward": float(np.std(self._rewards or [0])),
            "max_reward": max(self._rewards, default=0.0),
            "mean_ante": float(np.mean(self._antes or [0])),
            "max_ante": max(self._antes, default=0),
            "mean_score": float(np.mean(self._scores or [0])),
            "max_score": max(self._scores, default=0.0),
        }


def _kinds(space: spaces.Space[Any]) -> int:
    """The highest id."""
    assert isinstance(space, spaces.Box)
    return int(space.high.max())


def _from_log(values: NDArray[Any]) -> NDArray[np.float32]:
    """Back from ln(1 + x)."""
    numbers: NDArray[np.float64] = np.minimum(np.expm1(values.astype(np.float64)), LARGEST)
    return numbers.astype(np.float32)
