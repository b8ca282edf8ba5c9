"""Wrappers around one environment: a base class, scaled rewards, legal actions only, and a curriculum.

They are plain ``gymnasium.Wrapper`` objects, can be stacked in any order and keep ``action_masks()`` reachable.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Self

import gymnasium
import numpy as np
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from jimbo.engine import LAST_ANTE
from jimbo.env.layouts import Observation

Stepped = tuple[Observation, float, bool, bool, dict[str, Any]]
"""What ``step`` returns."""


class EnvironmentWrapper(gymnasium.Wrapper[Observation, Any, Observation, Any], RecordConstructorArgs):
    """Base class for wrappers of your own: override ``step``, ``reset`` or both.

    >>> class Frugal(EnvironmentWrapper):
    ...     def step(self, action):
    ...         observation, reward, terminated, truncated, info = self.env.step(action)
    ...         return observation, reward - 0.001, terminated, truncated, info
    """

    def __new__(cls, *args: Any, **arguments: Any) -> Self:
        """Note the arguments of the subclass: from them the wrapper can be made again (``env.spec``)."""
        made = super().__new__(cls)
        if args or arguments:  # copies are made without
            named = _named(cls.__init__, made, *args, **arguments)
            RecordConstructorArgs.__init__(made, _disable_deepcopy=True, **named)
        return made

    def __init__(self, env: gymnasium.Env[Observation, Any]) -> None:
        gymnasium.Wrapper.__init__(self, env)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are allowed now, ``[A]``."""
        masks: NDArray[np.bool_] = self.env.get_wrapper_attr("action_masks")()
        return masks


def _named(function: Callable[..., Any], *args: Any, **arguments: Any) -> dict[str, Any]:
    """Return the arguments behind the first two by their names."""
    signature = inspect.signature(function)
    found: dict[str, Any] = {}
    for name, value in list(signature.bind(*args, **arguments).arguments.items())[2:]:
        found |= value if signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD else {name: value}
    return found


class RewardScalingWrapper(EnvironmentWrapper):
    """Turns every reward into ``scale * reward + offset``."""

    def __init__(self, env: gymnasium.Env[Observation, Any], scale: float = 1.0, offset: float = 0.0) -> None:
        super().__init__(env)
        self.scale = scale
        self.offset = offset

    def step(self, action: Any) -> Stepped:
        observation, reward, terminated, truncated, info = self.env.step(action)
        return observation, self.scale * float(reward) + self.offset, terminated, truncated, info


class ActionMaskWrapper(EnvironmentWrapper):
    """Makes every action legal, for learners that do not know masks.

    An action that is not allowed is replaced by the next allowed one: counting up from it, and on from 0 after the
    last. ``info["action_replaced"]`` says whether this happened, ``replaced`` counts how often since the start.
    """

    def __init__(self, env: gymnasium.Env[Observation, Any]) -> None:
        super().__init__(env)
        if not isinstance(env.action_space, gymnasium.spaces.Discrete):
            raise ValueError(
                'ActionMaskWrapper replaces numbers: make the environment with actions="steps" or "candidates"'
            )
        self.replaced = 0

    def step(self, action: Any) -> Stepped:
        legal = self.legal_action(int(action))
        replaced = legal != int(action)
        self.replaced += replaced
        observation, reward, terminated, truncated, info = self.env.step(legal)
        return observation, float(reward), terminated, truncated, {**info, "action_replaced": replaced}

    def legal_action(self, action: int) -> int:
        """Return the action itself where it is allowed, else the next one that is; itself when none is."""
        allowed: NDArray[np.intp] = np.flatnonzero(self.action_masks())
        if not len(allowed):
            return action
        place = int(np.searchsorted(allowed, action))
        return int(allowed[place % len(allowed)])


# --- Short runs first -------------------------------------------------------------------------------------------------


class AnteLimit:
    """How far an episode may go, and when that rises: the rule of a curriculum, for one environment or many."""

    def __init__(
        self,
        initial_max_ante: int = 2,
        ante_increment: int = 1,
        success_threshold: float = 0.8,
        eval_interval: int = 100,
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
        """Since the last check of the share of successes."""
        self.successes = 0
        self.last_rate = 0.0

    def count(self, successes: int, episodes: int = 1) -> None:
        """Count episodes that have ended, and how many of them were successes."""
        self.total_episodes += episodes
        self.episodes += episodes
        self.successes += successes
        if self.episodes >= self.eval_interval:
            self.last_rate = self.successes / self.episodes
            self.episodes = self.successes = 0
            if self.last_rate >= self.success_threshold:
                self.max_ante = min(self.max_ante + self.ante_increment, LAST_ANTE)


class CurriculumWrapper(EnvironmentWrapper):
    """Cuts episodes off after an ante that rises as the agent gets better.

    An episode succeeds when it gets beyond ``max_ante`` or wins. After every ``eval_interval`` episodes the share of
    successes among them is checked: if it reaches ``success_threshold``, ``max_ante`` rises by ``ante_increment``, up
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
        """Go back to the first limit, with all counts at 0."""
        self.limit.reset()

    def get_curriculum_info(self) -> dict[str, Any]:
        """Return the limit, the episodes so far, and how the present and the last evaluated stretch went."""
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

    def step(self, action: Any) -> Stepped:
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
