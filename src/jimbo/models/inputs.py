"""What a network is given: arrays made of observations and candidates, the same for training and for play.

The engine's lists of fields decide it. A list of things (the hand, the jokers...) becomes tokens: for each thing some
ids and some numbers. All fields that belong to no list describe the state as a whole. So a new field of the engine is a
new input, and none is forgotten.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.data.samples import Samples
from jimbo.engine import FieldSpec, batch_schema_hash, candidate_fields, observation_dtype, observation_fields

Array = NDArray[Any]
Inputs = dict[str, Array]
"""By name; ``input_names()`` gives their order."""

STATE = ("state_ids", "state_numbers")
CANDIDATES = ("descriptions", "candidate_description", "candidate_cards", "candidate_numbers", "mask")

_WORD = 8
_MIXERS = np.array([0x9E3779B97F4A7C15, 0xD1B54A32D192ED03], np.uint64)
"""Odd numbers of many bits, by which two words become one."""
_FLOAT_SCALE = np.float32(0.2)
"""Logarithms of scores reach 20 and more."""


# --- Layout -----------------------------------------------------------------------------------------------------------

CARDS = 5
"""Cards of the hand that a candidate can name."""

_LISTS = {
    "hand": ("hand_", "selected"),
    "jokers": ("joker_",),
    "hidden": ("hidden_joker",),
    "consumables": ("consumable_",),
    "shop": ("shop_",),
    "vouchers": ("shop_voucher",),
    "boosters": ("shop_booster",),
    "pack": ("pack_",),
    "tags": ("tag",),
}
"""Lists by what their fields begin with; the longest beginning that fits decides."""
_COUNTS = {"hand": "n_hand", "jokers": "n_jokers", "consumables": "n_consumables", "shop": "n_shop", "pack": "n_pack"}
"""The field that tells how long a list is; the others end with the first id 0."""


@dataclass(frozen=True, slots=True)
class FieldColumns:
    """Where the values of one kind lie in an observation, as places in its bytes, 16-bit words and 32-bit floats."""

    bytes: NDArray[np.intp]
    words: NDArray[np.intp]
    floats: NDArray[np.intp]

    @property
    def width(self) -> int:
        return sum(int(part.shape[-1]) for part in (self.bytes, self.words, self.floats))


@dataclass(frozen=True, slots=True)
class Tokens:
    """One list: ``ids.bytes`` and the columns of ``numbers`` have the shape [length, columns]."""

    name: str
    length: int
    count: int | None
    """The byte of an observation that tells how many there are; None: until the first id is 0."""
    ids: FieldColumns
    vocabularies: tuple[str, ...]
    """Vocabularies of the columns of the ids."""
    numbers: FieldColumns

    @property
    def has_numbers(self) -> bool:
        return self.numbers.width > 0


@dataclass(frozen=True, slots=True)
class InputLayout:
    tokens: tuple[Tokens, ...]
    state_ids: FieldColumns
    state_sizes: tuple[int, ...]
    """How many values each id of the state can take."""
    state_numbers: FieldColumns


@cache
def layout() -> InputLayout:
    claimed: set[str] = set()
    tokens = []
    for name in _LISTS:
        fields = [field for field in observation_fields() if field.shape and _list_of(field) == name]
        claimed |= {field.name for field in fields}
        tokens.append(_tokens(name, fields))
    rest = [field for field in observation_fields() if field.name not in claimed]
    ids = [field for field in rest if field.is_id]
    return InputLayout(
        tokens=tuple(tokens),
        state_ids=_columns(ids, rows=1),
        state_sizes=tuple(field.categories for field in ids for _ in range(_size(field))),
        state_numbers=_columns([field for field in rest if not field.is_id], rows=1),
    )


def _list_of(field: FieldSpec) -> str | None:
    fitting = [
        (len(start), name) for name, starts in _LISTS.items() for start in starts if field.name.startswith(start)
    ]
    return max(fitting)[1] if fitting else None


def _tokens(name: str, fields: Sequence[FieldSpec]) -> Tokens:
    length = fields[0].shape[0]
    ids = [field for field in fields if field.is_id]
    count = next((field.offset for field in observation_fields() if field.name == _COUNTS.get(name)), None)
    return Tokens(
        name=name,
        length=length,
        count=count,
        ids=_columns(ids, rows=length),
        vocabularies=tuple(field.vocabulary for field in ids),
        numbers=_columns([field for field in fields if not field.is_id], rows=length),
    )


_ITEM_SIZES = {"uint8": 1, "int16": 2, "float32": 4}


def _size(field: FieldSpec) -> int:
    return int(np.prod(field.shape, dtype=int))


def _columns(fields: Sequence[FieldSpec], rows: int) -> FieldColumns:
    """Return the places of all values, ``[rows, columns]``; ``[columns]`` for one row."""

    def places(dtype: str) -> NDArray[np.intp]:
        parts = []
        for field in fields:
            if field.dtype == dtype:
                size = _ITEM_SIZES[dtype]
                assert field.offset % size == 0
                parts.append((field.offset // size + np.arange(_size(field))).reshape(rows, -1))
        joined = np.concatenate(parts, axis=1) if parts else np.zeros((rows, 0), np.intp)
        return joined[0] if rows == 1 else joined

    return FieldColumns(places("uint8"), places("int16"), places("float32"))


# --- Candidates -------------------------------------------------------------------------------------------------------


@cache
def candidate_vocabularies() -> tuple[str, ...]:
    """Return the vocabularies of a candidate's ids; places in lists come after them."""
    ids = [field for field in candidate_fields() if field.is_id]
    named = tuple(field.vocabulary for field in ids if field.vocabulary != "position")
    assert all(field.vocabulary == "position" for field in ids[len(named) :])
    assert ids[-CARDS].name == "card_1"
    return named


# --- Arrays -----------------------------------------------------------------------------------------------------------


def input_names() -> tuple[str, ...]:
    return (*STATE, *list_names(), *CANDIDATES)


def list_names() -> tuple[str, ...]:
    """Return the names of the ids and, if there are any, numbers of each list in turn."""
    names = ((f"{tokens.name}_ids", f"{tokens.name}_numbers")[: 1 + tokens.has_numbers] for tokens in layout().tokens)
    return tuple(chain.from_iterable(names))


def input_schema() -> str:
    """Return a hash of the observations and candidates that inputs are made of; other networks cannot be used."""
    return batch_schema_hash()


def network_inputs(observations: Array, candidate_ids: Array, candidate_rows: Array, mask: Array) -> Inputs:
    """Make inputs of ``[B]`` observations, ``[B, K, ...]`` candidates, and ``[B, K]`` which of them there are.

    Lists are as long as the longest of the batch, but at least one: a list's ``ids`` begin with a column that is 1
    where there is something and 0 behind the end.
    """
    raw = _Raw(observations)
    parts = layout()
    inputs: Inputs = {
        "state_ids": raw.bytes[:, parts.state_ids.bytes],
        "state_numbers": raw.numbers(parts.state_numbers),
    }
    for tokens in parts.tokens:
        inputs |= _list_inputs(raw, tokens)
    inputs["descriptions"], inputs["candidate_description"] = _descriptions(candidate_ids)
    inputs["candidate_cards"] = np.ascontiguousarray(candidate_ids[..., -CARDS:], np.uint8)
    inputs["candidate_numbers"] = candidate_rows * _FLOAT_SCALE
    inputs["mask"] = np.ascontiguousarray(mask, np.bool_)
    return inputs


def _descriptions(candidate_ids: Array) -> tuple[Array, Array]:
    """Return the descriptions of candidates by their ids, each once, and ``[B, K]`` which is whose.

    Most candidates are plays and discards of which the ids tell little: a batch has far fewer descriptions than
    candidates.
    """
    width = len(candidate_vocabularies())
    packed = np.zeros((*candidate_ids.shape[:-1], 2 * _WORD), np.uint8)
    packed[..., :width] = candidate_ids[..., :width]
    words = packed.view(np.uint64)
    keys = words[..., 0] * _MIXERS[0] ^ words[..., 1] * _MIXERS[1]  # as good as unique
    _, first, which = np.unique(keys.reshape(-1), return_index=True, return_inverse=True)
    descriptions = packed.reshape(-1, 2 * _WORD)[first, :width]
    return descriptions, which.reshape(keys.shape).astype(np.int32)


def _list_inputs(raw: _Raw, tokens: Tokens) -> Inputs:
    counts = _counts(raw, tokens)
    length = max(1, int(counts.max(initial=0)))
    present = (np.arange(length) < counts[:, None]).astype(np.uint8)
    ids = raw.bytes[:, tokens.ids.bytes[:length]]
    inputs = {f"{tokens.name}_ids": np.concatenate([present[..., None], ids], axis=2)}
    if tokens.has_numbers:
        inputs[f"{tokens.name}_numbers"] = raw.numbers(tokens.numbers, length)
    return inputs


def _counts(raw: _Raw, tokens: Tokens) -> Array:
    if tokens.count is not None:
        return raw.bytes[:, tokens.count].astype(np.intp)
    empty = raw.bytes[:, tokens.ids.bytes[:, 0]] == 0
    return np.where(empty.any(axis=1), empty.argmax(axis=1), tokens.length)


class _Raw:
    """Observations as bytes, 16-bit words and 32-bit floats."""

    def __init__(self, observations: Array) -> None:
        flat = np.ascontiguousarray(observations)
        if flat.dtype != observation_dtype():
            raise ValueError("observations must have the dtype that jimbo.engine makes for them")
        size = flat.dtype.itemsize
        self.bytes = flat.view(np.uint8).reshape(len(flat), size)
        self._words = flat.view(np.int16).reshape(len(flat), size // 2)
        self._floats = flat.view(np.float32).reshape(len(flat), size // 4)

    def numbers(self, columns: FieldColumns, length: int | None = None) -> Array:
        """Return numbers; whole ones on the logarithmic scale, as most others are already."""
        rows = slice(None) if length is None else slice(length)
        whole: list[Array] = [self.bytes[:, columns.bytes[rows]], self._words[:, columns.words[rows]]]
        joined = np.concatenate([part.astype(np.float32) for part in whole], axis=-1)
        scaled = np.sign(joined) * np.log1p(np.abs(joined))
        return np.concatenate([scaled, self._floats[:, columns.floats[rows]] * _FLOAT_SCALE], axis=-1)


# --- Recorded decisions -----------------------------------------------------------------------------------------------


def padded(samples: Samples, indices: Array) -> tuple[Array, Array, Array, Array]:
    """Return observations, candidate ids and rows as wide as the longest list needs, and which of them there are."""
    rows, mask = candidate_places(samples.starts, indices)
    return samples.observations[indices], samples.candidate_ids[rows], samples.candidate_rows[rows], mask


def candidate_places(starts: Array, indices: Array) -> tuple[Array, Array]:
    """Return ``[B, K]`` rows of the candidates, and a mask; behind the end of a list the last row is repeated."""
    first, end = starts[indices], starts[np.asarray(indices) + 1]
    width = max(1, int((end - first).max(initial=0)))
    places = first[:, None] + np.arange(width)
    mask = places < end[:, None]
    return np.minimum(places, np.maximum(end - 1, 0)[:, None]), mask
