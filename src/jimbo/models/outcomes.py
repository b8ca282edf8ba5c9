"""What a network should have said of the rest of a recorded game: for training and for judging it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jimbo.data.samples import Samples
from jimbo.engine import LAST_ANTE
from jimbo.models.outputs import BLINDS_AHEAD

Array = NDArray[Any]


class Outcomes(NamedTuple):
    """How the game went on; weights are 0 where nobody knows."""

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
