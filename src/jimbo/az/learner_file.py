"""``latest.pt``: what a trainer needs to go on. It is read as tensors alone; nothing in it can run."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from jimbo.files import replacing

STATE = "latest.pt"


def save_state(
    folder: Path, env_id: str, shape: str, step: int, samples: int, network: nn.Module, optimizer: torch.optim.Optimizer
) -> None:
    state = {
        "env_id": env_id,
        "shape": shape,
        "step": step,
        "samples": samples,
        "network": network.state_dict(),
        "optimizer": optimizer.state_dict(),
    }
    with replacing(folder / STATE) as beside:
        torch.save(state, beside)


def load_state(
    folder: Path, env_id: str, shape: str, network: nn.Module, optimizer: torch.optim.Optimizer, device: torch.device
) -> tuple[int, int] | None:
    """Step and samples where a training stood; None where there is none; ValueError for one of another kind."""
    path = folder / STATE
    if not path.is_file():
        return None
    try:
        state = torch.load(path, map_location=device, weights_only=True)
        if (state["env_id"], state["shape"]) != (env_id, shape):
            raise ValueError(f"it is a network for {state['env_id']} of the shape {state['shape']}")
        network.load_state_dict(state["network"])
        optimizer.load_state_dict(state["optimizer"])
        return int(state["step"]), int(state["samples"])
    except Exception as error:  # torch has many ways to say that a file is not its own
        raise ValueError(f"{path} cannot be gone on with: {error}. Choose another --model-dir") from None
