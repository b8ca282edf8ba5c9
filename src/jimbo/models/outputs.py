"""What a network tells of a batch as plain arrays, and what it should have told of recorded games."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jimbo.data.samples import Samples
from jimbo.engine import LAST_ANTE

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
        """Return [B, K]: the probability of each candidate."""
        weights = np.exp(self.logits - self.logits.max(axis=1, keepdims=True))
        shares: Array = weights / weights.sum(axis=1, keepdims=True)
        return shares


def outputs_of(logits: Array, win: Array, clear: Array, ante: Array, mask: Array) -> Outputs:
    """Return the outputs from the logits that a network gives."""
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


# --- Recorded games ---------------------------------------------------------------------------------------------------


class Outcomes(NamedTuple):
    """How the game continued; weights are 0 if that is not known."""

    win: Array
    """[B]"""
    clear: Array
    """[B, BLINDS_AHEAD]"""
    clear_known: Array
    ante: Array
    """[B]: from 0 on."""
    known: Array
    """[B]: the game was played to its end."""


def outcomes(samples: Samples, indices: Array) -> Outcomes:
    games = samples.games[indices]
    ends = np.array([(game.result == "win", game.result != "open", game.blinds, game.ante) for game in samples.played])
    won, known, blinds, ante = ends[games].T
    further = (blinds - samples.blinds[indices])[:, None]
    ahead = np.arange(1, BLINDS_AHEAD + 1)
    return Outcomes(
        win=won.astype(np.float32),
        clear=(further >= ahead).astype(np.float32),
        # After a win there are no further blinds to be beaten or not.
        clear_known=(known[:, None] & ((further >= ahead) | ~won[:, None].astype(bool))).astype(np.float32),
        ante=np.clip(ante, 1, LAST_ANTE) - 1,
        known=known.astype(np.float32),
    )
