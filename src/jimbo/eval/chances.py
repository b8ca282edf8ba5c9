"""The chances that an agent reports, against what came true, and maps that mend them, tested on other seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jimbo.eval.calibration import Calibration, GameBootstrap, calibration
from jimbo.eval.diagnosis import entered
from jimbo.eval.rows import Episode
from jimbo.eval.runner import Settings
from jimbo.models.chance_maps import (
    FIRST,
    LATER,
    SMALLEST,
    ChanceMap,
    MapFile,
    PlayerMaps,
    hash_of_value,
    log_money,
    read_maps,
)
from jimbo.models.value_file import OWN_FILE

Array = NDArray[Any]

FOLDS = 2
"""Each part of the seeds is tested with a map that was fitted on the others."""
_LINE = (2.0, 0.5)
"""How far the offset of the common line may be expected to lie from 0 and its slope from 1: standard deviations."""
_OFFSETS, _SLOPES = 0.4, 0.15
"""The same for antes and phases from the common line."""
_STEPS = 50
_FEWEST, _SPREAD = 30, 0.1
"""Blinds of an ante from which it is known, and the least that money and jokers are taken to differ by."""


# --- What was said ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Said:
    """``[n]`` chances and what became of them."""

    chance: Array
    happened: Array
    ante: Array
    phase: Array
    """Its name."""
    game: Array
    group: Array
    """Those of a group stand for one event, and count as one where a map is fitted."""

    def __len__(self) -> int:
        return len(self.chance)

    def take(self, which: Array) -> Said:
        return Said(*(getattr(self, name)[which] for name in self.__slots__))


class _One(NamedTuple):
    chance: float | None
    happened: bool
    ante: int
    phase: str
    game: int
    group: int


def said_to_win(rows: Sequence[Episode]) -> Said:
    """The chances to win the run, the last of each phase before each blind."""
    return _said(
        _One(chance, blind.game.won, blind.score.ante, phase, blind.game.episode_id, blind.score.ante)
        for row in rows
        for blind in entered(row)
        for phase, chance in asdict(blind.entry.wins).items()
    )


def said_to_clear(rows: Sequence[Episode]) -> Said:
    """The chances to clear blinds, the first and the last in each."""
    return _said(
        _One(chance, not blind.lost, blind.score.ante, phase, blind.game.episode_id, blind.score.round)
        for row in rows
        for blind in entered(row)
        for phase, chance in ((FIRST, blind.entry.clear), (LATER, blind.entry.last_clear))
    )


def _said(found: Iterator[_One]) -> Said:
    known = [one for one in found if one.chance is not None]
    columns = list(zip(*known, strict=True)) or [()] * len(_One._fields)
    chance, happened, ante, phase, game, group = columns
    return Said(
        np.array(chance, float),
        np.array(happened, bool),
        np.array(ante, int),
        np.array(phase, str),
        np.array(game, int),
        np.array(game, int) * 1_000 + np.array(group, int),
    )


# --- Maps -------------------------------------------------------------------------------------------------------------


def fit(said: Said) -> ChanceMap:
    """The likeliest map if antes and phases differ little; at least one chance.

    ``offset + slope x`` with changes by ante and phase, x being the log odds: a logistic regression whose changes are
    drawn to 0, by Newton's method.
    """
    x = _log_odds(said.chance)
    names = [*(("antes", str(ante)) for ante in np.unique(said.ante))]
    names += [("phases", str(phase)) for phase in np.unique(said.phase)]
    inside = np.array([said.ante == int(name) if kind == "antes" else said.phase == name for kind, name in names])
    columns = np.vstack([np.ones_like(x), x, *inside, *(inside * x)]).T
    spread = np.concatenate([[_OFFSETS] * len(names), [_SLOPES] * len(names)])
    weights = _newton(columns, said.happened.astype(float), _one_a_group(said.group), spread)
    changes = zip(weights[2 : 2 + len(names)].tolist(), weights[2 + len(names) :].tolist(), strict=True)
    found: dict[str, dict[str, tuple[float, float]]] = {"antes": {}, "phases": {}}
    for (kind, name), change in zip(names, changes, strict=True):
        found[kind][name] = (round(change[0], 4), round(change[1], 4))
    return ChanceMap(
        offset=round(float(weights[0]), 4),
        slope=round(max(0.05, float(weights[1])), 4),
        **found,
        decisions=len(said),
        games=len(np.unique(said.game)),
    )


def _newton(columns: Array, happened: Array, counts: Array, spread: Array) -> Array:
    """Weights of the columns. The first two are a line, held near the one that changes nothing."""
    weights = np.zeros(columns.shape[1])
    weights[1] = 1.0
    start, hold = weights.copy(), 1 / np.concatenate([_LINE, spread]) ** 2
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(columns @ weights, -30, 30)))
        slope = columns.T @ (counts * (happened - chance)) - hold * (weights - start)
        curve = (columns * (counts * chance * (1 - chance))[:, None]).T @ columns + np.diag(hold)
        step = np.linalg.solve(curve, slope)
        weights = weights + step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def _one_a_group(group: Array) -> Array:
    """``[n]``: the share of its group that each chance is."""
    _, place, sizes = np.unique(group, return_inverse=True, return_counts=True)
    shares: Array = 1 / sizes[place]
    return shares


def mapped(map: ChanceMap, said: Said) -> Array:
    """``[n]``: what a map makes of chances."""
    rows = zip(said.chance.tolist(), said.ante.tolist(), said.phase.tolist(), strict=True)
    return np.array([map(chance, ante, phase) for chance, ante, phase in rows])


def _log_odds(chance: Array) -> Array:
    sure = np.clip(chance, SMALLEST, 1 - SMALLEST)
    odds: Array = np.log(sure / (1 - sure))
    return odds


# --- How good they are ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """Chances of one kind, as they are said or as a map tells them."""

    all: Calibration
    by_ante: Mapping[str, Calibration]
    by_phase: Mapping[str, Calibration]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """Chances of one kind before and after a map that knows nothing of the seeds it is tested on."""

    said: Reliability
    mended: Reliability
    map: ChanceMap
    """Fitted on all seeds: the one to play by."""


def mend(said: Said) -> Mended | None:
    """None where there are too few games to fit and to test."""
    games = np.unique(said.game)
    if len(games) < 2 * FOLDS:
        return None
    fold = np.searchsorted(games, said.game) % FOLDS
    told = np.empty(len(said))
    for part in range(FOLDS):
        told[fold == part] = mapped(fit(said.take(fold != part)), said.take(fold == part))
    return Mended(said=reliability(said, said.chance), mended=reliability(said, told), map=fit(said))


def reliability(said: Said, chance: Array) -> Reliability:
    bootstrap = GameBootstrap(said.game)

    def of(which: Array) -> Calibration:
        return calibration(chance[which], said.happened[which], bootstrap.of(which))

    def by(column: Array) -> dict[str, Calibration]:
        return {str(name): of(column == name) for name in np.unique(column)}

    return Reliability(
        all=calibration(chance, said.happened, bootstrap), by_ante=by(said.ante), by_phase=by(said.phase)
    )


CHANCES: Mapping[str, Callable[[Sequence[Episode]], Said]] = {"win": said_to_win, "clear": said_to_clear}


def mend_all(rows: Sequence[Episode]) -> dict[str, Mended]:
    """What can be said of the agent's chances; ValueError if it reports none, or too few games were played."""
    said = {name: of(rows) for name, of in CHANCES.items()}
    if not any(map(len, said.values())):
        raise ValueError("The agent reports no chances, so there is nothing to calibrate.")
    found = {name: mended for name, one in said.items() if len(one) and (mended := mend(one))}
    if not found:
        raise ValueError(f"Calibration fits on some seeds and tests on others: play at least {2 * FOLDS} games.")
    return found


def player_maps(settings: Settings, rows: Sequence[Episode], found: Mapping[str, Mended]) -> PlayerMaps:
    """The maps to play by."""
    model = settings.options.get("model")
    return PlayerMaps(
        agent=settings.agent,
        stake=settings.stake,
        value=hash_of_value(Path(model) if model else OWN_FILE),
        win=found["win"].map if "win" in found else None,
        clear=found["clear"].map if "clear" in found else None,
        familiar=familiar(rows),
    )


def familiar(rows: Sequence[Episode]) -> dict[str, tuple[float, float, float, float]]:
    """By ante: mean and spread of log money and of jokers held on entering its blinds."""
    blinds = [blind for row in rows for blind in entered(row)]
    known = {}
    for ante in sorted({blind.score.ante for blind in blinds}):
        here = [blind for blind in blinds if blind.score.ante == ante]
        money, jokers = [log_money(blind.money) for blind in here], [blind.entry.jokers for blind in here]
        if len(here) >= _FEWEST:
            numbers = (fmean(money), max(_SPREAD, pstdev(money)), fmean(jokers), max(_SPREAD, pstdev(jokers)))
            known[str(ante)] = tuple(round(number, 3) for number in numbers)
    return known  # type: ignore[return-value]


def known_maps(path: Path) -> MapFile:
    """The maps of a file; none if it is not there yet."""
    return read_maps(path) if path.exists() else MapFile()
