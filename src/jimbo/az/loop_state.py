"""Where a loop stands, on disk: a kill at any moment costs no more than the work under way."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from jimbo.declared import filled
from jimbo.files import loads, write_text

STATE = "loop.json"
Phase = Literal["play", "train", "gate"]


@dataclass
class LoopState:
    env_id: str
    iteration: int = 0
    """Iterations that are over."""
    phase: Phase = "play"
    mark: int = 0
    """The newest row of the store when this iteration began."""
    best: str = ""
    """File of the best model; none at first."""
    best_iteration: int = 0
    best_step: int = 0
    seconds: float = 0.0
    """Spent in all."""
    history: list[Mapping[str, Any]] = field(default_factory=list)
    """A row for each iteration that is over."""

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        write_text(folder / STATE, json.dumps(asdict(self), indent=1) + "\n")


def read_state(folder: Path, env_id: str) -> LoopState:
    """What is there, or the beginning; ValueError for a loop of another game."""
    path = folder / STATE
    if not path.is_file():
        return LoopState(env_id)
    try:
        state = filled(LoopState, loads(path.read_text(encoding="utf-8")))
        if state.env_id != env_id:
            raise ValueError(f"it is a loop of {state.env_id}")
    except ValueError as error:
        raise ValueError(f"{path} cannot be resumed: {error}. Choose another --out-dir") from None
    return state
