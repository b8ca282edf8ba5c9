"""Networks as ONNX: fixed names, any batch and any length of each list, the card inside, and the same answers."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from jimbo.data.samples import Samples
from jimbo.extras import require
from jimbo.files import replacing
from jimbo.models.checkpoint import card_of, load_network
from jimbo.models.inputs import CANDIDATES, STATE, Inputs, input_names, network_inputs
from jimbo.models.network import EntityNetwork, Judgement, judged
from jimbo.models.outputs import OUTPUT_NAMES, outputs_of
from jimbo.models.padding import padded
from jimbo.models.runtime import CARD_KEY, OnnxPolicy

OPSET = 18
TOLERANCE = 2e-3
"""Of the largest value of its kind: far below what changes a choice between candidates that differ."""


class ExportFailed(ValueError):
    """The exported network does not say what the network says; the sentence tells by how much."""


class _Named(nn.Module):
    """The network with its inputs one after another, as ONNX wants them."""

    def __init__(self, network: EntityNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, *inputs: Tensor) -> Judgement:
        return self.network.judge(dict(zip(input_names(), inputs, strict=True)))


def export_network(network: EntityNetwork, path: Path, about: Mapping[str, Any], examples: Samples) -> float:
    """Writes an ONNX file and checks it on recorded decisions; returns the largest difference."""
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
    """A dimension of one would be taken for one that is always one."""
    for axis in range(min(2, array.ndim)):
        if array.shape[axis] == 1:
            array = np.repeat(array, 2, axis=axis)
    return array


def _trace(network: EntityNetwork, inputs: Inputs, path: Path) -> None:
    """By recording what torch does with an example: half a second, where the newer exporter takes ten."""
    axes = {name: _axes(name) for name in input_names()}
    axes |= {name: {0: "batch"} for name in OUTPUT_NAMES} | {"logits": {0: "batch", 1: "candidates"}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its age, and of branches, of which there are none
        torch.onnx.export(
            _Named(network).eval(),  # or all of it would be in training afterwards
            tuple(torch.from_numpy(inputs[name]) for name in input_names()),
            str(path),
            input_names=list(input_names()),
            output_names=list(OUTPUT_NAMES),
            dynamic_axes=axes,
            opset_version=OPSET,
            dynamo=False,
        )


def _axes(name: str) -> dict[int, str]:
    """What the dimensions of an input are called that can be of any size."""
    if name == "descriptions":
        return {0: "descriptions"}
    if name in STATE:
        return {0: "batch"}
    return {0: "batch", 1: "candidates" if name in CANDIDATES else f"{name.rsplit('_', 1)[0]}_length"}


def largest_difference(network: EntityNetwork, policy: OnnxPolicy, samples: Samples, batch: int = 64) -> float:
    """Between what the network and its ONNX form say of the same decisions: allowed logits, chances, the final ante.

    As a share of the largest value of its kind where that is above 1; NaN where either says what is not a number.
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
