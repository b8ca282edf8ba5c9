"""What a network is given: arrays made of observations and candidates, the same for training and for play."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.engine import batch_schema_hash, observation_dtype
from jimbo.models.layout import CARDS, Columns, Tokens, candidate_vocabularies, layout

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


def input_names() -> tuple[str, ...]:
    return (*STATE, *list_names(), *CANDIDATES)


def list_names() -> tuple[str, ...]:
    """Ids and, where there are any, numbers of each list in turn."""
    names = ((f"{tokens.name}_ids", f"{tokens.name}_numbers")[: 1 + tokens.has_numbers] for tokens in layout().tokens)
    return tuple(chain.from_iterable(names))


def input_schema() -> str:
    """The observations and candidates that inputs are made of; a network of another schema cannot be used."""
    return batch_schema_hash()


def network_inputs(observations: Array, candidate_ids: Array, candidate_rows: Array, mask: Array) -> Inputs:
    """``[B]`` observations, ``[B, K, ...]`` candidates, ``[B, K]`` which of them there are.

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
    """What candidates are called by their ids, each description once, and ``[B, K]`` which is whose.

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

    def numbers(self, columns: Columns, length: int | None = None) -> Array:
        """Whole numbers on the logarithmic scale, as most others are already."""
        rows = slice(None) if length is None else slice(length)
        whole: list[Array] = [self.bytes[:, columns.bytes[rows]], self._words[:, columns.words[rows]]]
        joined = np.concatenate([part.astype(np.float32) for part in whole], axis=-1)
        scaled = np.sign(joined) * np.log1p(np.abs(joined))
        return np.concatenate([scaled, self._floats[:, columns.floats[rows]] * _FLOAT_SCALE], axis=-1)
