"""Decisions in pieces: those of about the same size together, and no more of each list than the longest needs.

A batch mixes hands of eight cards with shops and blinds to choose from. Padded to the longest of everything, two thirds
of what a network computes would be about nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from jimbo.models import network_inputs
from jimbo.models.inputs import CANDIDATES, Inputs, list_names

Array = NDArray[Any]

PIECE = 512
"""Decisions that a processor core works on at a time: large enough for the work to outweigh the calls, small enough to
stay in its cache."""
_FEW = 64
"""Decisions that are not worth a piece of their own: they are padded to others."""
_KIND = 4096
"""More than any number of candidates and tokens."""
_DESCRIBED, _WHOSE = CANDIDATES[:2]


class Decisions:
    """What a network is told of many decisions, made once."""

    def __init__(self, inputs: Inputs, device: torch.device) -> None:
        self.given = inputs
        self._listed = inputs["mask"].sum(axis=1)
        self._lengths = {name: _lengths(inputs, name) for name in list_names()}
        self._tensors = {name: torch.from_numpy(array).to(device) for name, array in inputs.items()}
        tokens = sum(length for name, length in self._lengths.items() if name.endswith("_ids"))
        self._sizes = self._kinds() * _KIND + self._listed + tokens
        self._device = device

    @classmethod
    def shown(cls, observations: Array, ids: Array, rows: Array, mask: Array, device: torch.device) -> Decisions:
        """As games show them."""
        return cls(network_inputs(observations, ids, rows, mask), device)

    @classmethod
    def joined(cls, parts: Sequence[Decisions]) -> Decisions:
        """All decisions of several, without making their inputs again."""
        inputs = {name: _stacked([part.given[name] for part in parts]) for name in parts[0].given if name != _DESCRIBED}
        inputs |= _described(parts)
        return cls(inputs, parts[0]._device)

    def __len__(self) -> int:
        return len(self._listed)

    def pieces(self, indices: Array, size: int) -> list[Array]:
        """The same decisions; those of one kind, and then those with about as many candidates and tokens, together."""
        ordered = indices[np.argsort(self._sizes[indices], kind="stable")]
        changes = np.flatnonzero(np.diff(self._sizes[ordered] // _KIND, append=-1)) + 1
        cuts = [0]
        for change in changes:
            if change - cuts[-1] >= _FEW:
                cuts.append(int(change))
        cuts[len(cuts) - (len(cuts) > 1) :] = [len(ordered)]  # the last few are padded to those before them
        kinds = (ordered[first:end] for first, end in pairwise(cuts))
        return [piece for kind in kinds for piece in np.array_split(kind, -(-len(kind) // size))]

    def inputs(self, indices: Array) -> dict[str, Tensor]:
        """Of some decisions; a list that is empty in all of them has no place at all."""
        chosen = torch.from_numpy(indices).to(self._device)
        width = int(self._listed[indices].max())
        found = {}
        for name, tensor in self._tensors.items():
            if name in self._lengths:
                tensor = tensor[:, : int(self._lengths[name][indices].max())]
            elif name in CANDIDATES and name != _DESCRIBED:
                tensor = tensor[:, :width]
            found[name] = tensor if name == _DESCRIBED else tensor.index_select(0, chosen)
        if self._device.type == "cpu":  # elsewhere it takes longer to ask than to compute all
            whose = found[_WHOSE].long()
            used = torch.zeros(len(found[_DESCRIBED]), dtype=torch.bool).index_fill_(0, whose.flatten(), True)
            found[_DESCRIBED] = found[_DESCRIBED][used]
            found[_WHOSE] = (used.cumsum(0) - 1)[whose]
        return found

    def _kinds(self) -> Array:
        """Which of the lists there are that not every decision has: a hand, a shop, a pack."""
        there = np.stack([self._lengths[f"{name}_ids"] > 0 for name in ("hand", "shop", "pack")], axis=1)
        kinds: Array = there @ np.array([1, 2, 4])
        return kinds


def _lengths(inputs: Inputs, name: str) -> Array:
    ids = inputs[f"{name.rsplit('_', 1)[0]}_ids"]
    lengths: Array = ids[..., 0].sum(axis=1, dtype=np.int64)
    return lengths


def _stacked(arrays: Sequence[Array]) -> Array:
    """One after another; lists that are shorter than others end with nothing."""
    if arrays[0].ndim == 2:
        return np.concatenate(arrays)
    length = max(array.shape[1] for array in arrays)
    joined = np.zeros((sum(map(len, arrays)), length, arrays[0].shape[2]), arrays[0].dtype)
    first = 0
    for array in arrays:
        joined[first : first + len(array), : array.shape[1]] = array
        first += len(array)
    return joined


def _described(parts: Sequence[Decisions]) -> Inputs:
    """The descriptions of all, each once, and whose they are."""
    described = [part.given[_DESCRIBED] for part in parts]
    once, which = np.unique(np.concatenate(described), axis=0, return_inverse=True)
    starts = np.cumsum([0, *map(len, described)])
    whose = [which.reshape(-1)[part.given[_WHOSE] + start] for part, start in zip(parts, starts[:-1], strict=True)]
    return {_DESCRIBED: once, _WHOSE: np.concatenate(whose)}
