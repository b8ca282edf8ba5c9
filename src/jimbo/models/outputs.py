"""What a network tells of a batch, as plain arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

BLINDS_AHEAD = 6
"""How many further blinds a network looks ahead."""
OUTPUT_NAMES = ("logits", "win", "clear", "ante")

Array = NDArray[Any]


class Outputs(NamedTuple):
    logits: Array
    """[B, K]; minus infinity where there is no candidate."""
    win: Array
    """[B]: the chance to win the run."""
    clear: Array
    """[B, BLINDS_AHEAD]: the chance to beat at least one more blind, two more, ..."""
    ante: Array
    """[B]: the ante in which the run is expected to end."""

    def probabilities(self) -> Array:
        """[B, K]: with which each candidate would be chosen."""
        weights = np.exp(self.logits - self.logits.max(axis=1, keepdims=True))
        shares: Array = weights / weights.sum(axis=1, keepdims=True)
        return shares


def outputs_of(logits: Array, win: Array, clear: Array, ante: Array, mask: Array) -> Outputs:
    """From the logits that a network gives."""
    shares = np.exp(ante - ante.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    return Outputs(
        logits=np.where(mask, logits, -np.inf),
        win=_chance(win),
        clear=_chance(clear),
        ante=shares @ np.arange(1, ante.shape[1] + 1, dtype=np.float32),
    )


def _chance(logits: Array) -> Array:
    chance: Array = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
    return chance
