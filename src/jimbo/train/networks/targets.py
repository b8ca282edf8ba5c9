"""Which candidate a network should have chosen."""

from __future__ import annotations

from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from jimbo.data import Measure
from jimbo.data.samples import Samples
from jimbo.models.padding import candidate_places

Array = NDArray[Any]

_SCALES = {"clear": 0.02, "win": 1.0}
"""By the measure of the values: differences that a teacher can tell. Scores and values of its own say nothing sure."""


class Choices(NamedTuple):
    """``[B, K]``: how likely each candidate should be; and ``[B]``: whether anything can be learnt from it."""

    shares: Array
    counts: Array


def choices(samples: Samples, indices: Array, softness: float) -> Choices:
    """The action that was taken and, with the weight ``softness``, all that its player found nearly as good."""
    rows, mask = candidate_places(samples.starts, indices)
    chosen = samples.chosen[indices]
    counts = (chosen >= 0) & (mask.sum(axis=1) > 1)
    hard = (np.arange(mask.shape[1]) == chosen[:, None]).astype(np.float32)
    values = np.where(mask, samples.values[rows], np.nan)
    soft = _soft(values, samples.measures[indices])
    known = (soft * hard).sum(axis=1) > 0  # the action taken is among the values
    weight = np.where(known, softness, 0.0).astype(np.float32)[:, None]
    return Choices((1 - weight) * hard + weight * soft, counts)


def _soft(values: Array, measures: Array) -> Array:
    """Shares by the player's own values; of a network's probabilities they are these themselves."""
    names = get_args(Measure)
    scales = np.array([_SCALES.get(name, np.nan) for name in names], np.float32)[measures][:, None]
    known = ~np.isnan(values)
    best = np.max(values, axis=1, keepdims=True, initial=-np.inf, where=known)
    with np.errstate(invalid="ignore", over="ignore"):
        weights = np.exp(np.where(known, (values - best) / scales, -np.inf))
    weights = np.where(
        (measures == names.index("choice"))[:, None], np.where(known, values, 0.0), np.nan_to_num(weights)
    )
    shares: Array = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-9)
    return shares.astype(np.float32)
