"""The base class of all wrappers."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Self

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

    def __new__(cls, *args: Any, **arguments: Any) -> Self:
        """Notes the arguments of the subclass: from them the wrapper can be made again (``env.spec``)."""
        made = super().__new__(cls)
        if args or arguments:  # copies are made without
            named = _named(cls.__init__, made, *args, **arguments)
            RecordConstructorArgs.__init__(made, _disable_deepcopy=True, **named)
        return made

    def __init__(self, env: gymnasium.Env[Observation, Any]) -> None:
        gymnasium.Wrapper.__init__(self, env)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are allowed now, ``[A]``."""
        masks: NDArray[np.bool_] = self.env.get_wrapper_attr("action_masks")()
        return masks


def _named(function: Callable[..., Any], *args: Any, **arguments: Any) -> dict[str, Any]:
    """The arguments behind the first two by their names."""
    signature = inspect.signature(function)
    found: dict[str, Any] = {}
    for name, value in list(signature.bind(*args, **arguments).arguments.items())[2:]:
        found |= value if signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD else {name: value}
    return found
