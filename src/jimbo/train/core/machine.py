"""The machine that trains: its device, and no more threads than it has cores for.

Threads that wait for one another by spinning make a shared machine ten times slower, so they sleep instead. That must
be set before torch is imported: import torch for training from here.
"""

from __future__ import annotations

import os
from typing import Any, Literal, get_args

from jimbo.extras import require
from jimbo.processes import usable_cores

DeviceName = Literal["auto", "cpu", "cuda", "mps"]


def use_passive_openmp() -> None:
    """Let waiting threads sleep. It has an effect only before torch is imported."""
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


def prepare(device: str) -> Any:
    """Return a torch.device; ValueError with a sentence for one that this machine does not have."""
    if device not in get_args(DeviceName):
        raise ValueError(f'There is no device "{device}". Choose one of {", ".join(get_args(DeviceName))}.')
    use_passive_openmp()
    torch = require("torch", "train")
    torch.set_num_threads(usable_cores())
    there = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if device == "auto":
        device = next(name for name in ("cuda", "mps", "cpu") if there[name])
    if not there[device]:
        raise ValueError(f"This machine has no device {device} that torch can use. Choose auto or cpu.")
    return torch.device(device)
