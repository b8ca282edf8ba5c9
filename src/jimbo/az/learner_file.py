"""``latest.pt``: what a trainer needs to go on. It is read as tensors alone; nothing in it can run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from jimbo.az.model_folder import RESUME
from jimbo.files import replacing


def save_state(folder: Path, env_id: str, shape: str, step: int, samples: int, parts: Mapping[str, Any]) -> None:
    """``parts``: what has a state, such as a network or an optimizer, by its name."""
    state: dict[str, Any] = {"env_id": env_id, "shape": shape, "step": step, "samples": samples}
    state.update({name: part.state_dict() for name, part in parts.items()})
    with replacing(folder / RESUME) as beside:
        torch.save(state, beside)


def load_state(
    folder: Path, env_id: str, shape: str, parts: Mapping[str, Any], device: torch.device
) -> tuple[int, int] | None:
    """Step and samples where a training stood; None where there is none; ValueError for one of another kind."""
    path = folder / RESUME
    if not path.is_file():
        return None
    try:
        state = torch.load(path, map_location=device, weights_only=True)
        if missing := parts.keys() - state.keys():
            raise ValueError(f"it was written by another version, without {', '.join(sorted(missing))}")
        if (state["env_id"], state["shape"]) != (env_id, shape):
            raise ValueError(f"it is a network for {state['env_id']} of the shape {state['shape']}")
        for name, part in parts.items():
            part.load_state_dict(state[name])
        return int(state["step"]), int(state["samples"])
    except Exception as error:  # torch has many ways to say that a file is not its own
        raise ValueError(f"{path} cannot be resumed: {error}. Choose another --model-dir") from None
