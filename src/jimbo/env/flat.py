"""The observation as one vector of numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Literal

import numpy as np
from gymnasium import spaces

from jimbo.engine import FieldSpec, FlatPlan
from jimbo.env.layouts import Arrays, BatchView, Block, ObservationLayout

FEW = 16
"""Ids of at most this many kinds become one column per kind."""
LONGEST = 12
"""Entries of a long list that are shown."""
SMALL = 256
"""Numbers with smaller bounds are divided by their bound."""
LOG_SCALE = 8.0
"""Numbers on the logarithmic scale are divided by this: 1 stands for about 3,000."""

ITEMS = ("blind", "tag", "booster", "voucher", "consumable", "joker")
"""Ids of a candidate that name the item it is about: one number for all; the later one counts where there are two."""
CARDS = ("card_1", "card_2", "card_3", "card_4", "card_5")
LEFT_OUT = ("offer", "rarity", "to")
"""Ids of a candidate that follow from others."""

How = Literal["one-hot", "counts", "bits", "bounded", "log"]


class Source(IntEnum):
    """Where a value lies, numbered as in learn/flat.hpp."""

    UINT8 = 0
    INT16 = 1
    FLOAT32 = 2
    CANDIDATE_ID = 3
    CANDIDATE_NUMBER = 4


class Write(IntEnum):
    """What is made of it, numbered as in learn/flat.hpp."""

    KINDS = 0
    BITS = 1
    NUMBERS = 2
    LOGS = 3


SOURCES = {"uint8": Source.UINT8, "int16": Source.INT16, "float32": Source.FLOAT32}


@dataclass(frozen=True, slots=True)
class FlatColumns:
    """A stretch of the vector, and what it holds."""

    field: str
    how: How
    start: int
    stop: int
    low: float
    high: float


class FlatLayout(ObservationLayout):
    """``observations``, one float32 vector, and ``action_mask``, float32: what RLlib's action masking wants.

    Field by field, in the engine's order, a field becomes:

    - ``one-hot``: ids of at most 16 kinds, one column per entry and kind, all 0 for "nothing";
    - ``bits``: ids of more kinds, the id of each entry in binary digits, lowest first, as many as the kinds need;
    - ``counts``: before the ``bits`` of lists longer than 12, one column per kind with how often it appears;
    - ``bounded``: numbers whose bounds in the field list are below 256, divided by the bound;
    - ``log``: other numbers as sign(x) ln(1 + abs(x)), unless the field is logarithmic already, divided by 8.

    Of lists of more than 12 entries the first 12 are shown, except in ``counts`` and where each entry has a name.

    With ``actions="candidates"`` the candidates follow one by one, each ``candidate_width`` columns: ``kind`` and
    ``item`` (the joker, consumable, voucher, booster, tag or blind it is about, by one number for all of them) as
    ``bits``, its ``positions`` as one column for each of the first 12 cards of the hand, the other ids as fields have
    them, and all numbers. So ``vector[candidate_start:].reshape(K, candidate_width)`` is a table, for a head that all
    share.
    ``columns`` says which stretch of the vector is which.

    A vector of numbers is for simple networks: those of ``jimbo.models`` read ``observation="packed"``.
    """

    def __init__(
        self, fields: Sequence[FieldSpec], mask: int, candidate_fields: Sequence[FieldSpec] = (), candidates: int = 0
    ) -> None:
        self.columns: list[FlatColumns] = []
        self.size = 0
        self._entries: list[tuple[int, int, int, int, int, int, float]] = []
        for field in fields:
            self._add_field(field)
        self.candidate_start = self.size
        for number in range(candidates if candidate_fields else 0):
            self._add_candidate(number, candidate_fields)
        self.candidate_width = (self.size - self.candidate_start) // max(1, candidates)
        self._candidates = candidates if candidate_fields else 0
        self._plan: FlatPlan | None = None
        low, high = (
            np.concatenate([np.full(c.stop - c.start, getattr(c, end), np.float32) for c in self.columns])
            for end in ("low", "high")
        )
        self.space = spaces.Dict(
            {
                "observations": spaces.Box(low, high, dtype=np.float32),
                "action_mask": spaces.Box(0.0, 1.0, (mask,), np.float32),
            }
        )

    def __repr__(self) -> str:
        return f"<FlatLayout of {self.size} numbers>"

    # --- Showing -----------------------------------------------------------------------------------------------------

    def block(self, rows: int | None) -> Block:
        n = rows or 1
        widths = {"observations": self.size, "action_mask": math.prod(self.space["action_mask"].shape or ())}
        block = np.zeros(4 * n * sum(widths.values()), np.uint8)
        arrays: Arrays = {}
        start = 0
        for name, width in widths.items():
            table = block[start : start + 4 * n * width].view(np.float32)
            arrays[name] = table if rows is None else table.reshape(n, width)
            start += 4 * n * width
        return block, arrays

    def fill(self, view: BatchView, first: int, arrays: Arrays) -> None:
        if self._plan is None:
            self._plan = FlatPlan(self.size, self._candidates, self._entries)
        table = np.atleast_2d(arrays["observations"])
        rows = len(table)
        n = len(view.observations)
        self._plan.write(
            view.observations.view(np.uint8).reshape(n, -1), n, view.candidate_ids, view.candidate_rows,
            len(view.candidate_ids), first, table, rows,
        )  # fmt: skip
        masks = view.masks
        np.atleast_2d(arrays["action_mask"])[...] = masks if len(masks) == 1 else masks[first : first + rows]

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_plan": None}  # made again when needed

    # --- Fields ------------------------------------------------------------------------------------------------------

    def _add_field(self, field: FieldSpec) -> None:
        size = np.dtype(field.dtype).itemsize
        count = math.prod(field.shape)
        places = [field.offset + size * place for place in range(count)]
        has_names = len(field.shape) == 1 and field.parts
        is_long = bool(field.shape) and field.shape[0] > LONGEST and not has_names
        shown = places[: LONGEST * count // field.shape[0]] if is_long else places
        source = SOURCES[field.dtype]
        if not field.is_id:
            self._add_numbers(field.name, field, source, shown)
            return
        if is_long and field.categories - 1 > FEW:
            self._add_shared(field.name, "counts", source, field.categories - 1, places, high=len(places))
        self._add_ids(field.name, field, source, shown, FEW)

    def _add_candidate(self, number: int, fields: Sequence[FieldSpec]) -> None:
        ids = {field.name: field for field in fields if field.is_id}
        first = number * len(ids)
        name = f"candidate_{number}_"
        self._add_item(name + "item", [ids[item] for item in ITEMS], first)
        cards = [first + ids[card].offset for card in CARDS]
        self._add_shared(name + "positions", "one-hot", Source.CANDIDATE_ID, LONGEST, cards)
        for field in ids.values():
            if field.name not in (*ITEMS, *CARDS, *LEFT_OUT):
                self._add_ids(name + field.name, field, Source.CANDIDATE_ID, [first + field.offset], FEW // 2)
        first = number * (len(fields) - len(ids))
        for field in fields:
            if not field.is_id:
                self._add_numbers(name + field.name, field, Source.CANDIDATE_NUMBER, [first + field.offset])

    # --- Columns -----------------------------------------------------------------------------------------------------

    def _add_ids(self, name: str, field: FieldSpec, source: Source, places: Sequence[int], few: int) -> None:
        kinds = field.categories - 1
        if kinds <= few:
            self._add_each(name, "one-hot", source, Write.KINDS, places, kinds)
        else:
            self._add_each(name, "bits", source, Write.BITS, places, kinds.bit_length())

    def _add_numbers(self, name: str, field: FieldSpec, source: Source, places: Sequence[int]) -> None:
        bound = max(abs(field.low), abs(field.high))
        is_log = field.name.endswith("_log")
        how: How = "log" if is_log or bound >= SMALL else "bounded"
        scale = 1 / LOG_SCALE if how == "log" else 1 / bound
        write = Write.NUMBERS if is_log or how == "bounded" else Write.LOGS
        ends = np.array([field.low, field.high])
        low, high = (_symlog(ends) if write is Write.LOGS else ends).astype(np.float32) * np.float32(scale)
        self._add_each(name, how, source, write, places, 1, float(low), float(high), scale)

    def _add_each(
        self, name: str, how: How, source: Source, write: Write, places: Sequence[int], width: int,
        low: float = 0.0, high: float = 1.0, scale: float = 1.0,
    ) -> None:  # fmt: skip
        """Add ``width`` columns for each entry."""
        for number, place in enumerate(places):
            self._entries.append((source, write, place, self.size + number * width, width, 0, scale))
        self._end(name, how, width * len(places), low, high)

    def _add_shared(
        self, name: str, how: How, source: Source, kinds: int, places: Sequence[int], high: float = 1.0
    ) -> None:
        """Add a column for each kind, which all entries share."""
        for place in places:
            self._entries.append((source, Write.KINDS, place, self.size, kinds, 0, 1.0))
        self._end(name, how, kinds, 0.0, high)

    def _add_item(self, name: str, fields: Sequence[FieldSpec], first: int) -> None:
        """Add the binary digits of one number for the ids of all these fields."""
        width = sum(field.categories - 1 for field in fields).bit_length()
        base = 0
        for field in fields:
            place = first + field.offset
            self._entries.append((Source.CANDIDATE_ID, Write.BITS, place, self.size, width, base, 1.0))
            base += field.categories - 1
        self._end(name, "bits", width, 0.0, 1.0)

    def _end(self, name: str, how: How, width: int, low: float, high: float) -> None:
        self.columns.append(FlatColumns(name, how, self.size, self.size + width, low, float(high)))
        self.size += width


def _symlog(x: Any) -> Any:
    return np.sign(x) * np.log1p(np.abs(x))
