"""Short runs first."""

from __future__ import annotations

from typing import Any

import gymnasium

from jimbo.engine import LAST_ANTE
from jimbo.env.base_wrapper import EnvironmentWrapper, Observation


class AnteLimit:
    """The rule: how far an episode may go, and when that rises. One for single environments and for many at once."""

    def __init__(
        self, initial_max_ante: int, ante_increment: int, success_threshold: float, eval_interval: int
    ) -> None:
        if not 1 <= initial_max_ante <= LAST_ANTE:
            raise ValueError(f"initial_max_ante must be between 1 and {LAST_ANTE}, not {initial_max_ante}")
        if ante_increment < 1 or eval_interval < 1:
            raise ValueError("ante_increment and eval_interval must be at least 1")
        if not 0 < success_threshold <= 1:
            raise ValueError(f"success_threshold must be above 0 and at most 1, not {success_threshold}")
        self.initial_max_ante = int(initial_max_ante)
        self.ante_increment = int(ante_increment)
        self.success_threshold = success_threshold
        self.eval_interval = int(eval_interval)
        self.reset()

    def reset(self) -> None:
        self.max_ante = self.initial_max_ante
        self.total_episodes = 0
        self.episodes = 0
        """Since the share of successes was last looked at."""
        self.successes = 0
        self.last_rate = 0.0

    def count(self, success: bool) -> None:
        """One more episode has ended."""
        self.total_episodes += 1
        self.episodes += 1
        self.successes += success
        if self.episodes == self.eval_interval:
            self.last_rate = self.successes / self.episodes
            self.episodes = self.successes = 0
            if self.last_rate >= self.success_threshold:
                self.max_ante = min(self.max_ante + self.ante_increment, LAST_ANTE)


class CurriculumWrapper(EnvironmentWrapper):
    """Cuts episodes off after an ante that rises as the agent gets better.

    An episode succeeds when it gets beyond ``max_ante`` or wins. After every ``eval_interval`` episodes the share of
    successes among them is looked at: if it reaches ``success_threshold``, ``max_ante`` rises by ``ante_increment``, up
    to the last ante.

    The cut-off is a truncation, since the run could have gone on: learners then bootstrap the value of the last state.
    ``info["curriculum_limited"]`` says whether it happened, ``info["curriculum_max_ante"]`` which limit held.
    """

    def __init__(
        self,
        env: gymnasium.Env[Observation, Any],
        initial_max_ante: int = 2,
        ante_increment: int = 1,
        success_threshold: float = 0.8,
        eval_interval: int = 100,
    ) -> None:
        self.limit = AnteLimit(initial_max_ante, ante_increment, success_threshold, eval_interval)
        super().__init__(env)

    @property
    def max_ante(self) -> int:
        return self.limit.max_ante

    def reset_curriculum(self) -> None:
        """Back to the first limit, with all counts at 0."""
        self.limit.reset()

    def get_curriculum_info(self) -> dict[str, Any]:
        """The limit, the episodes so far, and how the present and the last evaluated stretch went."""
        limit = self.limit
        return {
            "current_max_ante": limit.max_ante,
            "total_episodes": limit.total_episodes,
            "episodes": limit.episodes,
            "success_rate": limit.successes / limit.episodes if limit.episodes else 0.0,
            "last_success_rate": limit.last_rate,
            "success_threshold": limit.success_threshold,
            "eval_interval": limit.eval_interval,
            "complete": limit.max_ante == LAST_ANTE,
        }

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        observation, reward, terminated, truncated, info = self.env.step(action)
        passed = info["ante"] > self.max_ante
        limited = passed and not (terminated or truncated)
        info = {**info, "curriculum_limited": limited, "curriculum_max_ante": self.max_ante}
        if limited:
            truncated = True
            info["result"] = {**self.env.get_wrapper_attr("result")(), "end": "curriculum"}
        if terminated or truncated:
            self.limit.count(passed or info["result"]["won"])
        return observation, float(reward), terminated, truncated, info
