"""Where a training stands between two epochs, on disk: enough to go on as if it had never stopped."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save
from torch import Tensor, nn
from torch.optim import AdamW

from jimbo.declared import from_dict
from jimbo.files import loads, reason, write_bytes
from jimbo.train.networks.watching import Progress

STATE = "resume.safetensors"
_PARTS = ("exp_avg", "exp_avg_sq")


def save_state(folder: Path, network: nn.Module, optimizer: AdamW, progress: Progress) -> None:
    """One file, so that weights, optimizer and progress always belong together."""
    tensors = {f"weight/{name}": tensor.detach().cpu().contiguous() for name, tensor in network.state_dict().items()}
    for name, weight in network.named_parameters():
        for part in _PARTS:
            if part in optimizer.state[weight]:
                tensors[f"{part}/{name}"] = optimizer.state[weight][part].detach().cpu().contiguous()
    write_bytes(folder / STATE, save(tensors, metadata={"progress": json.dumps(asdict(progress))}))


def load_state(folder: Path, network: nn.Module, optimizer: AdamW) -> Progress | None:
    """Sets network and optimizer to where they were; None where there is nothing to go on with."""
    path = folder / STATE
    if not path.is_file():
        return None
    try:
        with safe_open(path, "pt") as file:
            progress = from_dict(Progress, loads(file.metadata()["progress"]))
        tensors = load_file(path)
        network.load_state_dict(_named(tensors, "weight"))
    except (SafetensorError, RuntimeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} cannot be resumed: {error}. Choose another --out-dir.") from None
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {reason(error)}.") from None
    parts = {part: _named(tensors, part) for part in _PARTS}
    for name, weight in network.named_parameters():
        if name in parts[_PARTS[0]]:
            state: dict[str, Tensor] = {part: parts[part][name].to(weight.device) for part in _PARTS}
            optimizer.state[weight] = {"step": torch.tensor(float(progress.step)), **state}
    return progress


def _named(tensors: dict[str, Tensor], part: str) -> dict[str, Tensor]:
    return {name.removeprefix(f"{part}/"): tensor for name, tensor in tensors.items() if name.startswith(f"{part}/")}
