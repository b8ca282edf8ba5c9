"""The folder of models: ``model_step_000100.onnx`` is a checkpoint, ``latest.onnx`` and ``model.onnx`` are the newest.

Each is written beside its place and renamed into it, so that nobody reads half a file.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

from jimbo.files import write_bytes
from jimbo.run_folder import check_empty_or_ours

LATEST, MODEL, BEST = "latest.onnx", "model.onnx", "best.onnx"
RESUME = "latest.pt"
"""What a trainer needs to go on."""
_OURS = re.compile(r"((model_step|best_iteration)_\d+|latest|model|best)\.onnx(\.data)?")
_NAME = re.compile(r"model_step_(\d+)\.onnx$")


def check_models(folder: Path) -> None:
    """ValueError for a folder with files that no training has written, or with a damaged file to resume from."""
    check_empty_or_ours(folder, RESUME, _OURS)
    path = folder / RESUME
    if path.is_file() and not _is_whole(path):
        raise ValueError(f"{path} is damaged, so the training cannot go on from it. Choose another --model-dir.")


def _is_whole(path: Path) -> bool:
    """Every part is as its checksum says; torch itself would not notice."""
    try:
        with zipfile.ZipFile(path) as file:
            return file.testzip() is None
    except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError, EOFError):
        return False


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
