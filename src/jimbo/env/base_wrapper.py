"""The base class of all wrappers."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

Observation = dict[str, Any]
"""Arrays by name."""


class EnvironmentWrapper(gymnasium.Wrapper[Observation, Any, Observation, Any], RecordConstructorArgs):
    """Base class for wrappers of your own: override ``step``, ``reset`` or both.

    >>> class Frugal(EnvironmentWrapper):
    ...     def step(self, action):
    ...         observation, reward, terminated, truncated, info = self.env.step(action)
    ...         return observation, reward - 0.001, terminated, truncated, info
    """

    def __init__(self, env: gymnasium.Env[Observation, Any], **arguments: Any) -> None:
        """``arguments`` are those of the subclass; gymnasium makes the wrapper again from them (``env.spec``)."""
        RecordConstructorArgs.__init__(self, **arguments)
        gymnasium.Wrapper.__init__(self, env)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are allowed now, ``[A]``."""
        masks: NDArray[np.bool_] = self.env.get_wrapper_attr("action_masks")()
        return masks
