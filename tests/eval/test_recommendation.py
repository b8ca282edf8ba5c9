"""What to do with a strategy, by thresholds."""

from dataclasses import replace
from pathlib import Path

import pytest

from eval.episode_rows import episode
from jimbo.eval.comparison import Strategy, ablation
from jimbo.eval.recommendation import Recommendation, Thresholds, read_thresholds, recommend
from jimbo.eval.rows import Episode
from jimbo.eval.runner import Evaluation, Settings
from jimbo.seeds.seed_sets import SeedSet


def strategy(name: str, rows: list[Episode]) -> Strategy:
    seeds = SeedSet("made", 1, tuple(row.seed for row in rows))
    return Strategy(name, Evaluation.kept(Settings(agent="greedy", seeds=seeds), rows))


def advice(wins: int, others: int, games: int = 60, thresholds: Thresholds | None = None) -> Recommendation:
    """What is said of a strategy that wins ``wins`` games, compared with one that wins ``others`` of the same."""
    rows = [[episode(number, won=number < count, round=3) for number in range(games)] for count in (others, wins)]
    (found,) = recommend(ablation([strategy("first", rows[0]), strategy("new", rows[1])]), thresholds or Thresholds())
    return found


@pytest.mark.parametrize(
    ("wins", "others", "verdict"),
    [(40, 10, "promote"), (10, 40, "reject"), (30, 30, "hold_for_more_data"), (31, 30, "hold_for_more_data")],
)
def test_the_verdict_follows_from_what_was_gained(wins: int, others: int, verdict: str) -> None:
    calm = Thresholds(bucket_points=100.0, mean_antes=3.0, median_antes=8.0)
    assert advice(wins, others, thresholds=calm).verdict == verdict


def test_the_mean_and_the_median_suffice_where_they_are_large() -> None:
    assert "antes further on average" in " ".join(advice(33, 30, thresholds=Thresholds()).reasons)
    assert advice(33, 30, thresholds=Thresholds()).verdict == "promote"


def test_few_games_recommend_nothing() -> None:
    assert advice(10, 0, games=10).verdict == "hold_for_more_data"


def test_a_kind_of_failure_that_becomes_more_frequent_holds_a_strategy_back() -> None:
    first = [episode(number, won=number < 20, round=3) for number in range(60)]
    stuck = [replace(row, failure_reason="step_limit", result="open") if not row.won else row for row in first]
    better = [episode(number, won=True) if 20 <= number < 35 else stuck[number] for number in range(60)]
    (found,) = recommend(ablation([strategy("first", first), strategy("new", better)]), Thresholds())
    assert found.verdict == "hold_for_more_data"
    assert "phase_stall becomes more frequent" in found.reasons[0]


def test_thresholds_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "thresholds.yaml"
    path.write_text("mean_antes: 0.1\nwin_points: 2\n", encoding="utf-8")
    assert read_thresholds(path) == Thresholds(mean_antes=0.1, win_points=2.0)
    assert read_thresholds(None) == Thresholds()
    path.write_text("mean: 1\n", encoding="utf-8")
    with pytest.raises(ValueError, match="mean unknown"):
        read_thresholds(path)
