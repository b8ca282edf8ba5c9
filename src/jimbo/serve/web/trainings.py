"""Trainings, loops, rollouts and evaluations below a folder: where they are, and whether somebody writes to them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from jimbo.data.config_file import parts_folder
from jimbo.eval.store import ROWS
from jimbo.files import json_object, read_bytes
from jimbo.pace import PACE, pace_file
from jimbo.rollout.output import lock_file
from jimbo.run_folder import CONFIG, LOCK, is_held
from jimbo.train.core.log import LOG

Kind = Literal["training", "self-play", "evaluation", "rollout"]
STATS = "stats.json"
ROLLOUT = ".config.json"
_DEEPEST, _MOST_FOLDERS, _MOST_RUNS = 6, 4000, 500
_LEFT_OUT = frozenset({"node_modules", "site-packages", "tensorboard", "objects", "models", "logs", "__pycache__"})
_FRESH = 120.0
"""Seconds for which a run counts as running where the system does not tell who writes."""


@dataclass(slots=True)
class FoundRun:
    """A run that was found."""

    id: str
    """Its path below the folder."""
    kind: Kind
    path: Path
    """A folder, or the file of a rollout."""
    source: Path
    """The file that changes."""

    @property
    def pace(self) -> Path:
        """Where its pace is noted."""
        return pace_file(self.path) if self.kind == "rollout" else self.path / PACE


def find_runs(folder: Path) -> list[FoundRun]:
    """Return the runs below a folder, the one that changed last first. Links are not followed."""
    found: list[FoundRun] = []
    for place, names in _folders(folder):
        found += _runs_in(folder, place, names)
        if len(found) >= _MOST_RUNS:
            break
    return sorted(found, key=lambda run: -changed(run))


def changed(run: FoundRun) -> float:
    """Return when a run last changed, in seconds since 1970."""
    return max(map(_changed, (run.source, run.pace)))


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _folders(folder: Path) -> Iterator[tuple[Path, list[str]]]:
    top = len(folder.parts)
    for seen, (place, folders, names) in enumerate(os.walk(folder)):
        here = Path(place)
        deep = len(here.parts) - top
        folders[:] = sorted(one for one in folders if not one.startswith(".") and one not in _LEFT_OUT)
        if deep >= _DEEPEST:
            folders.clear()
        yield here, names
        if seen >= _MOST_FOLDERS:
            return


def _runs_in(top: Path, place: Path, names: Sequence[str]) -> Iterator[FoundRun]:
    id = place.relative_to(top).as_posix()
    known = set(names)
    if STATS in known:
        yield FoundRun(id, "self-play", place, place / STATS)
    elif ROWS in known and CONFIG in known:
        yield FoundRun(id, "evaluation", place, place / ROWS)
    elif metrics := sorted(name for name in known if name.endswith(("_metrics.json", "train_summary.json"))):
        best = next((name for name in metrics if name.startswith("train_")), metrics[0])
        yield FoundRun(id, "training", place, place / best)
    elif LOG in known:
        yield FoundRun(id, "training", place, place / LOG)
    elif CONFIG in known and (place / CONFIG).is_file() and "training" in _schema(place / CONFIG):
        yield FoundRun(id, "training", place, place / CONFIG)  # its first step is not over
    for name in sorted(known):
        if name.endswith(ROLLOUT):
            made = place / name.removesuffix(ROLLOUT)
            parts = parts_folder(made)
            source = parts if parts.is_dir() else made if made.is_file() else place / name
            yield FoundRun(made.relative_to(top).as_posix(), "rollout", made, source)


def _schema(path: Path) -> str:
    try:
        return str(json_object(read_bytes(path, 1 << 20)).get("schema"))
    except (OSError, ValueError):
        return ""


def is_running(run: FoundRun) -> bool:
    """Whether somebody writes to a run."""
    lock = lock_file(run.path) if run.kind == "rollout" else run.path / LOCK
    held = is_held(lock)
    return time.time() - changed(run) < _FRESH if held is None else held
