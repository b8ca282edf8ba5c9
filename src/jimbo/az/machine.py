"""The machine that trains: its device, and how many threads torch may use."""

from __future__ import annotations

from typing import Any

from jimbo.extras import require
from jimbo.processes import usable_cores
from jimbo.train.core.machine import prepare as prepare_device

_SMALL = 4
"""With so few cores the actors need them: threads that wait for one another would make all of them slower."""
_MAX_THREADS = 8


def prepare(device: str, threads: int) -> Any:
    """A torch.device; ValueError with a sentence for one that this machine does not have."""
    found = prepare_device(device)
    cores = usable_cores()
    sensible = 1 if cores <= _SMALL or found.type != "cpu" else min(_MAX_THREADS, cores // 2)
    require("torch", "train").set_num_threads(threads or sensible)
    return found
