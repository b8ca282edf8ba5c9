"""How the engine's observation becomes a ``spaces.Dict``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from jimbo.engine import FieldSpec, observation_dtype

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What ``n`` rows show at one moment."""

    observations: NDArray[np.void]
    """``[n]`` structured by ``observation_dtype()``."""
    masks: NDArray[np.bool_]
    """``[n, A]``."""
    candidate_ids: NDArray[np.int16]
    """``[n, K, I]``; K is 0 where actions are steps."""
    candidate_rows: NDArray[np.float32]
    """``[n, K, F]``."""


class Layout(Protocol):
    """One way to show a snapshot."""

    space: spaces.Dict
    """Of a single row."""

    def read(self, snapshot: Snapshot) -> Arrays:
        """Every entry of ``space`` for ``n`` rows, ``[n, ...]``."""
        ...


def box_of(field: FieldSpec) -> spaces.Box:
    """The space of a field: ``[1]`` for a single number, a table row by row."""
    return spaces.Box(field.low, field.high, (math.prod(field.shape),), np.dtype(field.dtype).type)


def table_of(columns: Sequence[FieldSpec], rows: int) -> spaces.Box:
    """The space of a table ``[rows, columns]``."""
    dtype = np.dtype(columns[0].dtype).type
    low, high = (
        np.tile(np.array([getattr(field, end) for field in columns], dtype), (rows, 1)) for end in ("low", "high")
    )
    return spaces.Box(low, high, dtype=dtype)


class FieldLayout:
    """One array for each field of the engine's list, with the engine's types; ids stay ids.

    Every array has one axis, as Stable-Baselines3 wants it: a single number is ``[1]``, and a table lies row by row, so
    that ``observation["joker_flags"].reshape(32, 6)`` gives it back. ``observation_fields()`` gives the shapes.
    With ``actions="candidates"`` there are also ``candidate_ids`` ``[K, I]`` and ``candidate_rows`` ``[K, F]``, which
    describe each listed action; ``candidate_fields()`` names the columns. These two are tables, for policies that
    compare rows. ``action_mask`` is int8, so that ``action_space.sample(observation["action_mask"])`` works.
    """

    def __init__(self, fields: Sequence[FieldSpec], actions: int, candidate_fields: Sequence[FieldSpec] = ()) -> None:
        entries: dict[str, spaces.Space[Any]] = {field.name: box_of(field) for field in fields}
        if candidate_fields:
            entries["candidate_ids"] = table_of([field for field in candidate_fields if field.is_id], actions)
            entries["candidate_rows"] = table_of([field for field in candidate_fields if not field.is_id], actions)
        entries["action_mask"] = spaces.Box(0, 1, (actions,), np.int8)
        self.space = spaces.Dict(entries)
        self._names = [field.name for field in fields]
        self._flat_dtype = np.dtype(
            {
                "names": self._names,
                "formats": [(field.dtype, (math.prod(field.shape),)) for field in fields],
                "offsets": [field.offset for field in fields],
                "itemsize": observation_dtype().itemsize,
            }
        )
        self._has_candidates = bool(candidate_fields)

    def __repr__(self) -> str:
        return f"<FieldLayout of {len(self.space)} arrays>"

    def read(self, snapshot: Snapshot) -> Arrays:
        # One copy of the whole block, as bytes since numpy copies structures field by field; the entries are views.
        rows = snapshot.observations.view(np.uint8).copy().view(self._flat_dtype)
        arrays = {name: rows[name] for name in self._names}
        if self._has_candidates:
            arrays["candidate_ids"] = snapshot.candidate_ids.copy()
            arrays["candidate_rows"] = snapshot.candidate_rows.copy()
        arrays["action_mask"] = snapshot.masks.astype(np.int8)
        return arrays
