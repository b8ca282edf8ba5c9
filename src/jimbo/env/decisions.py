"""How decisions outside of hands are listed and shown: what ``jimbo/Campaign-v0`` adds to the rows of a batch."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces

from jimbo.engine.decisions import INPUTS, OptionSource, option_kinds
from jimbo.env.layouts import (
    ALIGNMENT,
    Arrays,
    BatchView,
    Block,
    ObservationLayout,
    Part,
    bytes_of,
    row_bytes,
)
from jimbo.env.options import CampaignOptions
from jimbo.models.value_file import OWN_FILE, layers_of, read_value

LARGEST = 1000.0
"""No number that is shown comes near it."""
HALF = "half_"
"""Begins the names of arrays of float16, which are shown without it."""


def source_of(options: CampaignOptions) -> OptionSource:
    """Make the source of the options of one batch."""
    layout = "summary" if options.layout == "flat" else options.layout
    return OptionSource(
        layout,
        options=options.max_options,
        rollouts=options.rollouts,
        finalists=options.finalists,
        worlds=options.worlds,
        shaping=options.shaping,
        gamma=options.gamma,
        half=options.half,
        layers=layers_of(read_value(Path(options.value or OWN_FILE))[0]) if options.asks_value else None,
    )


def layout_of(options: CampaignOptions, arrays: Arrays) -> ObservationLayout:
    """Return how the arrays of a source are shown."""
    return FlatOptionLayout(arrays) if options.layout == "flat" else OptionLayout(arrays)


def box_of(name: str, table: Any) -> spaces.Box:
    """Return the space of one row of a table of a source."""
    shape, dtype = table.shape[1:], table.dtype.type
    if name == "kinds":
        return spaces.Box(0, len(option_kinds()) - 1, shape, dtype)
    if name.endswith("indices"):
        return spaces.Box(0, INPUTS - 1, shape, dtype)
    return spaces.Box(-LARGEST, LARGEST, shape, dtype)


class OptionLayout(ObservationLayout):
    """The arrays of an ``OptionSource`` as they are, and ``action_mask``, int8.

    ``kinds`` ``[K]``, and by the layout ``state_indices``, ``state_values`` ``[W]``, ``option_indices``,
    ``option_values`` ``[K, W]``; or ``state_inputs`` ``[I]``, ``option_inputs`` ``[K, I]``; or ``state_summary``
    ``[S]``, ``option_summary`` ``[K, S]``.
    """

    def __init__(self, arrays: Arrays) -> None:
        boxes = {name: box_of(name, table) for name, table in arrays.items()}
        boxes["action_mask"] = spaces.Box(0, 1, (arrays["kinds"].shape[1],), np.int8)
        self._names = list(boxes)
        self.space = spaces.Dict({name.removeprefix(HALF): box for name, box in boxes.items()})
        self._boxes = boxes

    def __repr__(self) -> str:
        return f"<OptionLayout of {', '.join(self._names)}>"

    def block(self, rows: int | None) -> Block:
        n = rows or 1
        *starts, size = self._starts(n)
        block = np.zeros(size, np.uint8)
        arrays: Arrays = {}
        for (name, box), start in zip(self._boxes.items(), starts, strict=True):
            shape = box.shape if rows is None else (n, *box.shape)
            place = block[start : start + n * row_bytes(box)]
            arrays[name.removeprefix(HALF)] = place.view(box.dtype).reshape(shape)
        return block, arrays

    def parts(self, view: BatchView, rows: int) -> list[Part]:
        assert view.options is not None
        tables = [*(view.options[name] for name in self._names[:-1]), view.masks]
        strides = [row_bytes(box) for box in self._boxes.values()]
        return list(zip(map(bytes_of, tables), self._starts(rows), strides, strict=False))

    def _starts(self, rows: int) -> list[int]:
        """Return where each table begins, and the end."""
        starts = [0]
        for box in self._boxes.values():
            starts.append(-(-(starts[-1] + rows * row_bytes(box)) // ALIGNMENT) * ALIGNMENT)
        return starts


class FlatOptionLayout(ObservationLayout):
    """``observations``, one float32 vector, and ``action_mask``, float32: what RLlib's action masking wants.

    The summary of the run is followed by that of each option: ``vector.reshape(1 + K, S)`` is a table of them.
    """

    def __init__(self, arrays: Arrays) -> None:
        _, count, self._width = arrays["option_summary"].shape
        self.space = spaces.Dict(
            {
                "observations": spaces.Box(-LARGEST, LARGEST, ((1 + count) * self._width,), np.float32),
                "action_mask": spaces.Box(0.0, 1.0, (count,), np.float32),
            }
        )

    def __repr__(self) -> str:
        return f"<FlatOptionLayout of {self.space['observations'].shape} numbers>"

    def block(self, rows: int | None) -> Block:
        n = rows or 1
        sizes = {name: math.prod(box.shape or ()) for name, box in self.space.items()}
        block = np.zeros(4 * n * sum(sizes.values()), np.uint8)
        arrays: Arrays = {}
        start = 0
        for name, size in sizes.items():
            table = block[start : start + 4 * n * size].view(np.float32)
            arrays[name] = table if rows is None else table.reshape(n, size)
            start += 4 * n * size
        return block, arrays

    def fill(self, view: BatchView, first: int, arrays: Arrays) -> None:
        assert view.options is not None
        table = np.atleast_2d(arrays["observations"])
        rows = slice(first, first + len(table))
        state, options = view.options["state_summary"], view.options["option_summary"]
        table[:, : self._width] = state[rows]
        table[:, self._width :] = (options if len(options) == 1 else options[rows]).reshape(-1, options[0].size)
        masks = view.masks
        np.atleast_2d(arrays["action_mask"])[...] = masks if len(masks) == 1 else masks[rows]
