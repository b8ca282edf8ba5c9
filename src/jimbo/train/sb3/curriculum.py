"""Short games first, for many games at once: the engine itself cuts them off at the ante of the day."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stable_baselines3.common.vec_env import VecEnv, VecEnvWrapper
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

from jimbo.env.curriculum import AnteLimit


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
        self._make = make
        self.limit = AnteLimit(initial_max_ante, ante_increment, success_threshold, eval_interval)
        super().__init__(make(self.limit.max_ante))

    def reset(self) -> Any:
        return self.venv.reset()

    def step_wait(self) -> VecEnvStepReturn:
        observations, rewards, dones, infos = self.venv.step_wait()
        for row in dones.nonzero()[0]:
            result = infos[row]["result"]
            limited = result["end"] == "max_ante"
            infos[row] = {**infos[row], "curriculum_limited": limited, "curriculum_max_ante": self.limit.max_ante}
            self._count(limited or result["won"])
        return observations, rewards, dones, infos

    def _count(self, success: bool) -> None:
        before = self.limit.max_ante
        self.limit.count(success)
        if self.limit.max_ante > before:
            self._raise_to(self.limit.max_ante)

    def _raise_to(self, limit: int) -> None:
        """The observations stay as they are, since the runs do."""
        old, new = self.venv, self._make(limit)
        before, after = (env.get_attr("unwrapped", [0])[0] for env in (old, new))
        runs = [before.run(row) for row in range(self.num_envs)]
        # Numbers of its own: from the first ones the games of the start would come again.
        seeds = [limit * 1_000_003 + self.limit.total_episodes * 131 + row for row in range(self.num_envs)]
        after.reset(seed=seeds, options={"runs": runs})
        old.close()
        self.venv = new

    def get_state(self) -> dict[str, Any]:
        """Where the curriculum stands."""
        return vars(self.limit).copy()

    def set_state(self, state: dict[str, Any]) -> None:
        """Goes there; the games themselves are to be restored afterwards."""
        self.venv.close()
        self.venv = self._make(state["max_ante"])
        vars(self.limit).update(state)
