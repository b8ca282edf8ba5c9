"""How much memory a training asks for, and what to do where it is too much."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jimbo.train.sb3.config import TrainerConfig

REMEDIES = {
    "PPO": "lower n_steps or n_envs",
    "A2C": "lower n_steps or n_envs",
    "DQN": "lower buffer_size in algorithm_specific",
}
OUT_OF_MEMORY = (
    "the device ran out of memory: lower n_envs (2, say), batch_size or features_dim (256, say), or choose a smaller "
    "network"
)
SLOW = "faster: more n_envs (64 and up), fewer n_epochs with a larger batch_size, higher checkpoint_freq and eval_freq"


def check_memory(config: TrainerConfig, arguments: Mapping[str, Any], observation: int) -> None:
    """ValueError where what is kept of the steps would not fit; ``observation``: bytes of one."""
    needed = kept_bytes(config, arguments, observation)
    there = available_bytes()
    if there is not None and needed > 0.8 * there:
        raise ValueError(
            f"{config.algorithm} would keep {needed / 1e9:.1f} GB of steps, and {there / 1e9:.1f} GB of memory are free"
            f": {REMEDIES[config.algorithm]}"
        )


def kept_bytes(config: TrainerConfig, arguments: Mapping[str, Any], observation: int) -> int:
    """What is kept of the steps from which the algorithm learns."""
    if config.algorithm == "DQN":
        return int(arguments["buffer_size"]) * 2 * observation
    return int(arguments["n_steps"]) * config.n_envs * observation


def available_bytes() -> int | None:
    """Free memory of this machine; None where it does not tell."""
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
    except (OSError, ValueError):
        return None


def resident_bytes() -> int:
    """What this process occupies now."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
