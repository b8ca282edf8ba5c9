"""The expert's constants, typed. What each means is said in ``expert.yaml``, the one place they are set."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import yaml

T = TypeVar("T")
REFERENCE_MS = 25.0


@dataclass(frozen=True, slots=True)
class Effort:
    rollouts: int
    first_worlds: int
    more_worlds: int
    finalists: int
    outcomes: int
    pick_worlds: int
    judge_worlds: int

    def scaled(self, factor: float) -> Effort:
        """More or less work. Counts that multiply others are only ever cut."""

        def times(count: int, factor: float, least: int) -> int:
            return max(least, round(count * factor))

        cut = min(1.0, factor)
        return Effort(
            rollouts=times(self.rollouts, factor, 2),
            first_worlds=times(self.first_worlds, factor, 2),
            more_worlds=times(self.more_worlds, factor, 2),
            finalists=times(self.finalists, cut, 2),
            outcomes=times(self.outcomes, factor, 2),
            pick_worlds=times(self.pick_worlds, cut, 1),
            judge_worlds=times(self.judge_worlds, cut, 1),
        )


@dataclass(frozen=True, slots=True)
class ForecastConfig:
    rounds_beyond_boss: int


@dataclass(frozen=True, slots=True)
class ValueConfig:
    known: Sequence[float]
    unknown: Sequence[float]
    unknown_spread: Sequence[float]
    spread: float
    drift: float
    gain_per_blind: float
    early_gain: float
    early_blinds: float
    unseen_delay: float
    money: float
    money_unit: float
    money_delay: float
    income_kept: float


@dataclass(frozen=True, slots=True)
class HandConfig:
    dollar_worth: float


@dataclass(frozen=True, slots=True)
class Unseen:
    held_tarot: float
    arcana: float
    celestial: float
    standard: float
    buffoon: float
    buffoon_when_full: float
    spectral: float
    larger_pack: float
    tags: Mapping[str, float]
    vouchers: Mapping[str, float]
    jokers: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ExpertConfig:
    effort: Effort
    forecast: ForecastConfig
    value: ValueConfig
    hand: HandConfig
    threshold: float
    use_threshold: float
    unseen: Unseen


_SECTIONS: Mapping[str, type[Any]] = {
    "effort": Effort,
    "forecast": ForecastConfig,
    "value": ValueConfig,
    "hand": HandConfig,
    "unseen": Unseen,
}


def load_config(path: Path | None = None) -> ExpertConfig:
    """Reads the constants from a file; the package's own by default."""
    path = path or Path(__file__).with_name("expert.yaml")
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise ValueError(f"{path}: cannot be read as an expert's constants: {error}") from error
    sections = {name: _filled(kind, data.get(name), f"{path}: {name}") for name, kind in _SECTIONS.items()}
    return _filled(ExpertConfig, {**data, **sections}, str(path))


def _filled(kind: type[T], data: Any, where: str) -> T:
    if not isinstance(data, Mapping):
        raise ValueError(f"{where}: expected names with values")
    names = {field.name for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    if missing := names - data.keys():
        raise ValueError(f"{where}: {', '.join(sorted(missing))} missing")
    if unknown := data.keys() - names:
        raise ValueError(f"{where}: {', '.join(sorted(unknown))} unknown")
    return kind(**data)
