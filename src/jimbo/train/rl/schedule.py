"""How the learning rate falls, and how much the newest weights count in the average that is kept."""

from __future__ import annotations

import math


def share_left(schedule: str, done: float) -> float:
    """Of the highest rate; it depends on the share of the training that is done, alone."""
    if schedule == "constant":
        return 1.0
    return 1 - done if schedule == "linear" else (1 + math.cos(math.pi * done)) / 2


def newest_share(average: float, updates: int) -> float:
    """Of the newest weights in an exponential average that is about ``average * updates`` updates old in the mean.

    It reaches back further as the training goes on, so that the first weights, which know nothing, are soon forgotten.
    """
    return 1 / (1 + average * updates)
