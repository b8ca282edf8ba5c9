"""Where a training by play stands between two updates, on disk: enough to go on as if it had never stopped."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save
from torch import Tensor, nn
from torch.optim import Adam

from jimbo.declared import from_dict
from jimbo.files import loads, reason, write_bytes
from jimbo.train.core.state import STATE
from jimbo.train.rl.games import Games
from jimbo.train.rl.watching import RlProgress

_PARTS = ("step", "exp_avg", "exp_avg_sq")
_GAMES = "games"


def save_state(
    folder: Path,
    model: nn.Module,
    average: nn.Module,
    optimizer: Adam,
    games: Games,
    progress: RlProgress,
    seconds: float,
) -> None:
    """One file, so that weights, their average, optimizer, games and progress always belong together.

    Random numbers need no place in it: they depend on the seed and the number of the update.
    """
    tensors: dict[str, Tensor] = {}
    for part, module in (("weight", model), ("average", average)):
        for name, tensor in module.state_dict().items():
            tensors[f"{part}/{name}"] = tensor.detach().cpu().contiguous()
    for name, weight in model.named_parameters():
        for part, tensor in optimizer.state[weight].items():
            tensors[f"{part}/{name}"] = tensor.detach().cpu().contiguous()
    tensors[_GAMES] = torch.from_numpy(np.frombuffer(games.save().encode(), np.uint8).copy())
    told = {"progress": json.dumps(asdict(progress)), "seconds": json.dumps(seconds)}
    write_bytes(folder / STATE, save(tensors, metadata=told))


def load_state(
    folder: Path, model: nn.Module, average: nn.Module, optimizer: Adam, games: Games
) -> tuple[RlProgress, float] | None:
    """Sets everything to where it was; None where there is nothing to go on with. And the seconds spent so far."""
    path = folder / STATE
    if not path.is_file():
        return None
    try:
        with safe_open(path, "pt") as file:
            told = file.metadata()
        progress, seconds = from_dict(RlProgress, loads(told["progress"])), float(loads(told["seconds"]))
        tensors = load_file(path)
        model.load_state_dict(_named(tensors, "weight"))
        average.load_state_dict(_named(tensors, "average"))
        games.load(tensors[_GAMES].numpy().tobytes().decode())
    except (SafetensorError, RuntimeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} cannot be resumed: {error}. Choose another --out.") from None
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {reason(error)}.") from None
    parts = {part: _named(tensors, part) for part in _PARTS}
    for name, weight in model.named_parameters():
        if name in parts[_PARTS[0]]:
            # The count of steps stays on the processor, where the optimizer keeps it.
            moved = {part: named[name].to(weight.device) for part, named in parts.items() if part != _PARTS[0]}
            optimizer.state[weight] = {_PARTS[0]: parts[_PARTS[0]][name], **moved}
    return progress, seconds


def _named(tensors: dict[str, Tensor], part: str) -> dict[str, Tensor]:
    return {name.removeprefix(f"{part}/"): tensor for name, tensor in tensors.items() if name.startswith(f"{part}/")}
