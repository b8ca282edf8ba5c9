"""Where a loop stands, on disk: a kill at any moment costs no more than the work under way."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from jimbo.az.loop_settings import LoopConfig
from jimbo.declared import declared, from_dict, short_repr
from jimbo.files import loads, read_text, reason, write_text

STATE = "loop.json"
Phase = Literal["play", "train", "gate"]
_BEST = re.compile(r"best_iteration_\d{4,}\.onnx")
_FIXED = ("steps", "network", "width", "blocks")
"""Settings that a loop keeps: steps are numbered by them, and weights have their shape."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """An iteration that is over."""

    iteration: int = declared(min=0)
    step: int = declared(min=0)
    episodes: int = declared(min=0)
    seconds: float = declared(min=0.0)
    random_win_rate: float
    best_score: float | None
    optimal_moves: float | None
    best_optimal: float | None
    promoted: bool


@dataclass
class LoopState:
    env_id: str
    iteration: int = 0
    """Iterations that are over."""
    phase: Phase = "play"
    mark: int = 0
    """The newest row of the store when this iteration began."""
    best: str = ""
    """Name of the best model in the folder of models; none at first."""
    best_iteration: int = 0
    best_step: int = 0
    seconds: float = 0.0
    """Spent in all."""
    history: list[Mapping[str, Any]] = field(default_factory=list)
    """A row for each iteration that is over."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Those that it keeps."""

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        write_text(folder / STATE, json.dumps(asdict(self), indent=1) + "\n")


def best_name(iteration: int) -> str:
    """Return the name under which the model of an iteration is kept as the best."""
    return f"best_iteration_{iteration:04d}.onnx"


def read_state(config: LoopConfig) -> LoopState:
    """Return what is there, or the beginning; ValueError for a loop that these settings cannot resume."""
    path = Path(config.stats).parent / STATE
    asked = {name: getattr(config, name) for name in _FIXED}
    if not path.exists():
        return LoopState(config.env_id, settings=asked)
    try:
        state = from_dict(LoopState, loads(read_text(path), finite=True))
        _check(state, config, asked)
    except (OSError, UnicodeError) as error:
        raise ValueError(f"{path} cannot be read: {reason(error)}.") from None
    except ValueError as error:
        raise ValueError(f"{path} cannot be resumed: {error}. Choose another --out-dir.") from None
    state.settings = asked
    return state


def _check(state: LoopState, config: LoopConfig, asked: Mapping[str, Any]) -> None:
    if state.env_id != config.env_id:
        raise ValueError(f"it is a loop of {state.env_id}")
    rows = [from_dict(Row, row, "history") for row in state.history]
    # Loops of earlier versions did not note their settings, but their steps can be seen.
    known = dict(state.settings) or ({"steps": rows[0].step // (rows[0].iteration + 1)} if rows else {})
    if other := [name for name in known if known[name] != asked.get(name)]:
        raise ValueError(f"it is a loop with --{other[0]} {known[other[0]]}")
    if state.best:
        # Earlier versions wrote a path; a name alone keeps a copied or moved loop among its own files.
        state.best = Path(state.best).name
        if not _BEST.fullmatch(state.best):
            raise ValueError(f"{short_repr(state.best)} is not the name of a best model")
        if not (Path(config.model_dir) / state.best).is_file():
            raise ValueError(f"the best model, {Path(config.model_dir) / state.best}, is missing")
