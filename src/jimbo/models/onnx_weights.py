"""The weights in an ONNX file, read without the package onnx, which only training needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

_GRAPH, _INITIALIZER = 7, 5
"""The numbers of fields: the graph of a model, the weights of a graph."""
_DATA_TYPE, _FLOATS, _DOUBLES, _RAW = 2, 4, 10, 9
"""And those of a tensor: what its numbers are, and where they stand."""
_RAW_TYPES = {1: "<f4", 10: "<f2", 11: "<f8"}
_FIXED_BYTES = {1: 8, 5: 4}


def weights_are_finite(model: bytes) -> bool:
    """Whether all weights are numbers that can be counted with; ValueError for what is no ONNX file."""
    return all(
        bool(np.isfinite(numbers).all())
        for graph in _parts(memoryview(model), _GRAPH)
        for tensor in _parts(graph, _INITIALIZER)
        for numbers in _numbers(tensor)
    )


def _numbers(tensor: memoryview) -> Iterator[NDArray[Any]]:
    raw_type = next((_RAW_TYPES.get(value) for field, value in _fields(tensor) if field == _DATA_TYPE), None)
    for kind, field in (("<f4", _FLOATS), ("<f8", _DOUBLES), (raw_type, _RAW)):
        yield from (np.frombuffer(part, kind) for part in _parts(tensor, field) if kind)


def _parts(message: memoryview, number: int) -> Iterator[memoryview]:
    return (value for field, value in _fields(message) if field == number and not isinstance(value, int))


def _fields(message: memoryview) -> Iterator[tuple[int, Any]]:
    """Number and value of each field of a protocol buffer: a whole number, or bytes."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        field, kind = key >> 3, key & 7
        if kind == 0:
            value, at = _varint(message, at)
            yield field, value
            continue
        size, at = (_FIXED_BYTES[kind], at) if kind in _FIXED_BYTES else _varint(message, at)
        if kind not in (1, 2, 5) or at + size > len(message):
            raise ValueError("not a protocol buffer")
        yield field, message[at : at + size]
        at += size


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(message) and shift < 64:
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
    raise ValueError("not a protocol buffer")
