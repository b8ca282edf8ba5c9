"""Beside a file of decisions stands how it was made: settings, seeds, versions, schema_hash."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jimbo.data.samples import BadData
from jimbo.files import loads, read_text, trouble, write_text

WHOLE_GAMES = "whole_games"
"""Settings of a file that holds only some decisions of each game say that this is false."""


def config_path(path: Path) -> Path:
    """``games.jsonl.config.json`` of ``games.jsonl``."""
    return path.with_name(f"{path.name}.config.json")


def write_config(path: Path, settings: Mapping[str, Any]) -> None:
    write_text(config_path(path), json.dumps(settings, indent=2, ensure_ascii=False) + "\n")


def read_config(path: Path) -> dict[str, Any]:
    """Nothing where there is no such file; BadData for one that holds anything else."""
    beside = config_path(path)
    try:
        settings = loads(read_text(beside))
        if not isinstance(settings, dict):
            raise ValueError("it does not hold named settings")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeError) as error:
        raise BadData(f"{beside} cannot be read: {trouble(error)}.") from None
    except ValueError as error:
        raise BadData(f"{beside} cannot be used: {error}.") from None
    return settings
