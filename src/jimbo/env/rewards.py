"""What an environment pays for.

The reward of a step is the weighted sum of named terms, minus ``illegal_penalty`` for an action that is not allowed.
The terms of the engine (``TERMS``) cost nothing; a term of your own is a function of a ``Transition``::

    def jokers_owned(transition: Transition) -> np.ndarray:  # [n]
        return transition.after["n_jokers"].astype(int) - transition.before["n_jokers"]

    gymnasium.make("jimbo/Run-v0", rewards={**DEFAULT_REWARDS, "jokers": 0.01}, custom_rewards={"jokers": jokers_owned})
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.engine import reward_terms
from jimbo.text import counted

TERMS: Mapping[str, str] = MappingProxyType(reward_terms())
"""The engine's terms and what they pay in one step."""


@dataclass(frozen=True, slots=True)
class Transition:
    """One step of ``n`` rows, for reward terms written in Python."""

    before: NDArray[np.void]
    """Observation before the step, ``[n]`` structured by ``observation_dtype()``."""
    after: NDArray[np.void]
    """Observation after the step, ``[n]``; for a finished episode, its last one."""
    stats: NDArray[np.void]
    """Statistics of the episode after the step, ``[n]`` structured by ``stats_dtype()``."""

    def __repr__(self) -> str:
        return f"<Transition of {counted(len(self.stats), 'row')}>"


RewardTerm = Callable[[Transition], NDArray[Any]]
"""A term of your own: a transition of ``n`` rows to ``n`` numbers."""


def split_weights(
    weights: Mapping[str, float], custom: Mapping[str, RewardTerm]
) -> tuple[dict[str, float], dict[str, float]]:
    """Split weights into those of the engine's terms and of custom terms; ValueError for names that do not fit."""
    for name in custom:
        if name in TERMS:
            raise ValueError(f'the reward term "{name}" already exists: give the custom one another name')
        if name not in weights:
            raise ValueError(f'the custom reward term "{name}" has no weight: add "{name}" to rewards')
    for name in weights:
        if name not in TERMS and name not in custom:
            known = ", ".join([*TERMS, *custom])
            raise ValueError(f'there is no reward term "{name}": choose from {known}, or pass it in custom_rewards')
        if not math.isfinite(weights[name]):
            raise ValueError(f'the weight of the reward term "{name}" must be a finite number, not {weights[name]}')
    native = {name: float(weight) for name, weight in weights.items() if name in TERMS}
    return native, {name: float(weights[name]) for name in custom}


def custom_reward(
    transition: Transition, weights: Mapping[str, float], terms: Mapping[str, RewardTerm]
) -> NDArray[np.float64]:
    """Return the weighted sum of custom terms, ``[n]``."""
    total = np.zeros(len(transition.stats))
    for name, term in terms.items():
        values = np.asarray(term(transition), np.float64)
        if values.shape != total.shape:
            raise ValueError(f'the reward term "{name}" gave shape {values.shape} for {len(total)} rows')
        if not np.isfinite(values).all():
            raise ValueError(f'the reward term "{name}" gave what is not a finite number')
        total += weights[name] * values
    return total
