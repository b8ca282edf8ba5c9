"""Short games first, for many games at once: the engine itself cuts them off at the ante of the day."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stable_baselines3.common.vec_env import VecEnv, VecEnvWrapper
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

from jimbo.engine import LAST_ANTE


class CurriculumVecEnv(VecEnvWrapper):
    """The rules of ``jimbo.env.CurriculumWrapper`` for a ``RunVecEnv``: by episode, truncated and not terminated.

    When the limit rises, games that are being played go on under the new one; their statistics count from there.
    """

    def __init__(
        self,
        make: Callable[[int], VecEnv],
        initial_max_ante: int = 2,
        ante_increment: int = 1,
        success_threshold: float = 0.8,
        eval_interval: int = 100,
    ) -> None:
        """``make`` makes the environment for a limit."""
        if not 1 <= initial_max_ante <= LAST_ANTE:
            raise ValueError(f"initial_max_ante must be between 1 and {LAST_ANTE}, not {initial_max_ante}")
        if ante_increment < 1 or eval_interval < 1:
            raise ValueError("ante_increment and eval_interval must be at least 1")
        if not 0 < success_threshold <= 1:
            raise ValueError(f"success_threshold must be above 0 and at most 1, not {success_threshold}")
        self._make = make
        self.max_ante = int(initial_max_ante)
        self.ante_increment = int(ante_increment)
        self.success_threshold = success_threshold
        self.eval_interval = int(eval_interval)
        self.total_episodes = self._episodes = self._successes = 0
        super().__init__(make(self.max_ante))

    def reset(self) -> Any:
        return self.venv.reset()

    def step_wait(self) -> VecEnvStepReturn:
        observations, rewards, dones, infos = self.venv.step_wait()
        for row in dones.nonzero()[0]:
            result = infos[row]["result"]
            limited = result["end"] == "max_ante"
            infos[row] = {**infos[row], "curriculum_limited": limited, "curriculum_max_ante": self.max_ante}
            self._count(limited or result["won"])
        return observations, rewards, dones, infos

    def _count(self, success: bool) -> None:
        self.total_episodes += 1
        self._episodes += 1
        self._successes += success
        if self._episodes == self.eval_interval:
            share = self._successes / self._episodes
            self._episodes = self._successes = 0
            if share >= self.success_threshold and self.max_ante < LAST_ANTE:
                self._raise_to(min(self.max_ante + self.ante_increment, LAST_ANTE))

    def _raise_to(self, limit: int) -> None:
        """The observations stay as they are, since the runs do."""
        old, new = self.venv, self._make(limit)
        before, after = (env.get_attr("unwrapped", [0])[0] for env in (old, new))
        runs = [before.run(row) for row in range(self.num_envs)]
        # Numbers of its own: from the first ones the games of the start would come again.
        seeds = [limit * 1_000_003 + self.total_episodes * 131 + row for row in range(self.num_envs)]
        after.reset(seed=seeds, options={"runs": runs})
        old.close()
        self.venv, self.max_ante = new, limit

    def get_state(self) -> dict[str, Any]:
        """Where the curriculum stands."""
        return {name: getattr(self, name) for name in ("max_ante", "total_episodes", "_episodes", "_successes")}

    def set_state(self, state: dict[str, Any]) -> None:
        """Goes there; the games themselves are to be restored afterwards."""
        self.venv.close()
        self.venv = self._make(state["max_ante"])
        for name, value in state.items():
            setattr(self, name, value)
