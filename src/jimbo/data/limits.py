"""The largest ids that observations and candidates can hold. Others would be looked for where networks have nothing."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from jimbo.engine import candidate_fields, observation_fields


@cache
def candidate_limits() -> NDArray[np.uint8]:
    """Of each id of a candidate."""
    return np.array([min(field.categories - 1, 255) for field in candidate_fields() if field.is_id], np.uint8)


@cache
def observation_limits() -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
    """Which bytes of an observation are ids or lengths of lists, and the largest value of each."""
    places, limits = [], []
    for field in observation_fields():
        if field.dtype == "uint8" and (field.is_id or field.name.startswith("n_")):
            size = int(np.prod(field.shape, dtype=int))
            largest = field.categories - 1 if field.is_id else int(field.high)
            places.append(field.offset + np.arange(size))
            limits.append(np.full(size, min(largest, 255), np.uint8))
    return np.concatenate(places), np.concatenate(limits)
