"""What must not become worse while more games are won; each guard is a test of its own.

A guard refuses where the games show, beyond chance, that its margin is exceeded: it takes games to see a small fault
(``slice_pairs`` of a gate says how many there are at least). A guard that looks at several things, such as bosses,
counts the worst, corrected for their number; between the guards Holm's correction holds the chance that any of them
refuses without a reason.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jimbo.engine.catalog import BLINDS, DECKS, STAKES
from jimbo.eval.calibration import BINS, GameBootstrap, bin_places, divided, ece
from jimbo.eval.diagnosis import entered
from jimbo.eval.rows import Episode
from jimbo.eval.statistics import excess_p
from jimbo.league.spec import Guards
from jimbo.text import counted, percent_text

Array = NDArray[Any]

_FEWEST = 20
"""Pairs, or blinds, below which a part is not looked at."""
_CHANCES = {"clear": "its chances to clear", "win": "its chances to win"}


class SeedPair(NamedTuple):
    """One game of each agent, on the same seed."""

    challenger: Episode
    champion: Episode


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardResult:
    name: str
    text: str
    """What was seen."""
    p: float | None = None
    """How likely that is, at the most, if the margin is kept; None for a fact, which needs no test."""
    passed: bool = True

    @property
    def data(self) -> dict[str, Any]:
        return asdict(self)


class _Suspect(NamedTuple):
    """One of the things that a guard looks at."""

    p: float
    text: str


def judge(pairs: Sequence[SeedPair], spec: Guards, replayed: Sequence[SeedPair] = ()) -> list[GuardResult]:
    """The guards that can say something about these games. ``replayed``: games of the challenger, played twice."""
    results = [legality([pair.challenger for pair in pairs]), *determinism(replayed)]
    looks: list[tuple[str, float | None, Callable[[Sequence[SeedPair], float], Iterable[_Suspect]]]] = [
        ("brier", spec.brier, _brier),
        ("ece", spec.ece, _ece),
        ("time", spec.time_ratio, _time),
        ("slice", spec.slice, _slices),
        ("boss", spec.boss, _bosses),
        ("bucket", spec.bucket, _buckets),
    ]
    tests = []
    for name, margin, look in looks:
        if margin is not None and (suspects := list(look(pairs, margin))):
            worst = min(suspects)
            p = min(1.0, worst.p * len(suspects))
            tests.append(GuardResult(name=name, text=worst.text, p=p))
    return results + holm(tests, spec.alpha)


def holm(tests: Sequence[GuardResult], alpha: float) -> list[GuardResult]:
    """Which of them have failed, if the chance that any fails without a reason is to be alpha."""
    failed = set()
    for done, test in enumerate(sorted(tests, key=lambda test: test.p or 0.0)):
        if (test.p or 0.0) > alpha / (len(tests) - done):
            break
        failed.add(test.name)
    return [GuardResult(name=test.name, text=test.text, p=test.p, passed=test.name not in failed) for test in tests]


# --- Facts ------------------------------------------------------------------------------------------------------------


def legality(rows: Sequence[Episode]) -> GuardResult:
    """Whether all that the challenger chose was allowed, and it never failed."""
    bad = [(row, fault) for row in rows if (fault := fault_of(row))]
    if not bad:
        return GuardResult(name="legality", text=f"nothing that is not allowed in {counted(len(rows), 'game')}")
    (first, fault), games = bad[0], f"{len(bad)} of {counted(len(rows), 'game')}"
    return GuardResult(name="legality", text=f"in {games}, first on seed {first.seed}, {fault}", passed=False)


def fault_of(row: Episode) -> str:
    """What no player may do, as a sentence without its end; empty where nothing happened."""
    if row.failure_reason == "illegal_action":
        return f"it chose what is not allowed: {row.error}"
    if row.failure_reason == "agent_error":
        return f"it failed: {row.error}"
    valued = "it valued actions by what is not a number"
    return f"{valued}, in {counted(row.not_numbers, 'decision')}" if row.not_numbers else ""


def determinism(replayed: Sequence[SeedPair]) -> Iterator[GuardResult]:
    if not replayed:
        return
    other = [first.seed for first, second in replayed if first.without_times() != second.without_times()]
    text = f"{counted(len(replayed), 'game')} played again went the same way"
    if other:
        text = f"{len(other)} of {counted(len(replayed), 'game')} played again went another way, first on {other[0]}"
    yield GuardResult(name="determinism", text=text, passed=not other)


# --- Tests ------------------------------------------------------------------------------------------------------------


def _brier(pairs: Sequence[SeedPair], margin: float) -> Iterator[_Suspect]:
    def parts(p: Array, y: Array, of: Array, bootstrap: GameBootstrap) -> list[Array]:
        return [bootstrap.sums(of * values) for values in ((p - y) ** 2, np.ones_like(p))]

    return _calibration(pairs, margin, parts, lambda sums: divided(sums[:, 0], sums[:, 1]), "Brier score")


def _ece(pairs: Sequence[SeedPair], margin: float) -> Iterator[_Suspect]:
    def parts(p: Array, y: Array, of: Array, bootstrap: GameBootstrap) -> list[Array]:
        return [bootstrap.sums(of * values, bin_places(p), BINS) for values in (np.ones_like(p), p, y)]

    return _calibration(pairs, margin, parts, ece, "calibration error")


def _calibration(
    pairs: Sequence[SeedPair],
    margin: float,
    parts: Callable[[Array, Array, Array, GameBootstrap], list[Array]],
    statistic: Callable[[Array], Array],
    name: str,
) -> Iterator[_Suspect]:
    """The difference of a number between the two, when seeds are drawn again with both games on them."""
    for chance, words in _CHANCES.items():
        told = [_told(pairs, side, chance) for side in (0, 1)]
        if min(len(np.unique(each[2])) for each in told) < _FEWEST:
            continue
        p, y, games = (np.concatenate([each[column] for each in told]) for column in range(3))
        ours = np.repeat([1.0, 0.0], [len(each[0]) for each in told])
        bootstrap = GameBootstrap(games)
        sums = [*parts(p, y, ours, bootstrap), *parts(p, y, 1 - ours, bootstrap)]

        def gap(sums: Array) -> Array:
            first, second = np.split(sums, 2, axis=1)
            return statistic(first) - statistic(second)

        value, drawn = bootstrap.drawn(sums, gap)
        known = drawn[np.isfinite(drawn)]
        p_value = float((1 + (known <= margin).sum()) / (1 + len(known)))
        yield _Suspect(p_value, f"{name} of {words} {value:+.3f} against the champion's")


def _told(pairs: Sequence[SeedPair], side: int, chance: str) -> tuple[Array, Array, Array]:
    """Chances that an agent told on entering blinds, what happened, and the numbers of the pairs."""
    told = [
        (said, blind.game.won if chance == "win" else not blind.lost, number)
        for number, pair in enumerate(pairs)
        for blind in entered(pair[side])
        if (said := getattr(blind.entry, chance)) is not None
    ]
    p, y, games = zip(*told, strict=True) if told else ((), (), ())
    return np.array(p, float), np.array(y, float), np.array(games, int)


def _time(pairs: Sequence[SeedPair], ratio: float) -> Iterator[_Suspect]:
    """A sign test: in more than half of the pairs the p95 is more than ``ratio`` times the champion's."""
    times = [(ours.decision_p95_ms, theirs.decision_p95_ms) for ours, theirs in pairs]
    ratios = [ours / theirs for ours, theirs in times if ours and theirs]
    if ratios:
        slower = sum(each > ratio for each in ratios)
        p = excess_p(slower, len(ratios) - slower, len(ratios), 0.0)
        yield _Suspect(p, f"the p95 of its decision time is {float(np.median(ratios)):.2f} times the champion's")


def _slices(pairs: Sequence[SeedPair], points: float) -> Iterator[_Suspect]:
    for column, names in (("deck", DECKS), ("stake", STAKES)):
        parts = defaultdict(list)
        for pair in pairs:
            parts[getattr(pair.champion, column)].append(pair)
        for key, part in parts.items():
            if len(parts) > 1 and len(part) >= _FEWEST:
                lost = sum(theirs.won and not ours.won for ours, theirs in part)
                won = sum(ours.won and not theirs.won for ours, theirs in part)
                yield _worse(lost, won, len(part), points, f"with {names[key].name}")


def _buckets(pairs: Sequence[SeedPair], points: float) -> Iterator[_Suspect]:
    """Ways to lose: the share of games that end so."""
    named = [(bucket(ours), bucket(theirs)) for ours, theirs in pairs]
    if len(pairs) < _FEWEST:
        return
    for name in sorted({name for both in named for name in both if name}):
        more = sum(ours == name != theirs for ours, theirs in named)
        fewer = sum(theirs == name != ours for ours, theirs in named)
        yield _worse(more, fewer, len(pairs), points, f"by games lost {name}")


def _worse(more: int, fewer: int, size: int, points: float, where: str) -> _Suspect:
    """One of two paired shares being larger by more than so many points."""
    text = f"{100 * (fewer - more) / size:+.1f} points {where}, in {counted(size, 'pair')}"
    return _Suspect(excess_p(more, fewer, size, points / 100), text)


def bucket(row: Episode) -> str:
    """How a game was lost; empty for a win. Critical buckets are those of the blind that was too much, by its time."""
    if row.won or row.failure_reason != "blind_score_shortfall":
        return "" if row.won else f"by {row.failure_reason}"
    when = "early" if row.ante_reached <= 2 else "late" if row.ante_reached >= 7 else "midway"
    return f"{when} to a {'small or big blind' if row.death_blind in ('bl_small', 'bl_big') else 'boss'}"


def _bosses(pairs: Sequence[SeedPair], points: float) -> Iterator[_Suspect]:
    """The share of each boss that was beaten, of those that were met."""
    met = [_met(pair[side] for pair in pairs) for side in (0, 1)]
    for key in sorted(met[0].keys() & met[1].keys()):
        (lost, games), (lost_before, games_before) = met[0][key], met[1][key]
        if min(games, games_before) < _FEWEST:
            continue
        gap = lost / games - lost_before / games_before
        together = (lost + lost_before + 1) / (games + games_before + 2)
        spread = math.sqrt(together * (1 - together) * (1 / games + 1 / games_before))
        p = math.erfc((gap - points / 100) / spread / math.sqrt(2)) / 2
        text = f"{BLINDS[key].name} is beaten in {percent_text(1 - lost / games)}"
        yield _Suspect(p, f"{text}, by the champion in {percent_text(1 - lost_before / games_before)}")


def _met(rows: Iterable[Episode]) -> Mapping[str, tuple[int, int]]:
    """How often each boss was lost to, and met."""
    lost, met = Counter[str](), Counter[str]()
    for row in rows:
        bosses = [score.blind for score in row.score_by_round if score.blind not in ("bl_small", "bl_big")]
        met.update(bosses)
        lost.update([row.death_blind] if bosses and row.death_blind == bosses[-1] else [])
    return {key: (lost[key], met[key]) for key in met}
