"""Where runs are lost and why: how they stood when they entered each blind, and whether the agent knew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jimbo.eval.calibration import Estimate, Forecast, GameBootstrap, forecast
from jimbo.eval.rows import BlindEntry, BlindScore, Episode

Array = NDArray[Any]
Quartiles = tuple[float, float, float]

EVEN, SURE = 0.5, 0.9
"""Chances on entering a fatal blind: below the first it was lost before it began, above the second at the table."""
RICH = 20
"""Dollars that might have bought something."""

_LOST = "blind_score_shortfall"


@dataclass(frozen=True, slots=True, kw_only=True)
class BlindRow:
    """One of the 24 blinds, over all runs that entered it."""

    number: int
    """1 is the first small blind."""
    games: int
    cleared: float
    """Share of them."""
    clear: Estimate
    """The mean of the chances that the agent reported on entering."""
    power: Quartiles | None
    """What a quick player would score with all hands, over the target."""
    money: float
    """The mean when it is selected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnteRow:
    """One ante, over all runs that entered a blind of it. The means of the last four are per run."""

    ante: int
    games: int
    money: Estimate
    """The mean when a blind is selected."""
    jokers: Estimate
    """The mean when a blind is selected."""
    multipliers: Estimate
    """The mean number of those that multiply Mult."""
    interest: Estimate
    """Dollars."""
    bought: Estimate
    """Jokers, from packs too."""
    sold: Estimate
    sold_soon: Estimate
    """Jokers sold at most two rounds after they were bought."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Death:
    """A blind that was lost, as it was entered."""

    seed: str
    ante: int
    blind: str
    clear: float | None
    win: float | None
    power: float | None
    money: int
    jokers: int
    multipliers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Deaths:
    """All blinds that were lost."""

    count: int
    told: int
    """Those with a chance to clear; the next three are about these."""
    clear: Quartiles | None
    below_half: int
    sure: int
    """Entered with a chance above 0.9."""
    power: Quartiles | None
    rich: int
    """Entered with $20 or more."""
    no_multiplier: int
    one_multiplier: int
    all: tuple[Death, ...]
    """Ordered by seed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    games: int
    """Games with at least one blind; those of old evaluations, which noted nothing, do not count."""
    per_game: Mapping[str, Estimate]
    """Means: ``interest``, ``bought``, ``sold``, ``sold_soon``."""
    blinds: tuple[BlindRow, ...]
    antes: tuple[AnteRow, ...]
    deaths: Deaths
    clear: Forecast | None
    """The chances to clear against what happened; None for an agent that reports none."""
    win: Forecast | None
    """The chances to win the run, those reported last before each blind, against how it ended."""


class EnteredBlind(NamedTuple):
    """A blind that was entered."""

    game: Episode
    score: BlindScore
    entry: BlindEntry
    money: int
    lost: bool


@lru_cache(maxsize=4)
def diagnose(rows: tuple[Episode, ...]) -> Diagnosis | None:
    """None where nothing was noted. It is asked for by everything that shows a part of it, so it is kept."""
    blinds = [blind for row in rows for blind in entered(row)]
    return _diagnosis(blinds) if blinds else None


def entered(row: Episode) -> Iterator[EnteredBlind]:
    """The blinds of a run, without one that neither was cleared nor lost, because the agent failed in it."""
    pairs = list(zip(row.score_by_round, row.money_by_round, strict=False))
    for left, (score, money) in zip(range(len(pairs) - 1, -1, -1), pairs, strict=True):
        ended_here = row.death_blind != "" and left == 0
        if score.entry and (not ended_here or row.failure_reason == _LOST):
            yield EnteredBlind(row, score, score.entry, money, ended_here)


def _diagnosis(blinds: Sequence[EnteredBlind]) -> Diagnosis:
    columns = _Columns(blinds)
    return Diagnosis(
        games=columns.bootstrap.games,
        per_game={name: columns.per_game(name) for name in ("interest", "bought", "sold", "sold_soon")},
        blinds=tuple(columns.of(columns.number == number).blind_row() for number in np.unique(columns.number)),
        antes=tuple(columns.of(columns.ante == ante).ante_row() for ante in np.unique(columns.ante)),
        deaths=_deaths([blind for blind in blinds if blind.lost]),
        clear=columns.forecast("clear", ~columns.lost),
        win=columns.forecast("win", columns.won),
    )


class _Columns:
    """Numbers of some blinds ``[n]``, and the games they belong to."""

    def __init__(self, blinds: Sequence[EnteredBlind], bootstrap: GameBootstrap | None = None) -> None:
        self._blinds = blinds
        self._game = np.array([blind.game.episode_id for blind in blinds])
        self.bootstrap = bootstrap or GameBootstrap(self._game)
        self.number = np.array([blind.score.number for blind in blinds])
        self.ante = np.array([blind.score.ante for blind in blinds])
        self.lost = np.array([blind.lost for blind in blinds])
        self.won = np.array([blind.game.won for blind in blinds])
        self.money = np.array([blind.money for blind in blinds])

    def of(self, which: Array) -> _Columns:
        return _Columns([self._blinds[place] for place in np.flatnonzero(which).tolist()], self.bootstrap.of(which))

    def values(self, name: str) -> Array:
        """A number of each entry; NaN for what is unknown."""
        return np.array([getattr(blind.entry, name) for blind in self._blinds], dtype=float)

    def mean(self, values: Array) -> Estimate:
        """The mean of what is known."""
        known = ~np.isnan(values)
        return self.bootstrap.of(known).mean(values[known]) if known.any() else Estimate(None, None)

    def per_game(self, name: str) -> Estimate:
        first = np.zeros(len(self._game))
        first[np.unique(self._game, return_index=True)[1]] = 1
        return self.bootstrap.ratio(self.values(name), first)

    def forecast(self, name: str, happened: Array) -> Forecast | None:
        predicted = self.values(name)
        known = ~np.isnan(predicted)
        if not known.any():
            return None
        return forecast(predicted[known], happened[known], self.ante[known], self.bootstrap.of(known))

    def blind_row(self) -> BlindRow:
        return BlindRow(
            number=int(self.number[0]),
            games=self.bootstrap.games,
            cleared=float(1 - self.lost.mean()),
            clear=self.mean(self.values("clear")),
            power=quartiles(self.values("power")),
            money=float(self.money.mean()),
        )

    def ante_row(self) -> AnteRow:
        return AnteRow(
            ante=int(self.ante[0]),
            games=self.bootstrap.games,
            money=self.mean(self.money),
            jokers=self.mean(self.values("jokers")),
            multipliers=self.mean(self.values("multipliers")),
            interest=self.per_game("interest"),
            bought=self.per_game("bought"),
            sold=self.per_game("sold"),
            sold_soon=self.per_game("sold_soon"),
        )


def _deaths(lost: Sequence[EnteredBlind]) -> Deaths:
    deaths = tuple(map(_death, lost))
    told = [death.clear for death in deaths if death.clear is not None]
    return Deaths(
        count=len(deaths),
        told=len(told),
        clear=quartiles(told),
        below_half=sum(chance < EVEN for chance in told),
        sure=sum(chance > SURE for chance in told),
        power=quartiles([death.power for death in deaths if death.power is not None]),
        rich=sum(death.money >= RICH for death in deaths),
        no_multiplier=sum(death.multipliers == 0 for death in deaths),
        one_multiplier=sum(death.multipliers == 1 for death in deaths),
        all=deaths,
    )


def _death(blind: EnteredBlind) -> Death:
    entry = blind.entry
    return Death(
        seed=blind.game.seed,
        ante=blind.score.ante,
        blind=blind.score.blind,
        clear=entry.clear,
        win=entry.win,
        power=entry.power,
        money=blind.money,
        jokers=entry.jokers,
        multipliers=entry.multipliers,
    )


def quartiles(values: Sequence[float] | Array) -> Quartiles | None:
    """The quartiles of what is known; None if nothing is."""
    known = np.asarray(values, dtype=float)
    known = known[~np.isnan(known)]
    if not known.size:
        return None
    low, middle, high = (float(q) for q in np.quantile(known, (0.25, 0.5, 0.75)))
    return low, middle, high
