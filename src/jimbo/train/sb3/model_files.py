"""Models on disk: the zip of Stable-Baselines3, with the statistics of normalization inside it."""

from __future__ import annotations

import pickle
import zipfile
from pathlib import Path
from typing import Any

from stable_baselines3.common.base_class import BaseAlgorithm

from jimbo.files import trouble

STATISTICS = "jimbo_normalization.pkl"


def write_model(model: BaseAlgorithm, path: str) -> None:
    """One file, so that weights and statistics always belong together. SB3's own ``load`` reads it, too."""
    with open(path, "wb") as file:
        model.save(file)
    normalize = model.get_vec_normalize_env()
    if normalize is not None:
        kept = {"obs_rms": getattr(normalize, "obs_rms", None), "ret_rms": normalize.ret_rms}
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr(STATISTICS, pickle.dumps(kept))


def read_model(model: BaseAlgorithm, path: Path) -> None:
    """Sets weights and statistics of ``model``; ValueError for a file that does not fit."""
    try:
        model.set_parameters(str(path), device=model.device)
        statistics = _statistics(path)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {trouble(error)}") from None
    except (ValueError, RuntimeError, KeyError, zipfile.BadZipFile) as error:
        detail = str(error).splitlines()[0]
        raise ValueError(f"{path} is not a model of this algorithm and size: {detail}") from None
    normalize = model.get_vec_normalize_env()
    if normalize is not None and statistics:
        for name, value in statistics.items():
            if value is not None:
                setattr(normalize, name, value)


def _statistics(path: Path) -> dict[str, Any] | None:
    with zipfile.ZipFile(path) as archive:
        if STATISTICS not in archive.namelist():
            return None
        kept: dict[str, Any] = pickle.loads(archive.read(STATISTICS))
        return kept
