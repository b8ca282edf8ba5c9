"""Positions of games: joined, on disk, and as arrays of one width for learning."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jimbo.engine.value import Positions, input_count
from jimbo.files import reason, replacing

Array = NDArray[Any]
_NAMES = tuple(field.name for field in fields(Positions))


def joined(parts: Sequence[Positions]) -> Positions:
    """One after another, with games numbered through."""
    arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in _NAMES}
    before = np.cumsum([0, *(int(part.game.max(initial=-1)) + 1 for part in parts[:-1])])
    numbers = [part.game + first for part, first in zip(parts, before, strict=True)]
    return Positions(**{**arrays, "game": np.concatenate(numbers).astype(np.int32)})


def positions_hash(positions: Positions) -> str:
    """Tells the data of trainings apart."""
    digest = hashlib.sha256()
    for name in _NAMES:
        digest.update(np.ascontiguousarray(getattr(positions, name)).tobytes())
    return digest.hexdigest()[:16]


def save_positions(path: Path, positions: Positions) -> None:
    with replacing(path) as beside, beside.open("wb") as file:
        np.savez(file, **{name: getattr(positions, name) for name in _NAMES})


def load_positions(path: Path) -> Positions:
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return Positions(**{name: arrays[name] for name in _NAMES})
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {reason(error)}. Choose another --out.") from None
    except (ValueError, KeyError, EOFError):
        raise ValueError(f"{path} does not hold positions, or was cut. Choose another --out.") from None


class Rows(NamedTuple):
    """Positions to learn from, P of them with at most W inputs each."""

    inputs: Array
    """[P, W] int16; one past the last input where there is none."""
    values: Array
    """[P, W] float16."""
    next: Array
    taken: Array
    cleared: Array
    margin: Array
    dollars: Array
    game: Array


def rows_of(parts: Sequence[Positions]) -> Rows:
    """Of several generations."""
    positions = joined(parts)
    count = positions.count
    total, width = len(count), int(count.max(initial=0))
    inputs = np.full((total, width), input_count(), np.int16)
    values = np.zeros((total, width), np.float16)
    row = np.repeat(np.arange(total), count)
    first = np.cumsum(count) - count
    place = np.arange(len(positions.index)) - np.repeat(first, count)
    inputs[row, place], values[row, place] = positions.index, positions.value
    return Rows(
        inputs,
        values,
        positions.next,
        positions.taken,
        positions.cleared,
        positions.margin.astype(np.float16),
        positions.dollars.astype(np.float16),
        positions.game,
    )
