"""Statistics against values from textbooks and other programs."""

import math

import pytest

from eval.episode_rows import episode
from jimbo.eval import bootstrap_mean, compare, even_odds_p, wilson
from jimbo.eval.statistics import difference


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # Newcombe 1998, table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0),
    ],
)
def test_wilson(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson(successes, trials) == pytest.approx((low, high), abs=5e-5)


def test_wilson_without_trials() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [(0, 0, 1.0), (5, 5, 1.0), (10, 0, 2 / 1024), (0, 6, 2 / 64), (8, 2, 0.109375), (2, 12, 0.012939453125)],
)
def test_exact_two_sided_p(first: int, second: int, p: float) -> None:
    assert even_odds_p(first, second) == pytest.approx(p)
    assert even_odds_p(second, first) == even_odds_p(first, second)


def test_exact_p_of_many() -> None:
    assert even_odds_p(2500, 2500) == 1.0
    assert 0.0 < even_odds_p(2400, 2600) < 0.01


def test_bootstrap_agrees_with_the_normal_interval() -> None:
    values = [float(value) for value in range(200)]
    error = 1.96 * math.sqrt(sum((value - 99.5) ** 2 for value in values) / 200 / 200)
    low, high = bootstrap_mean(values)
    assert (low, high) == pytest.approx((99.5 - error, 99.5 + error), abs=0.4)
    assert bootstrap_mean(values) == (low, high)
    assert bootstrap_mean([3.0] * 10) == (3.0, 3.0)


def test_bootstrap_of_many_values_goes_in_pieces() -> None:
    low, high = bootstrap_mean([0.0, 1.0] * 5000, resamples=500)
    assert 0.48 < low < 0.5 < high < 0.52


def test_difference_counts_signs() -> None:
    gap = difference([3, 1, 2, 9], [1, 1, 3, 1])
    assert (gap.better, gap.worse, gap.equal, gap.mean) == (2, 1, 1, 2.25)
    assert gap.p == 1.0


def test_comparison_is_by_seed() -> None:
    ours = [episode(i, won=i < 6, round=10) for i in range(8)]
    theirs = [episode(i, won=i == 7, round=4) for i in reversed(range(10))]
    paired = compare(ours, theirs)
    assert paired.games == 8
    assert (paired.wins.better, paired.wins.worse, paired.wins.equal) == (6, 1, 1)
    assert paired.wins.p == pytest.approx(0.125)
    assert paired.wins.mean == pytest.approx(5 / 8)
    assert paired.rounds.ci95 == (6.0, 6.0)
    assert paired.rounds.p == pytest.approx(2 / 2**8)


def test_comparison_needs_common_seeds() -> None:
    with pytest.raises(ValueError, match="no seed in common"):
        compare([episode(0)], [episode(1)])
