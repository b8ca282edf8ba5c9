"""The learning rate: up in the first twentieth, then down along half a cosine. It depends on the step alone."""

from __future__ import annotations

import math

_WARM_UP = 0.05
_LOWEST = 0.01


def rate(step: int, steps: int) -> float:
    """Share of the highest rate in a step, counted from 0."""
    warm = max(1, round(_WARM_UP * steps))
    if step < warm:
        return (step + 1) / warm
    done = (step - warm) / max(1, steps - warm)
    return _LOWEST + (1 - _LOWEST) * (1 + math.cos(math.pi * min(1.0, done))) / 2
