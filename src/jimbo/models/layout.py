"""How the fields of observations and candidates are given to a network. The engine's lists of fields decide it.

A list of things (the hand, the jokers...) becomes tokens: for each thing some ids and some numbers. All fields that
belong to no list describe the state as a whole. So a new field of the engine is a new input, and none is forgotten.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from jimbo.engine import FieldSpec, candidate_fields, observation_fields

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
"""By what their fields begin with; the longest beginning that fits decides."""
_COUNTS = {"hand": "n_hand", "jokers": "n_jokers", "consumables": "n_consumables", "shop": "n_shop", "pack": "n_pack"}
"""The field that tells how long a list is; the others end with the first id 0."""


@dataclass(frozen=True, slots=True)
class Columns:
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
    ids: Columns
    vocabularies: tuple[str, ...]
    """Of the columns of the ids."""
    numbers: Columns

    @property
    def has_numbers(self) -> bool:
        return self.numbers.width > 0


@dataclass(frozen=True, slots=True)
class Layout:
    tokens: tuple[Tokens, ...]
    state_ids: Columns
    state_sizes: tuple[int, ...]
    """How many values each id of the state can take."""
    state_numbers: Columns


@cache
def layout() -> Layout:
    claimed: set[str] = set()
    tokens = []
    for name in _LISTS:
        fields = [field for field in observation_fields() if field.shape and _list_of(field) == name]
        claimed |= {field.name for field in fields}
        tokens.append(_tokens(name, fields))
    rest = [field for field in observation_fields() if field.name not in claimed]
    ids = [field for field in rest if field.is_id]
    return Layout(
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


def _columns(fields: Sequence[FieldSpec], rows: int) -> Columns:
    """Places of all values, ``[rows, columns]``; ``[columns]`` where there is one row."""

    def places(dtype: str) -> NDArray[np.intp]:
        parts = []
        for field in fields:
            if field.dtype == dtype:
                size = _ITEM_SIZES[dtype]
                assert field.offset % size == 0
                parts.append((field.offset // size + np.arange(_size(field))).reshape(rows, -1))
        joined = np.concatenate(parts, axis=1) if parts else np.zeros((rows, 0), np.intp)
        return joined[0] if rows == 1 else joined

    return Columns(places("uint8"), places("int16"), places("float32"))


# --- Candidates -------------------------------------------------------------------------------------------------------


@cache
def candidate_vocabularies() -> tuple[str, ...]:
    """Of the ids of a candidate that stand for something; places in lists come after them."""
    ids = [field for field in candidate_fields() if field.is_id]
    named = tuple(field.vocabulary for field in ids if field.vocabulary != "position")
    assert all(field.vocabulary == "position" for field in ids[len(named) :])
    assert ids[-CARDS].name == "card_1"
    return named
