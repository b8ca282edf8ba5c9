"""The expert's constants, typed. ``expert.yaml``, the one place where they are set, says what each means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jimbo.declared import Declared, declared, from_dict
from jimbo.engine.catalog import JOKERS, TAGS, VOUCHERS
from jimbo.yaml_files import read_yaml

OWN_FILE = Path(__file__).with_name("expert.yaml")
_MAX_WORK = 10_000_000
_MAX_ROUNDS_BEYOND = 3  # a forecast has six rounds at most, and up to three of them lead to this ante's boss


def _count() -> Any:
    return declared(min=1, max=_MAX_WORK)


def _score() -> Any:
    """A log score of either sign."""
    return declared(min=-100, max=100)


def _amount() -> Any:
    return declared(min=0, max=100)


def _divisor() -> Any:
    return declared(min=0.01, max=1000)


@dataclass(frozen=True, slots=True)
class Effort(Declared):
    rollouts: int = _count()
    first_worlds: int = _count()
    more_worlds: int = _count()
    finalists: int = _count()
    outcomes: int = _count()
    pick_worlds: int = _count()
    judge_worlds: int = _count()

    def scaled(self, factor: float) -> Effort:
        """More or less work. Counts that multiply others are only ever cut."""

        def times(count: int, factor: float, fewest: int) -> int:
            return min(_MAX_WORK, max(fewest, round(count * factor)))

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
class ForecastConfig(Declared):
    rounds_beyond_boss: int = declared(min=0, max=_MAX_ROUNDS_BEYOND)


@dataclass(frozen=True, slots=True)
class ValueConfig(Declared):
    known: tuple[float, float, float] = _score()
    unknown: tuple[float, float, float] = _score()
    unknown_spread: tuple[float, float, float] = _amount()
    spread: float = declared(min=0.001, max=100)
    drift: float = _amount()
    gain_per_blind: float = _score()
    early_gain: float = _score()
    early_blinds: float = _divisor()
    unseen_delay: float = _divisor()
    money: float = _amount()
    money_unit: float = _divisor()
    money_delay: float = _divisor()
    income_kept: float = _amount()


@dataclass(frozen=True, slots=True)
class HandConfig(Declared):
    dollar_worth: float = _amount()


@dataclass(frozen=True, slots=True)
class Unseen(Declared):
    held_tarot: float = _score()
    arcana: float = _score()
    celestial: float = _score()
    standard: float = _score()
    buffoon: float = _score()
    buffoon_when_full: float = _score()
    spectral: float = _score()
    larger_pack: float = _amount()
    tags: Mapping[str, float] = declared(min=-100, max=100, keys=TAGS)
    vouchers: Mapping[str, float] = declared(min=-100, max=100, keys=VOUCHERS)
    jokers: Mapping[str, float] = declared(min=-100, max=100, keys=JOKERS)


@dataclass(frozen=True, slots=True)
class ExpertConfig(Declared):
    effort: Effort
    forecast: ForecastConfig
    value: ValueConfig
    hand: HandConfig
    unseen: Unseen
    threshold: float = _score()
    use_threshold: float = _score()


def load_config(path: Path | None = None) -> ExpertConfig:
    """Reads the constants from a file, the package's own by default; ValueError says what is wrong with it."""
    path = path or OWN_FILE
    return from_dict(ExpertConfig, read_yaml(path), f"config {path}")
