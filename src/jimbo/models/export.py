"""Networks as ONNX, written and read.

A file has fixed names, any batch and any length of each list, and the card inside; it is checked against the network.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from jimbo.data.samples import Samples
from jimbo.engine import Batch, BatchArrays, observation_dtype
from jimbo.extras import require
from jimbo.files import replacing
from jimbo.models.checkpoint import BadModel, card_of, load_network
from jimbo.models.inputs import CANDIDATES, STATE, Inputs, input_names, network_inputs, padded
from jimbo.models.network import EntityNetwork, Judgement, judged
from jimbo.models.outputs import OUTPUT_NAMES, outputs_of
from jimbo.models.runtime import CARD_KEY, OnnxPolicy

Axes = Mapping[int, str]
_OPSET = 18
_ROWS, _TURNS, _EVERY = 64, 40, 5
TOLERANCE = 2e-3
"""A share of the largest value of its kind: far below what changes a choice between candidates that differ."""


class ExportFailed(ValueError):
    """An exported network that differs from the network itself; the sentence says by how much."""


class _Named(nn.Module):
    """A network with its inputs one after another, as ONNX wants them."""

    def __init__(self, network: EntityNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, *inputs: Tensor) -> Judgement:
        return self.network.judge(dict(zip(input_names(), inputs, strict=True)))


def export_network(network: EntityNetwork, path: Path, about: Mapping[str, Any], examples: Samples) -> float:
    """Write an ONNX file and check it on recorded decisions; return the largest difference."""
    onnx = require("onnx", "train")
    network = network.eval().cpu()
    indices = np.arange(min(len(examples), 8))
    inputs = network_inputs(*padded(examples, indices))
    with replacing(path) as beside:
        _trace(network, {name: _at_least_two(array) for name, array in inputs.items()}, beside)
        model = onnx.load(str(beside))
        entry = model.metadata_props.add()
        entry.key, entry.value = CARD_KEY, json.dumps(card_of(network.config, about))
        onnx.save(model, str(beside))
        difference = largest_difference(network, OnnxPolicy(beside), examples)
        if not difference <= TOLERANCE:  # nor where it is not a number
            raise ExportFailed(
                f"{path} was not written: the exported network differs by {difference:g} from the network itself, and "
                f"at most {TOLERANCE:g} is allowed. Train again in another folder with a lower --lr."
            )
    return difference


def export_saved(stem: Path, examples: Samples) -> float:
    """Write ``stem.onnx`` from the weights and the card beside it; return the largest difference."""
    network, card = load_network(stem)
    about = {name: value for name, value in card.items() if name not in ("format", "schema_hash", "config")}
    return export_network(network, stem.with_suffix(".onnx"), about, examples)


def _at_least_two(array: Any) -> Any:
    """Repeat dimensions of one, which the exporter would take for always one."""
    for axis in range(min(2, array.ndim)):
        if array.shape[axis] == 1:
            array = np.repeat(array, 2, axis=axis)
    return array


def _trace(network: EntityNetwork, inputs: Inputs, path: Path) -> None:
    """Record what torch does with an example: half a second, where the newer exporter takes ten."""
    named = {name: torch.from_numpy(inputs[name]) for name in input_names()}
    outputs = {name: {0: "batch"} for name in OUTPUT_NAMES} | {"logits": {0: "batch", 1: "candidates"}}
    write_onnx(_Named(network), named, outputs, path, {name: _axes(name) for name in named})


def write_onnx(
    network: nn.Module, inputs: Mapping[str, Tensor], outputs: Mapping[str, Axes], path: Path, axes: Mapping[str, Axes]
) -> None:
    """Write an ONNX file; ``axes`` and ``outputs`` name the dimensions that can have any size."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its age, and of branches, of which there are none
        torch.onnx.export(
            network.eval(),  # or all of it would be in training afterwards
            tuple(inputs.values()),
            str(path),
            input_names=list(inputs),
            output_names=list(outputs),
            dynamic_axes={**axes, **outputs},
            opset_version=_OPSET,
            dynamo=False,
        )


def _axes(name: str) -> dict[int, str]:
    """Return the names of the dimensions of an input that can have any size."""
    if name == "descriptions":
        return {0: "descriptions"}
    if name in STATE:
        return {0: "batch"}
    return {0: "batch", 1: "candidates" if name in CANDIDATES else f"{name.rsplit('_', 1)[0]}_length"}


def largest_difference(network: EntityNetwork, policy: OnnxPolicy, samples: Samples, batch: int = 64) -> float:
    """Compare a network and its ONNX form on the same decisions: allowed logits, chances, the final ante.

    The difference is a share of the largest value of its kind if that is above 1; NaN if either answer is not a number.
    """
    worst = 0.0
    for start in range(0, len(samples), batch):
        observations, ids, rows, mask = padded(samples, np.arange(start, min(start + batch, len(samples))))
        found = policy.evaluate(observations, ids, rows, mask)
        with torch.no_grad():
            judgement = judged(network, network_inputs(observations, ids, rows, mask))
        logits, *others = outputs_of(*(part.numpy() for part in judgement), mask)  # type: ignore[call-arg]
        pairs = ((logits[mask], found.logits[mask]), *zip(others, found[1:], strict=True))
        worst = float(np.max([worst, *(_difference(wanted, said) for wanted, said in pairs)]))
    return worst


def _difference(wanted: NDArray[Any], said: NDArray[Any]) -> float:
    return float(np.abs(wanted - said).max(initial=0.0) / np.abs(wanted).max(initial=1.0))


def example_decisions(candidates: int, deck: str | None = None, stake: str = "white") -> Samples:
    """Decisions of random games, on which an exported network must say what the network says."""
    batch = Batch(_ROWS, encoding="candidates", deck=deck, stake=stake, autoreset="same_step", candidates=candidates)
    seen = BatchArrays.for_batch(batch)
    batch.bind(**seen.as_arguments())
    batch.reset()
    actions = np.zeros(_ROWS, np.int32)
    observations, ids, rows, masks = [], [], [], []
    for turn in range(_TURNS):
        batch.sample(actions, turn)
        batch.step(actions)
        if turn % _EVERY == 0:
            observations.append(seen.observations.view(np.uint8).copy())
            ids.append(seen.candidate_ids[seen.masks].astype(np.uint8))
            rows.append(seen.candidate_rows[seen.masks])
            masks.append(seen.masks.sum(axis=1))
    counts = np.concatenate(masks)
    n, listed = len(counts), int(counts.sum())
    return Samples(
        observations=np.concatenate(observations).view(observation_dtype()),
        starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        candidate_ids=np.concatenate(ids),
        candidate_rows=np.concatenate(rows),
        values=np.full(listed, np.nan, np.float32),
        chosen=np.zeros(n, np.int16),
        measures=np.zeros(n, np.uint8),
        phases=np.zeros(n, np.uint8),
        games=np.zeros(n, np.int32),
        steps=np.zeros(n, np.int32),
        blinds=np.zeros(n, np.int16),
        rewards=np.zeros(n, np.float32),
        played=(),
    )


# --- Weights from an ONNX file ----------------------------------------------------------------------------------------

_ROOT = "network"
_UNNAMED = "onnx::MatMul"
"""Name that the exporter gives to a matrix that it has transposed."""


def network_of_onnx(path: Path) -> EntityNetwork:
    """Read a network to train on; BadModel for a file that does not hold exactly the weights of one."""
    network = EntityNetwork(OnnxPolicy(path).config)
    onnx = require("onnx", "train")
    graph = onnx.load(str(path)).graph
    wanted = network.state_dict()
    found = {}
    arrays = {entry.name: onnx.numpy_helper.to_array(entry) for entry in graph.initializer}
    for name, array in arrays.items():
        if name.startswith(f"{_ROOT}."):
            found[name.removeprefix(f"{_ROOT}.")] = torch.from_numpy(array.copy())
    for node in graph.node:
        for name in node.input:
            if name.startswith(_UNNAMED) and name in arrays:
                found[_weight(node, wanted, path)] = torch.from_numpy(arrays[name].T.copy())
    if {name: tensor.shape for name, tensor in found.items()} != {name: t.shape for name, t in wanted.items()}:
        raise BadModel(f"{path} does not hold the weights of a network as this version makes it.")
    network.load_state_dict(found)
    return network


def _weight(node: Any, names: Iterable[str], path: Path) -> str:
    """Return the weight of a node: ``/network/hand/names/MatMul`` multiplies with lists.hand.names.weight."""
    parts = node.name.split("/")[2:-1]
    kept = [part for i, part in enumerate(parts) if not (i + 1 < len(parts) and parts[i + 1].startswith(f"{part}."))]
    ending = ".".join([*kept, "weight"])
    fitting = [name for name in names if f".{name}".endswith(f".{ending}")]
    if len(fitting) != 1:
        raise BadModel(f"{path} was exported in a way that this version does not know: {node.name}.")
    return fitting[0]
