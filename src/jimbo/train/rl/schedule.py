"""How the learning rate falls. It depends on the share of the training that is done, alone."""

from __future__ import annotations

import math


def share_left(schedule: str, done: float) -> float:
    """Of the highest rate."""
    if schedule == "constant":
        return 1.0
    return 1 - done if schedule == "linear" else (1 + math.cos(math.pi * done)) / 2
