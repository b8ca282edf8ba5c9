"""Models and plain values on disk, without pickles; the statistics of normalization lie in the zip of the model."""

from __future__ import annotations

import io
import json
import zipfile
from collections import deque
from pathlib import Path
from typing import IO, Any

import numpy as np
import torch
from numpy.typing import NDArray
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.running_mean_std import RunningMeanStd
from stable_baselines3.common.vec_env import VecNormalize

from jimbo.files import reason

_TREE = "tree"
STATISTICS = "jimbo_normalization.npz"
_OLD_STATISTICS = "jimbo_normalization.pkl"
_OF_OBSERVATIONS, _OF_RETURNS = "obs_rms", "ret_rms"
_PARTS = ("mean", "var", "count")


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


def write_model(model: BaseAlgorithm, path: str) -> None:
    """One file, so that weights and statistics always belong together. SB3's own ``load`` reads it, too."""
    with open(path, "wb") as file:
        model.save(file)
    normalize = model.get_vec_normalize_env()
    if normalize is not None:
        kept = io.BytesIO()
        write_plain(kept, statistics_of(normalize))
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr(STATISTICS, kept.getvalue())


def read_model(model: BaseAlgorithm, path: Path) -> None:
    """Sets weights and statistics of ``model``; ValueError for a file that does not fit."""
    try:
        model.set_parameters(str(path), device=model.device)
        statistics = _statistics(path)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {reason(error)}") from None
    except (ValueError, RuntimeError, KeyError, zipfile.BadZipFile) as error:
        detail = str(error).splitlines()[0]
        raise ValueError(f"{path} is not a model of this algorithm and size: {detail}") from None
    normalize = model.get_vec_normalize_env()
    if normalize is not None and statistics:
        set_statistics(normalize, statistics)


def _statistics(path: Path) -> dict[str, Any] | None:
    with zipfile.ZipFile(path) as archive:
        if _OLD_STATISTICS in archive.namelist():
            raise ValueError("an older version pickled its statistics, and a pickle can run code. Train it again")
        if STATISTICS not in archive.namelist():
            return None
        kept: dict[str, Any] = read_plain(io.BytesIO(archive.read(STATISTICS)))
        return kept


# --- Statistics of normalization --------------------------------------------------------------------------------------


def statistics_of(normalize: VecNormalize) -> dict[str, Any]:
    """Means and spreads as plain values."""
    return {
        kind: {key: {part: getattr(one, part) for part in _PARTS} for key, one in _named(normalize, kind).items()}
        for kind in (_OF_OBSERVATIONS, _OF_RETURNS)
    }


def set_statistics(normalize: VecNormalize, statistics: dict[str, Any]) -> None:
    for kind in (_OF_OBSERVATIONS, _OF_RETURNS):
        for key, one in _named(normalize, kind).items():
            for part in _PARTS:
                setattr(one, part, statistics[kind][key][part])


def _named(normalize: VecNormalize, kind: str) -> dict[str, RunningMeanStd]:
    """One of each table of the observations, or one of all; none where nothing of the kind is normalized."""
    found = getattr(normalize, kind, None)
    return found if isinstance(found, dict) else {} if found is None else {"": found}
