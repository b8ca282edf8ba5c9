"""What to do with each strategy of a comparison: thresholds that people set, and the words that follow from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from jimbo.declared import Declared, declared, from_dict
from jimbo.eval.comparison import Ablation, Compared
from jimbo.eval.mining import BUCKETS, WIN, bucket_of
from jimbo.eval.rows import Episode
from jimbo.eval.statistics import Difference, share_difference
from jimbo.yaml_files import read_yaml

Verdict = Literal["promote", "hold_for_more_data", "reject"]
_BUCKETS = tuple(bucket for bucket in BUCKETS if bucket != WIN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds(Declared):
    """When a strategy is better than the first one."""

    median_antes: float = declared(0.5, "antes that the median run must get further", min=0.0, max=8.0)
    mean_antes: float = declared(0.3, "antes that runs must get further on average", min=0.0, max=8.0)
    win_points: float = declared(0.0, "points of the win rate that must be gained beyond doubt", min=0.0, max=100.0)
    bucket_points: float = declared(
        5.0, "points by which no kind of failure may become more frequent", min=0.0, max=100.0
    )
    fewest_games: int = declared(20, "games below which nothing is recommended", min=1)


def read_thresholds(path: Path | None) -> Thresholds:
    """Those of a YAML file, or the default; ValueError says what is wrong with the file."""
    if path is None:
        return Thresholds()
    data = read_yaml(path)
    return from_dict(Thresholds, {} if data is None else data, str(path))


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommendation:
    """What to do with a strategy, compared with the first one."""

    strategy: str
    verdict: Verdict
    reasons: tuple[str, ...]
    median_antes: float
    """Its median ante less that of the first."""
    buckets: Mapping[str, Difference]
    """How much more often its runs end in each kind of failure."""


def recommend(result: Ablation, thresholds: Thresholds) -> tuple[Recommendation, ...]:
    """One for each strategy but the first."""
    first = result.rows[0]
    return tuple(_recommended(row, first, thresholds) for row in result.rows[1:])


def _recommended(row: Compared, first: Compared, limits: Thresholds) -> Recommendation:
    assert row.vs_first
    wins, antes = row.vs_first.wins, row.vs_first.antes
    median = row.summary.median_ante - first.summary.median_ante
    buckets = _bucket_changes(row.strategy.evaluation.episodes, first.strategy.evaluation.episodes)
    gains, losses, guards = [], [], []
    if median >= limits.median_antes > 0:
        gains.append(f"the median run gets {median:g} antes further")
    if antes.mean >= limits.mean_antes > 0:
        gains.append(f"runs get {antes.mean:.2f} antes further on average")
    if wins.ci95 and 100 * wins.ci95[0] > limits.win_points:
        gains.append(f"it wins {100 * wins.mean:.1f} points more, at least {100 * wins.ci95[0]:.1f}")
    if antes.ci95 and antes.ci95[0] > 0:
        gains.append(f"it gets further beyond doubt, by at least {antes.ci95[0]:.2f} antes")
    for name, gap in (("wins", wins), ("antes", antes)):
        if gap.ci95 and gap.ci95[1] < 0:
            losses.append(f"it has fewer {name} beyond doubt")
    for bucket, change in buckets.items():
        if 100 * change.mean > limits.bucket_points and change.p < _SURE:
            guards.append(f"{bucket} becomes more frequent by {100 * change.mean:.1f} points")
    return Recommendation(
        strategy=row.strategy.name,
        verdict=_verdict(row.vs_first.games >= limits.fewest_games, gains, losses, guards),
        reasons=tuple(losses or guards or gains) or ("no difference beyond doubt",),
        median_antes=median,
        buckets=buckets,
    )


_SURE = 0.05


def _verdict(enough: bool, gains: Sequence[str], losses: Sequence[str], guards: Sequence[str]) -> Verdict:
    if not enough:
        return "hold_for_more_data"
    if losses or guards:
        return "reject" if losses or not gains else "hold_for_more_data"
    return "promote" if gains else "hold_for_more_data"


def _bucket_changes(rows: Sequence[Episode], others: Sequence[Episode]) -> dict[str, Difference]:
    """Both have played the same seeds; hands are not looked at again."""
    ours, theirs = ({row.episode_id: bucket_of(row)[0] for row in each} for each in (rows, others))
    numbers = sorted(ours)
    return {
        bucket: share_difference([ours[n] == bucket for n in numbers], [theirs[n] == bucket for n in numbers])
        for bucket in _BUCKETS
        if any(bucket in found.values() for found in (ours, theirs))
    }


def recommendation_data(found: Sequence[Recommendation], thresholds: Thresholds) -> dict[str, Any]:
    return {"thresholds": asdict(thresholds), "recommendations": [asdict(one) for one in found]}
