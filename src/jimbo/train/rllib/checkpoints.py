"""Checkpoints: RLlib's own folder, with one more file that says what is trained and how far it is."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from jimbo.declared import from_dict
from jimbo.files import read_json, reason, write_text
from jimbo.models.inputs import input_schema
from jimbo.train.rllib.config import RllibConfig, read_config

LAST, BEST = "last", "best_model"
_ABOUT = "jimbo.json"
_FORMAT = "jimbo_rllib_v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How far a training is."""

    iteration: int = 0
    timesteps: int = 0
    """Decisions."""
    episodes: int = 0
    seconds: float = 0.0
    """Spent in iterations."""
    illegal: int = 0
    reward: float | None = None
    """Mean return of the last evaluation."""
    win_rate: float | None = None
    best_reward: float | None = None
    best_iteration: int = 0


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What is known about a checkpoint."""

    config: RllibConfig
    standing: Standing
    path: Path


def save_checkpoint(algorithm: Any, folder: Path, config: RllibConfig, standing: Standing) -> None:
    """Replace a checkpoint; ValueError with a sentence if it cannot be written."""
    about = {
        "format": _FORMAT,
        "schema_hash": input_schema(),
        "config": config.to_data(),
        "standing": asdict(standing),
        "written": time.strftime("%Y-%m-%dT%H:%M:%S"),
    }
    new, old = folder.with_name(f".{folder.name}.part"), folder.with_name(f".{folder.name}.old")
    try:
        for left in (new, old):
            shutil.rmtree(left, ignore_errors=True)
        new.mkdir(parents=True)
        algorithm.save_to_path(str(new.resolve()))
        write_text(new / _ABOUT, json.dumps(about, indent=2) + "\n")
        if folder.exists():
            os.replace(folder, old)
        os.replace(new, folder)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        raise ValueError(f"{folder} cannot be written: {reason(error)}.") from None


def find_checkpoint(given: Path) -> Path:
    """Return this folder, the best or the last checkpoint of a training, or ``best_model`` for ``best_model.pt``."""
    for folder in (given, given.with_suffix(""), given / BEST, given / LAST):
        if (folder / _ABOUT).is_file():
            return folder
    raise ValueError(
        f"There is no checkpoint at {given}. Name a folder of jimbo train rllib, such as checkpoints/{BEST}."
    )


def read_checkpoint(given: Path) -> Checkpoint:
    """Return what is at a path that a user gave; ValueError with a sentence if it cannot be used here."""
    path = find_checkpoint(given)
    file = path / _ABOUT
    data = read_json(file)
    if not isinstance(data, Mapping) or data.get("format") != _FORMAT:
        raise ValueError(f"{file} is not of the format {_FORMAT}.")
    if data.get("schema_hash") != input_schema():
        raise ValueError(f"{path} was made for other observations. Train again with this version.")
    config, _ = read_config(data.get("config"), str(file))
    return Checkpoint(config, from_dict(Standing, data.get("standing"), str(file)), path)
