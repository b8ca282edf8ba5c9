"""Learning rates, each a function of how far a training is, and averages of weights."""

from __future__ import annotations

import math
from typing import Literal

Falling = Literal["constant", "linear", "cosine"]
_WARM_UP = 0.05
_LOWEST = 0.01


def warm_cosine(step: int, steps: int, warm_up: float = _WARM_UP, lowest: float = _LOWEST) -> float:
    """Return the share of the peak rate in a step, counted from 0: up in the first twentieth, then down a cosine."""
    warm = max(1, round(warm_up * steps))
    if step < warm:
        return (step + 1) / warm
    done = (step - warm) / max(1, steps - warm)
    return lowest + (1 - lowest) * share_left("cosine", min(1.0, done))


def share_left(schedule: str, done: float) -> float:
    """Return the share of the peak rate after a share of the training: down to 0 in a line or a cosine."""
    if schedule == "constant":
        return 1.0
    return 1 - done if schedule == "linear" else (1 + math.cos(math.pi * done)) / 2


def newest_share(average: float, updates: int) -> float:
    """Return the weight of the newest weights in a moving average about ``average * updates`` updates old in the mean.

    It reaches back further and further, so that the first weights, which know nothing, are soon forgotten.
    """
    return 1 / (1 + average * updates)
