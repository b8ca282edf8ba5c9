"""Whole actions as rows of small numbers, which is how Gymnasium and its learners can name them.

A row is kind, index, to, and for each of 64 hand positions 1 if it is selected: ``Action("play", cards=[0, 2])`` is
``[3, 0, 0, 1, 0, 1, 0, ...]``. What an action does not need may be anything, but for the cards of a consumable without
targets, or of a pack's card. ``action_mask`` has one flag for each value of each number, one number behind the other,
as MaskablePPO wants it: 1 for values that some allowed action has. Values that are allowed one by one need not be
allowed together.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from jimbo.engine import WHOLE_PLACES, Action, ActionKind, action_dtype

KINDS = tuple(ActionKind)
HEAD = 3
"""Numbers before the hand positions: kind, index, to."""
SIZES = np.array([len(KINDS), WHOLE_PLACES, WHOLE_PLACES, *[2] * WHOLE_PLACES])
NO_KIND = 255
MOVES = tuple(place for place, kind in enumerate(KINDS) if kind.startswith(("move_", "sort_")))


def whole_space() -> spaces.MultiDiscrete:
    return spaces.MultiDiscrete(SIZES)


def whole_rows(actions: NDArray[np.void]) -> NDArray[np.int64]:
    """Return actions of ``action_dtype()`` as rows ``[n, 67]``."""
    rows = np.zeros((len(actions), HEAD + WHOLE_PLACES), np.int64)
    for column, name in enumerate(("kind", "index", "to")):
        rows[:, column] = actions[name]
    bits = np.ascontiguousarray(actions["cards"]).view(np.uint8).reshape(-1, WHOLE_PLACES // 8)
    rows[:, HEAD:] = np.unpackbits(bits, axis=1, bitorder="little")
    return rows


def whole_actions(rows: Any, n: int, moves: bool) -> NDArray[np.void]:
    """Return rows as actions of ``action_dtype()``; those out of range and unwanted moves have no kind."""
    numbers = np.asarray(rows)
    if numbers.shape != (n, HEAD + WHOLE_PLACES) or numbers.dtype.kind not in "iu":
        raise ValueError(
            f"actions must be {n} rows of {HEAD + WHOLE_PLACES} whole numbers, "
            f"not {numbers.dtype} of shape {numbers.shape}"
        )
    fits = np.all((numbers >= 0) & (numbers < SIZES), axis=1)
    if not moves:
        fits &= ~np.isin(numbers[:, 0], MOVES)
    actions = np.zeros(n, action_dtype())
    actions["kind"] = np.where(fits, numbers[:, 0], NO_KIND)
    actions["index"], actions["to"] = np.where(fits[:, None], numbers[:, 1:HEAD], 0).T
    bits = np.packbits(np.equal(numbers[:, HEAD:], 1), axis=1, bitorder="little")
    actions["cards"] = bits.view(np.uint64)[:, 0]
    return actions


def row_of(action: Action) -> NDArray[np.int64]:
    """Return an action as a row ``[67]``."""
    row = np.zeros(HEAD + WHOLE_PLACES, np.int64)
    row[:HEAD] = KINDS.index(action.kind), action.index, action.to
    row[[HEAD + position for position in action.cards]] = 1
    return row
