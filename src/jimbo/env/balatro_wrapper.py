"""A short observation in the game's own units, and statistics of the episodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from jimbo.env.layouts import Observation
from jimbo.env.wrappers import CurriculumWrapper, EnvironmentWrapper, Stepped

LARGEST = float(np.finfo(np.float32).max)
_NUMBERS = {
    "money": "dollars", "ante": "ante", "round": "round", "hands_left": "hands_left", "discards_left": "discards_left"
}  # fmt: skip
_SCORES = {"chips_scored": "chips_log", "chips_needed": "target_log"}
_IDS = {"joker_ids": "joker_id", "phase": "phase"}
_UNCHANGED = {"progress_ratio": "score_share", "hand_levels": "poker_level", "action_mask": "action_mask"}
"""Entries shown, and the engine's fields that they are made from."""


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
        self._ranks = _highest_id(inner["hand_rank"])
        cards = _highest_id(inner["hand_suit"]) * self._ranks
        self.observation_space = spaces.Dict(
            {
                "hand": spaces.Box(0, cards, inner["hand_rank"].shape, np.int16),
                **{name: _number(inner[field]) for name, field in {**_NUMBERS, **_SCORES}.items()},
                **{
                    name: spaces.Box(0, _highest_id(inner[field]), inner[field].shape, np.int16)
                    for name, field in _IDS.items()
                },
                **{name: inner[field] for name, field in _UNCHANGED.items()},
            }
        )
        self._results: list[tuple[float, int, float]] = []
        """Return, ante and best hand of each episode."""
        self._return = 0.0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        observation, info = self.env.reset(seed=seed, options=options)
        self._return = 0.0
        return self.observation(observation), info

    def step(self, action: Any) -> Stepped:
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._return += float(reward)
        if terminated or truncated:
            self._results.append((self._return, info["result"]["ante"], info["result"]["best_hand"]))
            self._return = 0.0
        return self.observation(observation), float(reward), terminated, truncated, info

    def observation(self, fields: Observation) -> Observation:
        """Return the twelve entries and the mask, made from the engine's fields."""
        suits, ranks = fields["hand_suit"].astype(np.int16), fields["hand_rank"].astype(np.int16)
        cards = np.where((suits > 0) & (ranks > 0), (suits - 1) * self._ranks + ranks, 0)
        return {
            "hand": cards.astype(np.int16),
            **{name: fields[field].astype(np.float32) for name, field in _NUMBERS.items()},
            **{name: _from_log(fields[field]) for name, field in _SCORES.items()},
            **{name: fields[field].astype(np.int16) for name, field in _IDS.items()},
            **{name: fields[field] for name, field in _UNCHANGED.items()},
        }

    def get_episode_stats(self) -> dict[str, float]:
        """Return the number of episodes that ended, and their rewards, antes and best single hands; 0 without any."""
        rewards, antes, scores = zip(*self._results, strict=True) if self._results else ((0.0,), (0,), (0.0,))
        return {
            "total_episodes": len(self._results),
            "mean_reward": float(np.mean(rewards)),
            "std_reward": float(np.std(rewards)),
            "max_reward": max(rewards),
            "mean_ante": float(np.mean(antes)),
            "max_ante": max(antes),
            "mean_score": float(np.mean(scores)),
            "max_score": max(scores),
        }


def _highest_id(space: spaces.Space[Any]) -> int:
    assert isinstance(space, spaces.Box)
    return int(space.high.max())


def _number(space: spaces.Space[Any]) -> spaces.Box:
    """Return the space of a number without an upper bound."""
    assert isinstance(space, spaces.Box)
    return spaces.Box(0 if space.low.min() >= 0 else -LARGEST, LARGEST, (1,), np.float32)


def _from_log(values: NDArray[Any]) -> NDArray[np.float32]:
    """Return the numbers of which ``values`` are ln(1 + x)."""
    numbers: NDArray[np.float64] = np.minimum(np.expm1(values.astype(np.float64)), LARGEST)
    return numbers.astype(np.float32)


def wrap_balatro_env(
    env: gymnasium.Env[Observation, Any],
    use_curriculum: bool = False,
    curriculum_config: Mapping[str, Any] | None = None,
) -> BalatroGymWrapper:
    """Put a ``BalatroGymWrapper`` around ``env``, if wanted with a ``CurriculumWrapper(**curriculum_config)`` between.

    >>> config = {"initial_max_ante": 1, "eval_interval": 50}
    >>> env = wrap_balatro_env(create_balatro_env(seed=1), use_curriculum=True, curriculum_config=config)
    """
    if curriculum_config is not None and not use_curriculum:
        raise ValueError("curriculum_config has no effect without use_curriculum=True")
    if use_curriculum:
        env = CurriculumWrapper(env, **(curriculum_config or {}))
    return BalatroGymWrapper(env)
