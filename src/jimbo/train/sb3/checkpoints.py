"""Checkpoints of a training: the newest few, and the best."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jimbo.files import replacing, write_text
from jimbo.train.sb3.config import read_json

BEST = "best_model.zip"
NOTES = "best_model.json"
_NAME = re.compile(r"checkpoint_(\d+)\.zip")


def write_beside(write: Callable[[str], Any], path: Path) -> None:
    """Lets ``write`` write a file that is whole or absent."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as beside:
        write(str(beside))
        # Stable-Baselines3 adds .zip to names that end otherwise.
        renamed = beside.with_name(f"{beside.name}.zip")
        if renamed.exists():
            renamed.replace(beside)


class CheckpointManager:
    """Keeps the last ``keep`` checkpoints of a folder, and the best by a number.

    >>> manager = CheckpointManager("models/PPO", keep=3)
    >>> manager.save(model.save, step=10_000)
    >>> manager.save_best(model.save, step=10_000, value=0.7)
    >>> manager.latest(), manager.best()
    """

    def __init__(self, folder: Path | str, keep: int = 5) -> None:
        if keep < 1:
            raise ValueError(f"keep must be at least 1, not {keep}")
        self.folder = Path(folder)
        self.keep = keep

    def save(self, write: Callable[[str], Any], step: int) -> Path:
        """Lets ``write`` write a checkpoint to the file it is given; deletes those that are too old."""
        path = self.folder / f"checkpoint_{step}.zip"
        write_beside(write, path)
        for old in self.checkpoints()[: -self.keep]:
            old.unlink(missing_ok=True)
        return path

    def save_best(self, write: Callable[[str], Any], step: int, value: float) -> bool:
        """Writes it if ``value`` is higher than that of the best so far; says whether it was."""
        known = self.best_value()
        if known is not None and value <= known:
            return False
        write_beside(write, self.folder / BEST)
        write_text(self.folder / NOTES, json.dumps({"step": step, "value": value}) + "\n")
        return True

    def forget(self) -> None:
        """Deletes all, for a training that begins anew."""
        for path in (*self.checkpoints(), self.folder / BEST, self.folder / NOTES):
            path.unlink(missing_ok=True)

    def checkpoints(self) -> list[Path]:
        """Oldest first."""
        found = [(int(match[1]), path) for path in self.folder.glob("*.zip") if (match := _NAME.fullmatch(path.name))]
        return [path for _, path in sorted(found)]

    def latest(self) -> Path | None:
        return self.checkpoints()[-1] if self.checkpoints() else None

    def best(self) -> Path | None:
        path = self.folder / BEST
        return path if path.is_file() else None

    def best_value(self) -> float | None:
        notes = self.folder / NOTES
        return float(read_json(notes)["value"]) if notes.is_file() else None

    def __repr__(self) -> str:
        return f"<CheckpointManager of {self.folder}: {len(self.checkpoints())} checkpoints>"
