"""The expert's constants by name, such as ``value.known.1`` or ``unseen.jokers.j_joker``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from jimbo.agents.expert_v1 import ExpertConfig
from jimbo.declared import from_dict


def constants(config: ExpertConfig) -> dict[str, float]:
    """All of them, in the order of the file."""
    return dict(_flat(asdict(config), ""))


def _flat(place: Any, name: str) -> Iterator[tuple[str, float]]:
    if isinstance(place, int | float):
        yield name, place
        return
    for part, item in place.items() if isinstance(place, dict) else enumerate(place):
        yield from _flat(item, f"{name}.{part}" if name else str(part))


def changed(config: ExpertConfig, values: Mapping[str, float]) -> ExpertConfig:
    """With other values for some, or for jokers, vouchers and tags that had none; ValueError for one out of range."""
    data = json.loads(json.dumps(asdict(config)))
    for name, value in values.items():
        *path, last = name.split(".")
        place = data
        for part in path:
            place = place[part]
        place[int(last) if isinstance(place, list) else last] = value
    return from_dict(ExpertConfig, data)
