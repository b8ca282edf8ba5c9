"""Where an agent loses runs, as a file that trainings read: weights of decisions by ante and phase.

``jimbo mine`` writes it. People may change the weights of its buckets.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from jimbo.declared import Declared, declared, from_dict
from jimbo.engine import LAST_ANTE
from jimbo.files import file_hash, read_json, write_text

SCHEMA = "jimbo_curriculum_v1"
Where = Literal["hands", "shops", "both"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Emphasis(Declared):
    """What one kind of failure asks to be learnt."""

    weight: float = declared(min=0.0, max=1_000.0)
    """How much more its decisions count; 0: like all others."""
    phase: Where = "both"
    antes: Mapping[str, float] = declared(min=0.0, max=1.0, keys=tuple(map(str, range(LAST_ANTE + 1))))
    """The share of its runs that were lost in each ante."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureCurriculum(Declared):
    """Weights of decisions by what runs are lost to."""

    schema: str = declared(SCHEMA)
    source: Mapping[str, Any] = declared(default_factory=dict)
    """The evaluation that it comes from."""
    buckets: Mapping[str, Emphasis] = declared(default_factory=dict)

    def weights(self, antes: NDArray[Any], in_hand: NDArray[Any] | None = None) -> NDArray[np.float32]:
        """``[n]`` weights with a mean of 1, for the antes of decisions and whether those are hands and discards.

        Without the latter every bucket counts for every decision.
        """
        weights = np.ones(len(antes))
        for bucket in self.buckets.values():
            shares = np.array([bucket.antes.get(str(ante), 0.0) for ante in range(LAST_ANTE + 1)])
            there = shares[np.clip(antes.astype(int), 0, LAST_ANTE)] * LAST_ANTE
            if in_hand is not None and bucket.phase != "both":
                there = there * (in_hand == (bucket.phase == "hands"))
            weights += bucket.weight * there
        return (weights / max(weights.mean(), 1e-9)).astype(np.float32) if len(weights) else weights.astype(np.float32)


def read_curriculum(path: Path) -> FailureCurriculum:
    """ValueError with a sentence for a file that cannot be used."""
    try:
        found = from_dict(FailureCurriculum, read_json(path))
    except FileNotFoundError:
        raise ValueError(f"There is no file {path}. jimbo mine writes one.") from None
    except ValueError as error:
        text = str(error)
        raise ValueError(text if str(path) in text else f"{path} cannot be used: {text}.") from None
    if found.schema != SCHEMA:
        raise ValueError(f"{path} is not a curriculum of the schema {SCHEMA}.")
    return found


def curriculum_hash(path: str | None) -> dict[str, str]:
    """What identifies the curriculum of a training, if it has one; ValueError for one that cannot be used."""
    if path is None:
        return {}
    read_curriculum(Path(path))
    return {"curriculum_hash": file_hash(Path(path))[:16]}


def write_curriculum(path: Path, curriculum: FailureCurriculum) -> None:
    write_text(path, json.dumps(asdict(curriculum), indent=1) + "\n")
