"""The observation as one vector of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from jimbo.engine import FieldSpec
from jimbo.env.layouts import Arrays, Snapshot

FEW = 32
"""Ids of at most this many kinds become one column per kind."""
LONGEST = 16
"""How many entries of a long list are shown."""
SMALL = 256
"""Numbers with smaller bounds are divided by their bound."""
LOG_SCALE = 8.0
"""Numbers on the logarithmic scale are divided by this: 1 stands for about 3,000."""

How = Literal["one-hot", "counts", "bits", "bounded", "log"]
Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Columns:
    """What a stretch of the vector holds."""

    field: str
    how: How
    start: int
    stop: int
    low: float
    high: float


class FlatLayout:
    """``observations``, one float32 vector, and ``action_mask``, float32: what RLlib's action masking wants.

    Field by field, in the engine's order, a field becomes:

    - ``one-hot``: ids of at most 32 kinds, one column per entry and kind, all 0 for "nothing";
    - ``counts`` and ``bits``: ids of more kinds, first one column per kind with how often it appears in the list, then
      the id of each entry as eight binary digits, lowest first;
    - ``bounded``: numbers whose bounds in the field list are below 256, divided by the bound;
    - ``log``: other numbers as sign(x) ln(1 + abs(x)), unless the field is logarithmic already, divided by 8.

    Of lists of more than 16 entries the first 16 are shown, except in ``counts`` and where each entry has a name. With
    ``actions="candidates"`` the fields of the candidates follow, each for all K, without ``counts``.
    ``columns`` says which stretch of the vector is which.
    """

    def __init__(self, fields: Sequence[FieldSpec], actions: int, candidate_fields: Sequence[FieldSpec] = ()) -> None:
        self.columns: list[Columns] = []
        self.size = 0
        self._writers: dict[tuple[str, str], _Writer] = {}
        for field in fields:
            self._add_field(field)
        for field in candidate_fields:
            width = sum(other.is_id == field.is_id for other in candidate_fields)
            self._add_candidate_field(field, np.arange(actions) * width + field.offset)
        for writer in self._writers.values():
            writer.finish()
        low, high = (
            np.concatenate([np.full(c.stop - c.start, getattr(c, end), np.float32) for c in self.columns])
            for end in ("low", "high")
        )
        self.space = spaces.Dict(
            {
                "observations": spaces.Box(low, high, dtype=np.float32),
                "action_mask": spaces.Box(0.0, 1.0, (actions,), np.float32),
            }
        )

    def __repr__(self) -> str:
        return f"<FlatLayout of {self.size} numbers>"

    def read(self, snapshot: Snapshot) -> Arrays:
        n = len(snapshot.observations)
        rows = snapshot.observations.view(np.uint8).reshape(n, -1)
        sources = {
            **{dtype: rows.view(dtype) for dtype in ("uint8", "int16", "float32")},
            "candidate_ids": snapshot.candidate_ids.reshape(n, -1),
            "candidate_rows": snapshot.candidate_rows.reshape(n, -1),
        }
        vector = np.zeros((n, self.size), np.float32)
        for (source, _), writer in self._writers.items():
            writer.write(sources[source], vector)
        return {"observations": vector, "action_mask": snapshot.masks.astype(np.float32)}

    # --- Fields ------------------------------------------------------------------------------------------------------

    def _add_field(self, field: FieldSpec) -> None:
        dtype = np.dtype(field.dtype)
        places = np.arange(np.prod(field.shape, dtype=int)) + field.offset // dtype.itemsize
        has_names = len(field.shape) == 1 and field.parts
        shown = places
        if field.shape and field.shape[0] > LONGEST and not has_names:
            shown = places.reshape(field.shape)[:LONGEST].ravel()
        if field.categories > FEW:
            self._add_ids(field.name, field, field.dtype, "counts", places)
            self._add_ids(field.name, field, field.dtype, "bits", shown)
        elif field.is_id:
            self._add_ids(field.name, field, field.dtype, "one-hot", shown)
        else:
            self._add_numbers(field.name, field, field.dtype, shown)

    def _add_candidate_field(self, field: FieldSpec, places: Places) -> None:
        name = f"candidate_{field.name}"
        if field.is_id:
            self._add_ids(name, field, "candidate_ids", "bits" if field.categories > FEW else "one-hot", places)
        else:
            self._add_numbers(name, field, "candidate_rows", places)

    def _add_ids(self, name: str, field: FieldSpec, source: str, how: How, places: Places) -> None:
        kinds = field.categories - 1
        entries = np.arange(len(places))
        if how == "bits":
            starts, width, high = entries * 8, len(places) * 8, 1
        elif how == "one-hot":
            starts, width, high = entries * kinds, len(places) * kinds, 1
        else:
            starts, width, high = entries * 0, kinds, len(places)
        self._add(source, "bits" if how == "bits" else "kinds", places, self.size + starts)
        self._end(name, how, width, 0, high)

    def _add_numbers(self, name: str, field: FieldSpec, source: str, places: Places) -> None:
        bound = max(abs(field.low), abs(field.high))
        is_log = field.name.endswith("_log")
        how: How = "log" if is_log or bound >= SMALL else "bounded"
        scale = 1 / LOG_SCALE if how == "log" else 1 / bound
        take = "numbers" if is_log or how == "bounded" else "logs"
        columns = self.size + np.arange(len(places))
        self._add(source, take, places, columns, scale)
        ends = np.array([[field.low], [field.high]])
        low, high = (_symlog(ends) if take == "logs" else ends).astype(np.float32)[:, 0] * np.float32(scale)
        self._end(name, how, len(places), low, high)

    def _add(self, source: str, take: str, places: Places, columns: Places, scale: float = 1.0) -> None:
        self._writers.setdefault((source, take), _WRITERS[take]()).add(places, columns, scale)

    def _end(self, name: str, how: How, width: int, low: float, high: float) -> None:
        self.columns.append(Columns(name, how, self.size, self.size + width, float(low), float(high)))
        self.size += width


# --- Writers: all fields of one kind at once -------------------------------------------------------------------------


class _Writer:
    """Takes values at some places of a source and writes them at some columns of the vector."""

    def __init__(self) -> None:
        self._parts: list[tuple[Places, Places, NDArray[np.float32]]] = []

    def add(self, places: Places, columns: Places, scale: float) -> None:
        self._parts.append((places, columns, np.full(len(places), scale, np.float32)))

    def finish(self) -> None:
        places, columns, scales = zip(*self._parts, strict=True)
        self.places, self.columns = np.concatenate(places), np.concatenate(columns)
        self.scales = np.concatenate(scales)

    def write(self, source: NDArray[Any], vector: NDArray[np.float32]) -> None:
        raise NotImplementedError


class _Kinds(_Writer):
    """Adds 1 in the column of each id but 0; ``columns`` is that of the id 1."""

    def write(self, source: NDArray[Any], vector: NDArray[np.float32]) -> None:
        ids = source[:, self.places]
        rows, entries = np.nonzero(ids)
        np.add.at(vector, (rows, self.columns[entries] + ids[rows, entries] - 1), np.float32(1))


class _Bits(_Writer):
    """Eight columns from ``columns`` on for each id."""

    def write(self, source: NDArray[Any], vector: NDArray[np.float32]) -> None:
        ids = source[:, self.places].astype(np.uint8)
        vector[:, self.columns[:, None] + np.arange(8)] = np.unpackbits(ids[:, :, None], axis=2, bitorder="little")


class _Numbers(_Writer):
    def write(self, source: NDArray[Any], vector: NDArray[np.float32]) -> None:
        vector[:, self.columns] = source[:, self.places] * self.scales


class _Logs(_Writer):
    def write(self, source: NDArray[Any], vector: NDArray[np.float32]) -> None:
        vector[:, self.columns] = _symlog(source[:, self.places].astype(np.float32)) * self.scales


_WRITERS: dict[str, type[_Writer]] = {"kinds": _Kinds, "bits": _Bits, "numbers": _Numbers, "logs": _Logs}


def _symlog(x: NDArray[Any]) -> NDArray[Any]:
    logs: NDArray[Any] = np.sign(x) * np.log1p(np.abs(x))
    return logs
