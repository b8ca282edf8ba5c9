"""What rows show, in memory that is used again once nobody holds it."""

from __future__ import annotations

from functools import partial
from typing import Any

from jimbo.engine import Recycler
from jimbo.env.layouts import Arrays, Layout, Snapshot

KEPT_BLOCKS = 4
"""Learners hold an observation or two; those who keep more get new memory for each."""


class Showing:
    """Rows of a snapshot, whose arrays the engine writes over with every step, as arrays that stay as they are.

    Making an array for each of 130 fields takes longer than a step, so arrays are given out again, with new contents,
    as soon as nobody holds any array of theirs or a view of one.
    """

    def __init__(self, layout: Layout, snapshot: Snapshot, rows: int | None, blocks: int = KEPT_BLOCKS) -> None:
        """``rows``: shown at a time, ``[rows, ...]``; None: one, ``[...]``."""
        self._layout = layout
        self._snapshot = snapshot
        self._rows = rows
        self._blocks = blocks
        self._recycler = self._make()

    def _make(self) -> Recycler:
        rows = self._rows or 1
        parts = self._layout.parts(self._snapshot, rows)
        return Recycler(parts, rows, partial(self._layout.block, self._rows), self._blocks)

    def take(self, first: int = 0) -> Arrays:
        """What the rows from ``first`` on show now."""
        arrays: Arrays = self._recycler.take(first)
        self._layout.fill(self._snapshot, first, arrays)
        return arrays

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_recycler"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._recycler = self._make()
