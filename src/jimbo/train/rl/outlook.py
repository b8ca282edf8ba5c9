"""What the heads of a network should expect of a run (P(win), blinds ahead, final ante), from games that go on.

Few games end between two updates, and those that do are the short ones: learning from them alone would be learning to
expect the worst. So what is not known yet is what the network itself expects where the decisions end.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from jimbo.engine import LAST_ANTE
from jimbo.models.outputs import BLINDS_AHEAD
from jimbo.train.rl.games import Turn

Array = NDArray[Any]


class Outlook(NamedTuple):
    """Chances, for each row: of winning, of beating one more blind, two more..., of each final ante."""

    win: Array
    clear: Array
    clear_known: Array
    """Whether there is anything to know: after a win there are no further blinds to be beaten."""
    ante: Array


def expected(win: Tensor, clear: Tensor, ante: Tensor) -> Outlook:
    """What the logits of a network say."""
    chances = (win.float().sigmoid(), clear.float().sigmoid(), ante.float().softmax(dim=-1))
    first, second, third = (part.cpu().numpy() for part in chances)
    return Outlook(first, second, np.ones_like(second), third)


def put(into: Outlook, rows: Array, values: Outlook) -> None:
    for part, value in zip(into, values, strict=True):
        part[rows] = value


def outlooks(turns: list[Turn], cuts: list[Outlook | None], last: Outlook) -> Outlook:
    """For each decision ``[turns * rows]``, of what came of it; ``cuts``: what was expected of games cut off there."""
    found = []
    after = Outlook(*(part.copy() for part in last))
    for turn, cut in zip(reversed(turns), reversed(cuts), strict=True):
        if cut is not None:
            put(after, turn.cut, cut)
        put(after, turn.ended, _ends(turn))
        after = Outlook(after.win, *_earlier(after, turn.beaten), after.ante)
        found.append(after)
        after = Outlook(*(part.copy() for part in after))
    return Outlook(*(np.concatenate(parts[::-1]) for parts in zip(*found, strict=True)))


def _ends(turn: Turn) -> Outlook:
    won = turn.won[turn.ended].astype(np.float32)
    nothing = np.zeros((len(won), BLINDS_AHEAD), np.float32)
    antes = np.eye(LAST_ANTE, dtype=np.float32)[np.clip(turn.ante[turn.ended], 1, LAST_ANTE) - 1]
    return Outlook(won, nothing, nothing + (1 - won[:, None]), antes)


def _earlier(after: Outlook, beaten: Array) -> tuple[Array, Array]:
    """The blinds ahead of a decision: those that it beat, and then those that were ahead after it."""
    ahead = np.concatenate([np.ones_like(after.clear), after.clear], axis=1)
    known = np.concatenate([np.ones_like(after.clear), after.clear_known], axis=1)
    places = BLINDS_AHEAD - np.minimum(beaten, BLINDS_AHEAD)[:, None] + np.arange(BLINDS_AHEAD)
    return np.take_along_axis(ahead, places, axis=1), np.take_along_axis(known, places, axis=1)


def outlook_loss(win: Tensor, clear: Tensor, ante: Tensor, target: tuple[Tensor, ...]) -> Tensor:
    """The sum over the decisions."""
    wins, clears, known, antes = target
    blinds = binary_cross_entropy_with_logits(clear, clears, weight=known, reduction="none").mean(dim=1)
    return torch.stack(
        [
            binary_cross_entropy_with_logits(win, wins, reduction="sum"),
            blinds.sum(),
            cross_entropy(ante, antes, reduction="sum"),
        ]
    ).sum()
