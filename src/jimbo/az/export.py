"""Models on disk: ``model_step_000100.onnx`` for each checkpoint; ``latest.onnx`` and ``model.onnx`` are the newest.

Each is written beside its place and renamed into it, so that nobody reads half a file.
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import torch
from torch import nn

from jimbo.files import replacing, write_bytes

LATEST, MODEL = "latest.onnx", "model.onnx"
OPSET = 18
_NAME = re.compile(r"model_step_(\d+)\.onnx$")


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


def publish(folder: Path, step: int, keep: int) -> None:
    """Makes a checkpoint the newest model, and removes the oldest ones; ``keep`` 0: none."""
    data = checkpoint_path(folder, step).read_bytes()
    for name in (LATEST, MODEL):
        write_bytes(folder / name, data)
    for _, path in checkpoints(folder)[: -keep or None] if keep else []:
        path.unlink(missing_ok=True)
    for orphan in folder.glob("model_step_*.onnx.data"):
        orphan.unlink(missing_ok=True)  # of exporters that write weights beside the model


def checkpoint_path(folder: Path, step: int) -> Path:
    return folder / f"model_step_{step:06d}.onnx"


def checkpoints(folder: Path) -> list[tuple[int, Path]]:
    """By their steps, oldest first."""
    found = ((_NAME.search(path.name), path) for path in folder.glob("model_step_*.onnx"))
    return sorted((int(match[1]), path) for match, path in found if match)
