"""Models on disk: the zip of Stable-Baselines3, with the statistics of normalization inside it."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.running_mean_std import RunningMeanStd
from stable_baselines3.common.vec_env import VecNormalize

from jimbo.files import reason
from jimbo.train.sb3.plain import read_plain, write_plain

STATISTICS = "jimbo_normalization.npz"
_OLD_STATISTICS = "jimbo_normalization.pkl"


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

_OF_OBSERVATIONS, _OF_RETURNS = "obs_rms", "ret_rms"
_PARTS = ("mean", "var", "count")


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
