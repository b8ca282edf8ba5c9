"""Decisions in random order, in batches of about equally many candidates, so that little is computed for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.data.samples import Samples

Array = NDArray[Any]

_POOL = 32
"""Batches whose decisions are sorted by the number of candidates, before they are dealt out."""


def batches(samples: Samples, indices: Array, size: int, seed: list[int]) -> Iterator[Array]:
    """The same for the same ``seed``."""
    random = np.random.default_rng(seed)
    indices = random.permutation(indices)
    counts = np.diff(samples.starts)
    for start in range(0, len(indices), size * _POOL):
        pool = indices[start : start + size * _POOL]
        pool = pool[np.argsort(counts[pool], kind="stable")]
        cut = [pool[first : first + size] for first in range(0, len(pool), size)]
        yield from (cut[place] for place in random.permutation(len(cut)))


def split(samples: Samples, share: float) -> tuple[Array, Array]:
    """Decisions to learn from and to judge by; a game is on one side, by its number, whatever its place in the file.

    Only those with a choice that is listed.
    """
    useful = (samples.chosen >= 0) & (np.diff(samples.starts) > 1)
    every = max(2, round(1 / share)) if share > 0 else 0
    numbers = np.array([game.number for game in samples.played], np.int64)[samples.games]
    judged = (numbers % every == every - 1) if every else np.zeros(len(samples), np.bool_)
    return np.flatnonzero(useful & ~judged), np.flatnonzero(useful & judged)
