"""Checkpoints: RLlib's own folder, with a file beside its files that says what it is and how far it came."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from jimbo.declared import from_dict
from jimbo.files import loads, read_text, reason, write_text
from jimbo.models.inputs import input_schema
from jimbo.train.rllib.config import RllibConfig, read_config

ABOUT = "jimbo.json"
FORMAT = "jimbo_rllib_v1"
LAST, BEST = "last", "best_model"


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
class About:
    """What a checkpoint is."""

    config: RllibConfig
    standing: Standing
    path: Path
    name: str = field(default="")


def save(algorithm: Any, folder: Path, config: RllibConfig, standing: Standing) -> None:
    """Replaces a checkpoint; ValueError with a sentence if it cannot be written."""
    beside, old = folder.with_name(f".{folder.name}.part"), folder.with_name(f".{folder.name}.old")
    try:
        for left in (beside, old):
            shutil.rmtree(left, ignore_errors=True)
        beside.mkdir(parents=True)
        algorithm.save_to_path(str(beside.resolve()))
        write_text(beside / ABOUT, json.dumps(_data(config, standing), indent=2) + "\n")
        if folder.exists():
            os.replace(folder, old)
        os.replace(beside, folder)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        raise ValueError(f"{folder} cannot be written: {reason(error)}.") from None


def _data(config: RllibConfig, standing: Standing) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "schema_hash": input_schema(),
        "config": config.to_data(),
        "standing": asdict(standing),
        "written": time.strftime("%Y-%m-%dT%H:%M:%S"),
    }


def find_checkpoint(given: Path) -> Path:
    """A checkpoint: this folder, the best or the last of a training, or ``best_model`` for ``best_model.pt``."""
    places = (given, given.with_suffix(""), given / BEST, given / LAST)
    for place in places:
        if (place / ABOUT).is_file():
            return place
    raise ValueError(
        f"There is no checkpoint at {given}. Name a folder of jimbo train rllib, such as checkpoints/{BEST}."
    )


def read_about(given: Path) -> About:
    """What is at a path that a user gave; ValueError with a sentence if it cannot be used here."""
    path = find_checkpoint(given)
    file = path / ABOUT
    try:
        data = loads(read_text(file))
    except (OSError, UnicodeError) as error:
        raise ValueError(f"{file} cannot be read: {reason(error)}.") from None
    except ValueError as error:
        raise ValueError(f"{file} cannot be used: {error}.") from None
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise ValueError(f"{file} is not of the format {FORMAT}.")
    if data.get("schema_hash") != input_schema():
        raise ValueError(f"{path} was made for other observations. Train again with this version.")
    config, _ = read_config(data.get("config"), str(file))
    return About(config, from_dict(Standing, data.get("standing"), str(file)), path)
