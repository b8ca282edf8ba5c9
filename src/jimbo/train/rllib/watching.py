"""Who is told how a training goes: the log file, TensorBoard, Weights & Biases, the terminal."""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Mapping
from io import FileIO
from pathlib import Path
from typing import Any

from jimbo.extras import require
from jimbo.files import add_line, reason

EVENTS = "tensorboard"


class Watcher:
    """Each overrides what it wants to know."""

    def told(self, notice: str) -> None:
        """Something the user should know, as a sentence."""

    def began(self, iteration: int, iterations: int) -> None:
        """Before the first iteration; ``iteration`` of the ``iterations`` are done already."""

    def iterated(self, row: Mapping[str, Any]) -> None:
        """An iteration is over."""

    def judged(self, row: Mapping[str, Any], best: bool) -> None:
        """An evaluation is over."""

    def close(self) -> None: ...


class Watchers(Watcher):
    """Several at once."""

    def __init__(self, *watchers: Watcher) -> None:
        self._watchers = watchers

    def told(self, notice: str) -> None:
        for watcher in self._watchers:
            watcher.told(notice)

    def began(self, iteration: int, iterations: int) -> None:
        for watcher in self._watchers:
            watcher.began(iteration, iterations)

    def iterated(self, row: Mapping[str, Any]) -> None:
        for watcher in self._watchers:
            watcher.iterated(row)

    def judged(self, row: Mapping[str, Any], best: bool) -> None:
        for watcher in self._watchers:
            watcher.judged(row, best)

    def close(self) -> None:
        for watcher in self._watchers:
            watcher.close()


class LogFile(Watcher):
    """A line of JSON for each iteration, and one for each evaluation (``kind`` tells them apart)."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: FileIO = path.open("ab", buffering=0)
        except OSError as error:
            raise ValueError(f"{path} cannot be written: {reason(error)}.") from None

    def iterated(self, row: Mapping[str, Any]) -> None:
        self._add({"kind": "iteration", **row})

    def judged(self, row: Mapping[str, Any], best: bool) -> None:
        self._add({"kind": "evaluation", **row, "best": best})

    def _add(self, row: Mapping[str, Any]) -> None:
        try:
            add_line(self._file, json.dumps(row))
        except OSError as error:
            raise ValueError(f"{self._path} cannot be written: {reason(error)}.") from None

    def close(self) -> None:
        self._file.close()


class TensorBoard(Watcher):
    """Every number of a row under its name."""

    def __init__(self, folder: Path) -> None:
        self._writer = require("torch.utils.tensorboard", "rllib").SummaryWriter(str(folder / EVENTS))

    def iterated(self, row: Mapping[str, Any]) -> None:
        self._write(row, "")

    def judged(self, row: Mapping[str, Any], best: bool) -> None:
        self._write(row, "evaluation/")

    def _write(self, row: Mapping[str, Any], before: str) -> None:
        for name, value in row.items():
            if isinstance(value, int | float):
                self._writer.add_scalar(f"{before}{name}", value, row["timesteps_total"])
        self._writer.flush()

    def close(self) -> None:
        self._writer.close()


class Tracker(Watcher):
    """Weights & Biases; without a key it keeps the run in a folder, for ``wandb sync``."""

    def __init__(self, folder: Path, experiment: str, config: Mapping[str, Any]) -> None:
        wandb = weights_and_biases()
        if not (os.environ.get("WANDB_API_KEY") or os.environ.get("WANDB_MODE")):
            os.environ["WANDB_MODE"] = "offline"
        self._run = wandb.init(
            project="balatro-rl", name=experiment, dir=str(folder), config=dict(config), resume="allow"
        )

    def iterated(self, row: Mapping[str, Any]) -> None:
        self._run.log(dict(row), step=row["iteration"])

    def judged(self, row: Mapping[str, Any], best: bool) -> None:
        self._run.log({f"evaluation/{name}": value for name, value in row.items()}, step=row["iteration"])

    def close(self) -> None:
        self._run.finish()


def weights_and_biases() -> Any:
    """The library; ValueError with the remedy where it is missing."""
    try:
        return importlib.import_module("wandb")
    except ImportError:
        raise ValueError("--track needs wandb, which is not installed: pip install wandb") from None
