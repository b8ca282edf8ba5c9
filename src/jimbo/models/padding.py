"""Decisions with different numbers of candidates, side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.data.samples import Samples

Array = NDArray[Any]


def padded(samples: Samples, indices: Array) -> tuple[Array, Array, Array, Array]:
    """Observations, candidate ids and rows as wide as the longest list needs, and which of them there are."""
    rows, mask = candidate_places(samples.starts, indices)
    return samples.observations[indices], samples.candidate_ids[rows], samples.candidate_rows[rows], mask


def candidate_places(starts: Array, indices: Array) -> tuple[Array, Array]:
    """``[B, K]`` rows of the candidates; behind the end of a list the last row again, which the mask leaves out."""
    first, end = starts[indices], starts[np.asarray(indices) + 1]
    width = max(1, int((end - first).max(initial=0)))
    places = first[:, None] + np.arange(width)
    mask = places < end[:, None]
    return np.minimum(places, np.maximum(end - 1, 0)[:, None]), mask
