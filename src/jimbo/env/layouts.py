"""How the engine's observation becomes a ``spaces.Dict``, in memory that is used again once nobody holds it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from jimbo.engine import FieldSpec, Recycler, observation_dtype

Observation = dict[str, Any]
"""Arrays by name."""
Arrays = dict[str, NDArray[Any]]
Bytes = NDArray[np.uint8]
Block = tuple[Bytes, Arrays]
"""Memory, and the arrays that show it: each a view of the first."""
Part = tuple[NDArray[Any], int, int]
"""A table of bytes (or of int16 that become bytes), where its rows go in a block, and how far apart they lie there."""

ALIGNMENT = 64
KEPT_BLOCKS = 4
"""Learners hold an observation or two; those who keep more get new memory for each."""


@dataclass(frozen=True, slots=True)
class BatchView:
    """The arrays of ``n`` rows that are shown. Tables may have one row that holds for all."""

    observations: NDArray[np.void]
    """``[n]`` structured by ``observation_dtype()``."""
    masks: NDArray[np.bool_]
    """``[n, A]``."""
    candidate_ids: NDArray[np.int16]
    """``[n, K, I]``; K is 0 where actions are not candidates."""
    candidate_rows: NDArray[np.float32]
    """``[n, K, F]``."""
    options: Arrays | None = None
    """Tables ``[n, ...]`` that show decisions, where these are what is chosen from."""


class ObservationLayout:
    """One way to show what the rows of a batch hold."""

    space: spaces.Dict
    """The space of a single row."""

    def block(self, rows: int | None) -> Block:
        """Make memory with an array ``[rows, ...]`` for each entry of ``space``; None: for one row, ``[...]``."""
        raise NotImplementedError

    def parts(self, view: BatchView, rows: int) -> list[Part]:
        """Return what is copied into a block of ``rows`` rows as it stands."""
        return []

    def fill(self, view: BatchView, first: int, arrays: Arrays) -> None:
        """Write what is not just copied, from the row ``first`` of the view on."""


def box_of(field: FieldSpec) -> spaces.Box:
    """Return the space of a field: ``[1]`` for a single number, a table row by row."""
    return spaces.Box(field.low, field.high, (math.prod(field.shape),), np.dtype(field.dtype).type)


def table_of(columns: Sequence[FieldSpec], rows: int, dtype: type[Any]) -> spaces.Box:
    """Return the space of a table ``[rows, columns]``."""
    low, high = (
        np.tile(np.array([getattr(field, end) for field in columns], dtype), (rows, 1)) for end in ("low", "high")
    )
    return spaces.Box(low, high, dtype=dtype)


def candidate_tables(fields: Sequence[FieldSpec], rows: int, ids: type[Any]) -> dict[str, spaces.Space[Any]]:
    """Return spaces that describe listed actions: ``candidate_ids`` and ``candidate_rows``; none without fields."""
    if not fields:
        return {}
    return {
        "candidate_ids": table_of([field for field in fields if field.is_id], rows, ids),
        "candidate_rows": table_of([field for field in fields if not field.is_id], rows, np.float32),
    }


class CopyLayout(ObservationLayout):
    """Observation, candidates and mask one behind the other, as the engine writes them."""

    def __init__(self, entries: dict[str, spaces.Space[Any]], tables: dict[str, spaces.Space[Any]], mask: int) -> None:
        self.space = spaces.Dict({**entries, **tables, "action_mask": spaces.Box(0, 1, (mask,), np.int8)})
        self._boxes: dict[str, Any] = {name: self.space[name] for name in (*tables, "action_mask")}

    def block(self, rows: int | None) -> Block:
        n = rows or 1
        *starts, size = self._starts(n)
        block = np.zeros(size, np.uint8)
        arrays = self._views(block[: n * observation_dtype().itemsize], rows)
        for (name, box), start in zip(self._boxes.items(), starts[1:], strict=True):
            shape = box.shape if rows is None else (n, *box.shape)
            count = math.prod(shape) * box.dtype.itemsize
            arrays[name] = block[start : start + count].view(box.dtype).reshape(shape)
        return block, arrays

    def parts(self, view: BatchView, rows: int) -> list[Part]:
        at: list[NDArray[Any]] = [bytes_of(view.observations)[:, : self._end()]]
        if "candidate_ids" in self._boxes:
            ids = view.candidate_ids.reshape(len(view.candidate_ids), -1)
            narrow = self._boxes["candidate_ids"].dtype == np.uint8
            at += [ids if narrow else bytes_of(ids), bytes_of(view.candidate_rows)]
        at.append(bytes_of(view.masks))
        strides = [observation_dtype().itemsize, *(row_bytes(box) for box in self._boxes.values())]
        return list(zip(at, self._starts(rows), strides, strict=False))

    def _starts(self, rows: int) -> list[int]:
        """Return where observations, tables and masks begin, and the end."""
        starts = [0]
        for size in (observation_dtype().itemsize, *(row_bytes(box) for box in self._boxes.values())):
            starts.append(-(-(starts[-1] + rows * size) // ALIGNMENT) * ALIGNMENT)
        return starts

    def _views(self, observations: Bytes, rows: int | None) -> Arrays:
        """Return the arrays of the observation."""
        raise NotImplementedError

    def _end(self) -> int:
        """Return how many bytes of an observation are shown."""
        return observation_dtype().itemsize


def row_bytes(box: Any) -> int:
    """Return how many bytes a row of a space takes."""
    return int(math.prod(box.shape) * box.dtype.itemsize)


def bytes_of(table: NDArray[Any]) -> Bytes:
    """Return a table as the bytes of its rows."""
    return table.reshape(len(table), -1).view(np.uint8)


class FieldLayout(CopyLayout):
    """One array for each field of the engine's list, with the engine's types; ids stay ids.

    Every array has one axis, as Stable-Baselines3 wants it: a single number is ``[1]``, and a table lies row by row, so
    that ``observation["joker_flags"].reshape(32, 6)`` gives it back. ``observation_fields()`` gives the shapes.
    With ``actions="candidates"`` there are also ``candidate_ids`` ``[K, I]`` and ``candidate_rows`` ``[K, F]``, which
    describe each listed action; ``candidate_fields()`` names the columns. These two are tables, for policies that
    compare rows. ``action_mask`` is int8, so that ``action_space.sample(observation["action_mask"])`` works.
    """

    def __init__(
        self, fields: Sequence[FieldSpec], mask: int, candidate_fields: Sequence[FieldSpec] = (), candidates: int = 0
    ) -> None:
        super().__init__(
            {field.name: box_of(field) for field in fields},
            candidate_tables(candidate_fields, candidates, np.int16),
            mask,
        )
        self._names = [field.name for field in fields]
        self._flat_dtype = np.dtype(
            {
                "names": self._names,
                "formats": [(field.dtype, (math.prod(field.shape),)) for field in fields],
                "offsets": [field.offset for field in fields],
                "itemsize": observation_dtype().itemsize,
            }
        )

    def __repr__(self) -> str:
        return f"<FieldLayout of {len(self.space)} arrays>"

    def _views(self, observations: Bytes, rows: int | None) -> Arrays:
        table = observations.view(self._flat_dtype)
        if rows is None:
            return {name: table[name][0] for name in self._names}
        return {name: table[name] for name in self._names}


class PackedLayout(CopyLayout):
    """``observation``, the bytes of one ``observation_dtype()``: what the networks of ``jimbo.models`` read.

    Nothing is taken apart, so it is the fastest layout to make, to keep and to send. ``observation.view(
    observation_dtype())`` gives the fields back. With ``actions="candidates"`` there are also ``candidate_ids``
    ``[K, I]``, as uint8, and ``candidate_rows`` ``[K, F]``; ``action_mask`` is int8.
    """

    def __init__(
        self, fields: Sequence[FieldSpec], mask: int, candidate_fields: Sequence[FieldSpec] = (), candidates: int = 0
    ) -> None:
        size = observation_dtype().itemsize
        super().__init__(
            {"observation": spaces.Box(0, 255, (size,), np.uint8)},
            candidate_tables(candidate_fields, candidates, np.uint8),
            mask,
        )
        # What lies behind the last field is a note of the engine's own.
        self._shown = max(field.offset + np.dtype((field.dtype, field.shape)).itemsize for field in fields)

    def __repr__(self) -> str:
        return f"<PackedLayout of {observation_dtype().itemsize} bytes>"

    def _views(self, observations: Bytes, rows: int | None) -> Arrays:
        return {"observation": observations if rows is None else observations.reshape(rows, -1)}

    def _end(self) -> int:
        return self._shown


class Showing:
    """Rows of a view, whose arrays the engine writes over with every step, as arrays that stay as they are.

    Making an array for each of 130 fields takes longer than a step, so arrays are given out again, with new contents,
    as soon as nobody holds any array of theirs or a view of one.
    """

    def __init__(self, layout: ObservationLayout, view: BatchView, rows: int | None, blocks: int = KEPT_BLOCKS) -> None:
        """``rows``: shown at a time, ``[rows, ...]``; None: one, ``[...]``."""
        self._layout, self._view, self._rows, self._blocks = layout, view, rows, blocks
        self._recycler = self._make()

    def _make(self) -> Recycler:
        rows = self._rows or 1
        parts = self._layout.parts(self._view, rows)
        return Recycler(parts, rows, partial(self._layout.block, self._rows), self._blocks)

    def take(self, first: int = 0) -> Arrays:
        """Return what the rows from ``first`` on show now."""
        arrays: Arrays = self._recycler.take(first)
        self._layout.fill(self._view, first, arrays)
        return arrays

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_recycler"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._recycler = self._make()
