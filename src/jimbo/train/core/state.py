"""A training on disk: its folder, the files that every method writes, and the state to resume from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save
from torch import Tensor, nn
from torch.optim import Optimizer

from jimbo.data.record import versions
from jimbo.declared import from_dict
from jimbo.files import loads, reason, write_bytes
from jimbo.run_folder import RunFolder
from jimbo.train.core.watching import Progress

METRICS = "train_metrics.json"
SCHEMA = "jimbo_training_v1"
BEST, LAST = "best", "last"
"""Names of the networks, without endings."""
STATE = "resume.safetensors"
_FORMAT = "jimbo_training_state_v1"
"""Name of the only text in the header: with two, their order would differ from file to file."""
_PARTS = ("step", "exp_avg", "exp_avg_sq")
"""What Adam keeps for each weight."""
_TEXT = "text"


def training_folder(out: Path) -> RunFolder:
    return RunFolder(out, schema=SCHEMA, writer="training", option="--out")


def config_data(settings: dict[str, Any], schema_hash: str, **more: Any) -> dict[str, Any]:
    """Return what must be the same for a training to be resumed."""
    return {"settings": settings, **more, "schema_hash": schema_hash, "versions": dict(versions())}


class TrainingState:
    """Networks by name, an optimizer of the first of them, and texts: what a resumed training needs.

    Random numbers need no place: they depend on the seed and on how far the training is.
    """

    def __init__(self, networks: Mapping[str, nn.Module], optimizer: Optimizer | None = None) -> None:
        self._networks, self._optimizer = networks, optimizer

    def save(self, folder: Path, progress: Progress, texts: Mapping[str, str]) -> None:
        """Write one file, so that everything in it always belongs together."""
        tensors = {
            f"{part}/{name}": tensor.detach().cpu().contiguous()
            for part, network in self._networks.items()
            for name, tensor in network.state_dict().items()
        }
        if self._optimizer is not None:
            for name, weight in self._learnt():
                for part, tensor in self._optimizer.state[weight].items():
                    tensors[f"{part}/{name}"] = tensor.detach().cpu().contiguous()
        for name, text in texts.items():
            tensors[f"{_TEXT}/{name}"] = torch.from_numpy(np.frombuffer(text.encode(), np.uint8).copy())
        write_bytes(folder / STATE, save(tensors, metadata={_FORMAT: json.dumps(asdict(progress))}))

    def load(self, folder: Path) -> tuple[Progress, dict[str, str]] | None:
        """Set networks and optimizer to where they were; None if there is nothing to resume.

        Return how far the training is, and the texts.
        """
        path = folder / STATE
        if not path.is_file():
            return None
        try:
            with safe_open(path, "pt") as file:
                about = file.metadata() or {}
            if _FORMAT not in about:
                raise ValueError("another version of Jimbo wrote it, and only that can continue")
            progress = from_dict(Progress, loads(about[_FORMAT]))
            tensors = load_file(path)
            for part, network in self._networks.items():
                network.load_state_dict(_named(tensors, part))
        except (SafetensorError, RuntimeError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path} cannot be resumed: {error}. Choose another --out.") from None
        except OSError as error:
            raise ValueError(f"{path} cannot be read: {reason(error)}.") from None
        self._load_optimizer(tensors)
        return progress, {name: text.numpy().tobytes().decode() for name, text in _named(tensors, _TEXT).items()}

    def _load_optimizer(self, tensors: dict[str, Tensor]) -> None:
        if self._optimizer is None:
            return
        step, *others = ((part, _named(tensors, part)) for part in _PARTS)
        for name, weight in self._learnt():
            if name in step[1]:
                # The count of steps stays on the processor, where the optimizer keeps it.
                moved = {part: found[name].to(weight.device) for part, found in others}
                self._optimizer.state[weight] = {step[0]: step[1][name], **moved}

    def _learnt(self) -> list[tuple[str, nn.Parameter]]:
        return list(next(iter(self._networks.values())).named_parameters())


def _named(tensors: dict[str, Tensor], part: str) -> dict[str, Tensor]:
    return {name.removeprefix(f"{part}/"): tensor for name, tensor in tensors.items() if name.startswith(f"{part}/")}
