"""Plain values in one file: arrays as numpy keeps them, all else as JSON. Nothing that is read can run code."""

from __future__ import annotations

import json
import zipfile
from collections import deque
from pathlib import Path
from typing import IO, Any

import numpy as np
import torch
from numpy.typing import NDArray

_TREE = "tree"


def write_plain(file: IO[bytes], value: Any) -> None:
    """Dicts, lists, tuples, deques, texts, bytes, numbers, arrays and tensors; TypeError for anything else."""
    arrays: dict[str, NDArray[Any]] = {}
    tree = json.dumps(_told(value, arrays)).encode()
    np.savez(file, **{_TREE: np.frombuffer(tree, np.uint8)}, **arrays)  # type: ignore[arg-type]


def read_plain(file: Path | IO[bytes]) -> Any:
    """What was written; ValueError for a file of another kind."""
    try:
        with np.load(file, allow_pickle=False) as arrays:
            return _made(json.loads(arrays[_TREE].tobytes()), arrays)
    except OSError:
        raise
    except (ValueError, KeyError, TypeError, IndexError, EOFError, AttributeError, zipfile.BadZipFile) as error:
        raise ValueError(f"it is cut off or of another kind ({type(error).__name__})") from None


def _told(value: Any, arrays: dict[str, NDArray[Any]]) -> Any:
    def many(values: Any) -> list[Any]:
        return [_told(one, arrays) for one in values]

    def array(values: NDArray[Any]) -> str:
        arrays[name := str(len(arrays))] = values
        return name

    if value is None or type(value) in (bool, int, float, str):
        return value
    if type(value) is list:
        return many(value)
    if isinstance(value, dict):
        return {"dict": [many(pair) for pair in value.items()]}
    if type(value) is tuple:
        return {"tuple": many(value)}
    if isinstance(value, deque):
        return {"deque": [many(value), value.maxlen]}
    if isinstance(value, bytes):
        return {"bytes": array(np.frombuffer(value, np.uint8))}
    if isinstance(value, torch.Tensor):
        return {"tensor": array(value.detach().cpu().numpy())}
    if isinstance(value, np.generic):
        return {"scalar": array(np.asarray(value))}
    if isinstance(value, np.ndarray) and value.dtype != np.object_:
        return {"array": array(value)}
    if isinstance(value, np.ndarray) and value.ndim == 1:
        return {"objects": many(value)}
    raise TypeError(f"{type(value).__name__} is not a plain value")


def _made(told: Any, arrays: Any) -> Any:
    if isinstance(told, list):
        return [_made(one, arrays) for one in told]
    if not isinstance(told, dict):
        return told
    ((kind, held),) = told.items()
    if kind in ("bytes", "tensor", "scalar", "array"):
        array = arrays[held]
        if kind == "array":
            return array
        return array.tobytes() if kind == "bytes" else torch.from_numpy(array) if kind == "tensor" else array[()]
    many = [_made(one, arrays) for one in held]
    if kind == "dict":
        return dict(many)
    if kind == "deque":
        return deque(*many)
    if kind == "objects":
        made = np.empty(len(many), np.object_)
        made[:] = many
        return made
    return tuple(many)
