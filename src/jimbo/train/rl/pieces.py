"""Decisions in pieces: those of about the same size together, and no more of each list than the longest needs.

A batch mixes hands of eight cards with shops and blinds to choose from. Padded to the longest of everything, two thirds
of what a network computes would be about nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from jimbo.models import network_inputs
from jimbo.models.inputs import CANDIDATES, list_names

Array = NDArray[Any]

PIECE = 256
"""Decisions that a processor core works on at a time: large enough for the work to outweigh the calls, small enough to
stay in its cache."""


class Decisions:
    """What a network is told of many decisions, made once."""

    def __init__(self, observations: Array, ids: Array, rows: Array, mask: Array, device: torch.device) -> None:
        inputs = network_inputs(observations, ids, rows, mask)
        self._described = inputs["candidate_description"]
        self._listed = mask.sum(axis=1)
        self._lengths = {name: _lengths(inputs, name) for name in list_names()}
        self._tensors = {name: torch.from_numpy(array).to(device) for name, array in inputs.items()}
        tokens = sum(length for name, length in self._lengths.items() if name.endswith("_ids"))
        self._sizes = observations["phase"].astype(np.int64) * 4096 + self._listed + tokens
        self._device = device

    def __len__(self) -> int:
        return len(self._listed)

    def pieces(self, indices: Array, size: int) -> list[Array]:
        """The same decisions; those of a phase, and then those with about as many candidates and tokens, together."""
        ordered = indices[np.argsort(self._sizes[indices], kind="stable")]
        return np.array_split(ordered, -(-len(ordered) // size))

    def inputs(self, indices: Array) -> dict[str, Tensor]:
        """Of some decisions; a list that is empty in all of them has no place at all."""
        chosen = torch.from_numpy(indices).to(self._device)
        width = int(self._listed[indices].max())
        found = {}
        for name, tensor in self._tensors.items():
            if name in self._lengths:
                tensor = tensor[:, : int(self._lengths[name][indices].max())]
            elif name in CANDIDATES and name != "descriptions":
                tensor = tensor[:, :width]
            found[name] = tensor if name == "descriptions" else tensor.index_select(0, chosen)
        if self._device.type == "cpu":  # elsewhere it takes longer to ask than to compute all
            used, which = np.unique(self._described[indices, :width], return_inverse=True)
            found["descriptions"] = found["descriptions"][torch.from_numpy(used)]
            found["candidate_description"] = torch.from_numpy(which.reshape(-1, width))
        return found


def _lengths(inputs: dict[str, Array], name: str) -> Array:
    ids = inputs[f"{name.rsplit('_', 1)[0]}_ids"]
    lengths: Array = ids[..., 0].sum(axis=1, dtype=np.int64)
    return lengths
