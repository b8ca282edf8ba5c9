"""What positions are taught: what became of their runs, and what the value itself said a little later in them.

One run says little about a position many blinds before its end: too much luck lies between. The value of the next
position that was kept is a calmer teacher, and it has itself been taught by what followed.
"""

from __future__ import annotations

import torch
from torch import Tensor

from jimbo.engine.value import VALUE_BLINDS


def outcomes(cleared: Tensor, game: Tensor) -> Tensor:
    """[P, 24] fates -> which blinds the run of each position cleared; skipped ones before its last one count, too.

    A position knows the fates of later blinds alone, so the last one is looked for in all positions of its game.
    """
    blinds = torch.arange(VALUE_BLINDS, device=cleared.device)
    last = ((cleared == 1) * (blinds + 1)).amax(dim=1)
    _, games = torch.unique_consecutive(game, return_inverse=True)
    last = torch.zeros_like(last).scatter_reduce(0, games, last, "amax")[games]
    return (blinds < last[:, None]).float()


def returns(outcome: Tensor, chances: Tensor, next_blind: Tensor, taken: Tensor, game: Tensor, trust: float) -> Tensor:
    """The targets of positions that stand game by game, in the order in which they were met.

    ``trust`` is the share that what came later in the run keeps at each position on the way back; the rest is what the
    value says there. 1: only what became of the run. A way that was not taken is worth what the value says, and so is
    what came before it: the detour that the run made instead does not count against it.
    """
    if trust >= 1:
        return outcome
    blinds = torch.arange(VALUE_BLINDS, device=outcome.device)
    passed = blinds < next_blind[:, None]
    told = torch.where(passed, 1.0, chances)
    taken = taken[:, None].bool()
    targets = torch.where(taken, outcome, told)
    positions = torch.arange(len(game), device=game.device)
    ends = torch.ones_like(game, dtype=torch.bool)
    ends[:-1] = game[1:] != game[:-1]
    rows = positions[ends] - 1
    while len(rows := rows[(rows >= 0) & ~ends[rows.clamp(min=0)]]):
        later = torch.lerp(told[rows + 1], targets[rows + 1], trust)
        targets[rows] = torch.where(taken[rows], later, told[rows])
        rows = rows - 1
    return targets
