"""The numbers of the rows of one game, in memory."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

_LOOK_AGAIN = 1.0
"""Seconds."""


class RowIndex:
    """In the order of the rows; rows that come are added, those that leave the window are forgotten."""

    def __init__(self, numbers_after: Callable[[int], list[int]], newest: Callable[[], int]) -> None:
        self._numbers_after, self._newest = numbers_after, newest
        self._numbers = np.zeros(0, np.int64)
        self._looked = -float("inf")
        self._window = 0

    def __len__(self) -> int:
        return min(len(self._numbers), self._window or len(self._numbers))

    def refresh(self, window: int) -> None:
        self._window = window
        now = time.monotonic()
        if now - self._looked < _LOOK_AGAIN:
            return
        last = int(self._numbers[-1]) if len(self._numbers) else 0
        if self._newest() < last:
            self.rebuild()  # the store was emptied, and counts from the beginning again
            return
        self._looked = now
        if fresh := self._numbers_after(last):
            kept = self._numbers[-window:] if window else self._numbers
            self._numbers = np.concatenate([kept, np.array(fresh, np.int64)])

    def rebuild(self) -> None:
        self._looked = time.monotonic()
        self._numbers = np.array(self._numbers_after(0), np.int64)

    def draw(self, count: int, random: np.random.Generator) -> list[int]:
        """With repetition, each as likely as any other."""
        places = random.integers(len(self._numbers) - len(self), len(self._numbers), count)
        drawn: list[int] = self._numbers[places].tolist()
        return drawn
