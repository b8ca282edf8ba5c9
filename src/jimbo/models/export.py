"""Networks as ONNX: fixed names, any batch and any length of each list, the card inside, and the same answers."""

from __future__ import annotations

import json
import logging
import warnings
from collections.abc import Mapping
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from jimbo.data.samples import Samples
from jimbo.extras import require
from jimbo.files import replacing
from jimbo.models.checkpoint import card_of
from jimbo.models.inputs import CANDIDATES, STATE, Inputs, input_names, network_inputs
from jimbo.models.network import EntityNetwork, Judgement, judged
from jimbo.models.outputs import OUTPUT_NAMES
from jimbo.models.padding import padded
from jimbo.models.runtime import CARD_KEY, OnnxPolicy

OPSET = 18
TOLERANCE = 2e-3
"""In logits and chances: far below what changes a choice between candidates that differ."""


class ExportFailed(RuntimeError):
    """The exported network does not say what the network says."""


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
    require("onnxscript", "train")
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
        if difference > TOLERANCE:
            raise ExportFailed(f"the exported network differs by {difference:g} from the network itself")
    return difference


def _at_least_two(array: Any) -> Any:
    """A dimension of one would be taken for a fixed one."""
    for axis in range(min(2, array.ndim)):
        if array.shape[axis] == 1:
            array = np.repeat(array, 2, axis=axis)
    return array


def _trace(network: EntityNetwork, inputs: Inputs, path: Path) -> None:
    batch, candidates = torch.export.Dim("batch"), torch.export.Dim("candidates")
    shapes: dict[str, dict[int, Any]] = {}
    for name in input_names():
        shapes[name] = {0: batch}
        if name == "descriptions":
            shapes[name] = {0: torch.export.Dim("descriptions")}
        elif name in CANDIDATES:
            shapes[name][1] = candidates
        elif name not in STATE:
            shapes[name][1] = torch.export.Dim(f"{name.rsplit('_', 1)[0]}_length")
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    with warnings.catch_warnings(), redirect_stdout(StringIO()):
        warnings.simplefilter("ignore")
        torch.onnx.export(
            _Named(network),
            tuple(torch.from_numpy(inputs[name]) for name in input_names()),
            str(path),
            input_names=list(input_names()),
            output_names=list(OUTPUT_NAMES),
            dynamic_shapes=(tuple(shapes[name] for name in input_names()),),
            opset_version=OPSET,
            dynamo=True,
            external_data=False,
            verbose=False,
        )


def largest_difference(network: EntityNetwork, policy: OnnxPolicy, samples: Samples, batch: int = 64) -> float:
    """Between what the network and its ONNX form say of the same decisions: chances and allowed logits."""
    worst = 0.0
    for start in range(0, len(samples), batch):
        observations, ids, rows, mask = padded(samples, np.arange(start, min(start + batch, len(samples))))
        found = policy.evaluate(observations, ids, rows, mask)
        with torch.no_grad():
            wanted = judged(network, network_inputs(observations, ids, rows, mask))
        pairs = (
            (wanted.logits.numpy()[mask], found.logits[mask]),
            (wanted.win.sigmoid().numpy(), found.win),
            (wanted.clear.sigmoid().numpy(), found.clear),
        )
        worst = max([worst, *(float(np.abs(a - b).max(initial=0.0)) for a, b in pairs)])
    return worst
