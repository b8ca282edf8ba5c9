"""The folder of models: ``model_step_000100.onnx`` is a checkpoint, ``latest.onnx`` and ``model.onnx`` are the newest.

Each is written beside its place and renamed into it, so that nobody reads half a file.
"""

from __future__ import annotations

import re
from pathlib import Path

from jimbo.files import write_bytes

LATEST, MODEL = "latest.onnx", "model.onnx"
_NAME = re.compile(r"model_step_(\d+)\.onnx$")


def publish(folder: Path, step: int, keep: int) -> None:
    """Makes a checkpoint the newest model, and removes the oldest ones; ``keep`` 0: none."""
    data = checkpoint_path(folder, step).read_bytes()
    for name in (LATEST, MODEL):
        write_bytes(folder / name, data)
    for _, path in checkpoints(folder)[: -keep or None] if keep else []:
        path.unlink(missing_ok=True)
    for orphan in folder.glob("model_step_*.onnx.data"):
        orphan.unlink(missing_ok=True)  # of exporters that write weights beside the model


def checkpoint_path(folder: Path, step: int) -> Path:
    return folder / f"model_step_{step:06d}.onnx"


def checkpoints(folder: Path) -> list[tuple[int, Path]]:
    """By their steps, oldest first."""
    found = ((_NAME.search(path.name), path) for path in folder.glob("model_step_*.onnx"))
    return sorted((int(match[1]), path) for match, path in found if match)
