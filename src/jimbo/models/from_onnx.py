"""The weights of a network from its ONNX file, for training on: the package brings its own network in no other form."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch

from jimbo.extras import require
from jimbo.models.checkpoint import BadModel
from jimbo.models.network import EntityNetwork
from jimbo.models.runtime import OnnxPolicy

_ROOT = "network"
_UNNAMED = "onnx::MatMul"
"""How the exporter calls a matrix that it has turned."""


def network_of_onnx(path: Path) -> EntityNetwork:
    """BadModel for a file that does not hold exactly the weights of a network."""
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
    """The weight of a node: ``/network/hand/names/MatMul`` multiplies with lists.hand.names.weight."""
    parts = node.name.split("/")[2:-1]
    kept = [part for i, part in enumerate(parts) if not (i + 1 < len(parts) and parts[i + 1].startswith(f"{part}."))]
    ending = ".".join([*kept, "weight"])
    fitting = [name for name in names if f".{name}".endswith(f".{ending}")]
    if len(fitting) != 1:
        raise BadModel(f"{path} was exported in a way that this version does not know: {node.name}.")
    return fitting[0]
