"""The settings file of a file of decisions: how it was made, with versions and schema_hash."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jimbo.data.samples import BadData
from jimbo.files import read_json, write_text

WHOLE_GAMES = "whole_games"
"""Settings of a file that holds only some decisions of each game say that this is false."""
_OPTIONS = {
    "agent": "--agent", "games": "--games", "backend": "--backend", "challenge": "--challenge", "deck": "--deck",
    "stake": "--stake", "seed": "--seed", "seed_prefix": "--seed-prefix", "max_steps": "--max-steps-per-episode",
}  # fmt: skip
"""Options of jimbo rollout, by the settings that they become."""


def config_path(path: Path) -> Path:
    """``games.jsonl.config.json`` of ``games.jsonl``."""
    return path.with_name(f"{path.name}.config.json")


def parts_folder(path: Path) -> Path:
    """Return where the rows of a rollout in columns are until all games were played."""
    return path.with_name(f"{path.name}.parts")


def unfinished(path: Path) -> str:
    """Return a sentence with the command that finishes a rollout whose file is not there yet; empty for any other."""
    if not any(parts_folder(path).glob("*.parquet")):
        return ""
    settings = read_config(path)
    words = ["jimbo", "rollout", "--out", str(path)]
    for name, option in _OPTIONS.items():
        if settings.get(name) is not None and not (name == "deck" and settings.get("challenge")):
            words += [option, str(settings[name])]
    for name, value in settings.get("options", {}).items():
        words += ["--set", f"{name}={value if isinstance(value, str) else json.dumps(value)}"]
    how = shlex.join(words) if "games" in settings and "agent" in settings else "the command that started it"
    shorter = "; a smaller --games ends it with the games that are there"
    return f"{path} is not finished: its games are in {parts_folder(path)}{shorter}. Finish it with: {how}"


def write_config(path: Path, settings: Mapping[str, Any]) -> None:
    write_text(config_path(path), json.dumps(settings, indent=2, ensure_ascii=False) + "\n")


def read_config(path: Path) -> dict[str, Any]:
    """Nothing where there is no such file; BadData for one that holds anything else."""
    try:
        settings = read_json(config_path(path), BadData)
    except FileNotFoundError:
        return {}
    if not isinstance(settings, dict):
        raise BadData(f"{config_path(path)} cannot be used: it does not hold named settings.")
    return settings
