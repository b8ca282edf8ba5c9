"""What is made of the chances that a value gives: how often they came true in games of the agent that plays by it.

The maps are fitted by ``jimbo eval --calibrate`` (``jimbo.eval.chances``) and hold for one agent, stake and value.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from jimbo.declared import Declared, declared, from_dict
from jimbo.files import file_hash, read_json, write_text

FORMAT = "jimbo_calibration_v1"
OWN_MAPS = Path(__file__).with_name("calibration.json")
FIRST, LATER = "first", "later"
"""The phases of chances to clear: said with the first hand or discard of a blind, and with later ones."""
SMALLEST = 1e-3
"""A chance that was counted in some hundred worlds is never surer than this."""
_LEAST_SLOPE = 0.05
_MOST_ODDS = 20.0
_NO_CHANGE = (0.0, 0.0)

Change = tuple[float, float]
"""Of the offset and of the slope."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChanceMap(Declared):
    """From chances that are said to how often they came true: a line through their log odds.

    An ante and a phase change its offset and its slope. It always rises, so that it never changes which of two chances
    is the larger.
    """

    offset: float = declared()
    slope: float = declared(min=_LEAST_SLOPE)
    antes: Mapping[str, Change] = declared(default_factory=dict)
    phases: Mapping[str, Change] = declared(default_factory=dict)
    decisions: int = declared(0, min=0)
    """What it was fitted by."""
    games: int = declared(0, min=0)

    def __call__(self, said: float, ante: int, phase: str) -> float:
        more, steeper = (sum(pair) for pair in zip(*self._changes(ante, phase), strict=True))
        slope = max(_LEAST_SLOPE, self.slope + steeper)
        odds = self.offset + more + slope * log_odds(said)
        return 1 / (1 + math.exp(-min(max(odds, -_MOST_ODDS), _MOST_ODDS)))

    def _changes(self, ante: int, phase: str) -> tuple[Change, Change]:
        return self.antes.get(str(ante), _NO_CHANGE), self.phases.get(phase, _NO_CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerMaps(Declared):
    """The maps of one agent at one stake."""

    agent: str = declared(nonempty=True)
    stake: str = declared(nonempty=True)
    value: str = declared("", "hash of the value that said the chances")
    win: ChanceMap | None = None
    clear: ChanceMap | None = None
    familiar: Mapping[str, tuple[float, float, float, float]] = declared(
        default_factory=dict, help="by ante: mean and spread of log money and of jokers held, in the games of the maps"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MapFile(Declared):
    """A file of maps."""

    format: str = declared(FORMAT)
    maps: tuple[PlayerMaps, ...] = ()

    def with_maps(self, new: PlayerMaps) -> MapFile:
        """Return the file with these maps in place of those of the same agent and stake."""
        others = [maps for maps in self.maps if (maps.agent, maps.stake) != (new.agent, new.stake)]
        return MapFile(maps=tuple(sorted((*others, new), key=lambda maps: (maps.agent, maps.stake))))


def read_maps(path: Path) -> MapFile:
    """ValueError with a sentence for a file that cannot be used."""
    try:
        found = from_dict(MapFile, read_json(path))
    except FileNotFoundError:
        raise ValueError(f"{path} is not there. Make it with jimbo eval --calibrate.") from None
    except ValueError as error:
        text = str(error)
        raise ValueError(text if str(path) in text else f"{path} cannot be used: {text}.") from None
    if found.format != FORMAT:
        raise ValueError(f"{path} is not a file of the format {FORMAT}.")
    return found


def write_maps(path: Path, maps: MapFile) -> None:
    write_text(path, json.dumps(asdict(maps), indent=1) + "\n")


def maps_for(agent: str, value: Path, file: Path | None = None) -> Mapping[str, PlayerMaps]:
    """The maps of an agent by the key of the stake; those of a file, which must be for this value, or the package's.

    The package's own are left alone where they are for another value.
    """
    if not value.is_file():  # whoever reads it says so
        return {}
    known = hash_of_value(value)
    mine = [maps for maps in read_maps(file or OWN_MAPS).maps if maps.agent == agent]
    fitting = {maps.stake: maps for maps in mine if maps.value == known}
    if file and not fitting:
        why = "for another value" if mine else f"not about the agent {agent}"
        raise ValueError(f"the calibration {file} is {why}: make it again with jimbo eval --calibrate")
    return fitting


@cache
def _hash_of(path: Path, changed: int) -> str:
    return file_hash(path)[:16]


def hash_of_value(path: Path) -> str:
    """What tells values apart; a file is read once, and again when it changes."""
    return _hash_of(path, path.stat().st_mtime_ns)


def log_odds(chance: float) -> float:
    sure = min(max(chance, SMALLEST), 1 - SMALLEST)
    return math.log(sure / (1 - sure))


def log_money(dollars: float) -> float:
    return math.log1p(max(0.0, dollars))
