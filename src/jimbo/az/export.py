"""Networks as ONNX files."""

from __future__ import annotations

import warnings
from pathlib import Path

import torch
from torch import nn

from jimbo.files import replacing

OPSET = 18


def export(network: nn.Module, obs_size: int, path: Path) -> None:
    """Input ``observation`` [batch, obs_size]; outputs ``policy_logits`` [batch, num_actions], ``value`` [batch, 1]."""
    device = next(network.parameters()).device
    was_training = network.training
    names = ["observation", "policy_logits", "value"]
    with replacing(path) as beside, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the exporter's age; the newer one takes fifty times as long
        torch.onnx.export(
            network.eval(),
            (torch.zeros(2, obs_size, device=device),),
            str(beside),
            input_names=names[:1],
            output_names=names[1:],
            dynamic_axes={name: {0: "batch"} for name in names},
            opset_version=OPSET,
            dynamo=False,
        )
    network.train(was_training)
