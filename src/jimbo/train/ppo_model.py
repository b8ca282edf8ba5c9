"""The network of Jimbo's PPO with its critic, and what it thinks of many decisions at once.

Decisions are computed in pieces of about the same size: a batch mixes hands of eight cards with shops and blinds to
choose from, and padded to the longest of everything, two thirds of what a network computes would be about nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from jimbo.engine import BatchArrays
from jimbo.models.inputs import CANDIDATES, Inputs, list_names, network_inputs
from jimbo.models.network import EntityNetwork

Array = NDArray[Any]
Map = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]
"""``map``, or that of a pool of threads."""

PIECE = 512
"""Decisions that a processor core works on at a time: large enough for the work to outweigh the calls, small enough to
stay in its cache."""
_FEW = 64
"""Decisions that are not worth a piece of their own: they are padded to others."""
_KIND = 4096
"""More than any number of candidates and tokens."""
_DESCRIBED, _WHOSE = CANDIDATES[:2]


class Opinion(NamedTuple):
    """The answer of network and critic to a batch of decisions."""

    logits: Tensor
    """[B, K]: of the candidates."""
    value: Tensor
    """[B]: the rewards that are still to come."""
    win: Tensor
    clear: Tensor
    ante: Tensor


class ActorCritic(nn.Module):
    def __init__(self, network: EntityNetwork) -> None:
        super().__init__()
        width = network.config.width
        self.network = network
        self.critic = nn.Sequential(nn.Linear(2 * width, width), nn.GELU(), nn.Linear(width, 1))

    def forward(self, inputs: Mapping[str, Tensor], critic_alone: bool = False) -> Opinion:
        """``critic_alone``: only the heads learn, not what the network sees."""
        seen = self.network(inputs)
        judgement = self.network.expect(seen)
        value: Tensor = self.critic(seen.known.detach() if critic_alone else seen.known)
        return Opinion(judgement.logits, value.squeeze(-1), *judgement[1:])


@dataclass(frozen=True, slots=True)
class Workbench:
    """A device, and as many pieces computed at a time as there are threads."""

    device: torch.device
    map: Map
    threads: int = 1

    @property
    def piece(self) -> int:
        return PIECE if self.device.type == "cpu" else 1 << 14

    def autocast(self) -> torch.autocast:
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda")


@contextmanager
def workbench(device: torch.device, threads: int) -> Iterator[Workbench]:
    """Share pieces out among threads of our own: torch's would wait for one another in every small step."""
    if device.type != "cpu":
        yield Workbench(device, map, threads)
        return
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with ThreadPoolExecutor(threads) as pool:
            yield Workbench(device, pool.map if threads > 1 else map, threads)
    finally:
        torch.set_num_threads(before)


# --- Decisions --------------------------------------------------------------------------------------------------------


class Decisions:
    """The inputs of many decisions, made once."""

    def __init__(self, inputs: Inputs, device: torch.device) -> None:
        self.given = inputs
        self._listed = inputs["mask"].sum(axis=1)
        self._lengths = {name: _lengths(inputs, name) for name in list_names()}
        self._tensors = {name: torch.from_numpy(array).to(device) for name, array in inputs.items()}
        tokens = sum(length for name, length in self._lengths.items() if name.endswith("_ids"))
        self._sizes = self._kinds() * _KIND + self._listed + tokens
        self._device = device

    @classmethod
    def shown(cls, seen: BatchArrays, rows: Array, device: torch.device) -> Decisions:
        """Return the decisions that some of the games ask for now."""
        shown = (seen.observations, seen.candidate_ids, seen.candidate_rows, seen.masks)
        return cls(network_inputs(*(part[rows] for part in shown)), device)

    @classmethod
    def joined(cls, parts: Sequence[Decisions]) -> Decisions:
        """Return all decisions of several, without making their inputs again."""
        inputs = {name: _stacked([part.given[name] for part in parts]) for name in parts[0].given if name != _DESCRIBED}
        inputs |= _described(parts)
        return cls(inputs, parts[0]._device)

    def __len__(self) -> int:
        return len(self._listed)

    def pieces(self, indices: Array, size: int) -> list[Array]:
        """Split decisions so that one kind, then about as many candidates and tokens, come together."""
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
        """Return the inputs of some decisions; a list that is empty in all of them has no place at all."""
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
        """Return a number for the lists that not every decision has: a hand, a shop, a pack."""
        there = np.stack([self._lengths[f"{name}_ids"] > 0 for name in ("hand", "shop", "pack")], axis=1)
        kinds: Array = there @ np.array([1, 2, 4])
        return kinds


def _lengths(inputs: Inputs, name: str) -> Array:
    ids = inputs[f"{name.rsplit('_', 1)[0]}_ids"]
    lengths: Array = ids[..., 0].sum(axis=1, dtype=np.int64)
    return lengths


def _stacked(arrays: Sequence[Array]) -> Array:
    """Join arrays; lists that are shorter than others are filled with zeros."""
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
    """Return the descriptions of all, each once, and whose they are."""
    described = [part.given[_DESCRIBED] for part in parts]
    once, which = np.unique(np.concatenate(described), axis=0, return_inverse=True)
    starts = np.cumsum([0, *map(len, described)])
    whose = [which.reshape(-1)[part.given[_WHOSE] + start] for part, start in zip(parts, starts[:-1], strict=True)]
    return {_DESCRIBED: once, _WHOSE: np.concatenate(whose)}


# --- Opinions ---------------------------------------------------------------------------------------------------------


class Outlook(NamedTuple):
    """Chances, for each row: of winning, of beating one more blind, two more..., of each final ante."""

    win: Array
    clear: Array
    clear_known: Array
    """Whether there is anything to know: after a win there are no further blinds to be beaten."""
    ante: Array


def expected(win: Tensor, clear: Tensor, ante: Tensor) -> Outlook:
    """Return what the logits of a network say."""
    chances = (win.float().sigmoid(), clear.float().sigmoid(), ante.float().softmax(dim=-1))
    first, second, third = (part.cpu().numpy() for part in chances)
    return Outlook(first, second, np.ones_like(second), third)


def opinions(model: ActorCritic, decisions: Decisions, bench: Workbench) -> tuple[Array, Array, Outlook]:
    """Return ``[B, K]`` logits (very low where there is no candidate), ``[B]`` values, and the outlook of the runs."""
    pieces = decisions.pieces(np.arange(len(decisions)), bench.piece)

    def think(piece: Array) -> tuple[Array, Array, Outlook]:
        with torch.inference_mode(), bench.autocast():
            found = model(decisions.inputs(piece))
        return found.logits.float().cpu().numpy(), found.value.float().cpu().numpy(), expected(*found[2:])

    found = list(bench.map(think, pieces))
    back = np.argsort(np.concatenate(pieces))
    width = max(logits.shape[1] for logits, _, _ in found)
    logits = [np.pad(part, ((0, 0), (0, width - part.shape[1])), constant_values=-1e9) for part, _, _ in found]
    parts = zip(*(outlook for _, _, outlook in found), strict=True)
    return (
        np.concatenate(logits)[back],
        np.concatenate([values for _, values, _ in found])[back],
        Outlook(*(np.concatenate(part)[back] for part in parts)),
    )


def outlook_loss(win: Tensor, clear: Tensor, ante: Tensor, target: tuple[Tensor, ...]) -> Tensor:
    """Return the sum over the decisions."""
    wins, clears, known, antes = target
    blinds = binary_cross_entropy_with_logits(clear, clears, weight=known, reduction="none").mean(dim=1)
    return torch.stack(
        [
            binary_cross_entropy_with_logits(win, wins, reduction="sum"),
            blinds.sum(),
            cross_entropy(ante, antes, reduction="sum"),
        ]
    ).sum()
