"""Statistics against values from textbooks and other programs."""

import math
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from eval.episode_rows import episode
from jimbo.eval import bootstrap_mean, compare, wilson
from jimbo.eval.statistics import (
    Z95,
    difference,
    mean_interval,
    no_difference_p,
    share_difference,
    tango_interval,
)


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


def gaps(better: int, worse: int, trials: int) -> list[int]:
    return [1] * better + [-1] * worse + [0] * (trials - better - worse)


def tables(largest: int) -> Iterator[tuple[int, int, int]]:
    """Every way in which up to this many pairs can fall."""
    for trials in range(1, largest + 1):
        for better in range(trials + 1):
            for worse in range(trials - better + 1):
                yield better, worse, trials


@pytest.mark.parametrize(
    ("better", "worse", "trials", "low", "high", "p"),
    [
        (1, 7, 21, -0.517, -0.026, 0.034),  # Fagerland, Lydersen and Laake 2014: airways of children
        (0, 0, 20, -0.161, 0.161, 1.0),  # the ends of Wilson's interval for none of 20
        (5, 0, 5, 0.131, 1.0, 0.025),
    ],
)
def test_wins_by_tango_and_mcnemar(better: int, worse: int, trials: int, low: float, high: float, p: float) -> None:
    assert tango_interval(better, worse, trials) == pytest.approx((low, high), abs=5e-4)
    assert no_difference_p(gaps(better, worse, trials)) == pytest.approx(p, abs=5e-4)
    mirrored = [-end for end in reversed(tango_interval(worse, better, trials))]
    assert tango_interval(better, worse, trials) == pytest.approx(tuple(mirrored), abs=1e-9)


def test_the_ends_of_tangos_interval_are_just_not_rejected() -> None:
    """By the likelihood itself, maximised over a grid instead of by the formula."""
    better, worse, trials = 9, 3, 40
    for end in tango_interval(better, worse, trials):
        shares = np.linspace(1e-6, (1 - abs(end)) / 2 - 1e-6, 200_001) + max(0.0, -end)  # where only the second wins
        rest = 1 - 2 * shares - end
        best = shares[
            np.argmax(better * np.log(shares + end) + worse * np.log(shares) + (trials - better - worse) * np.log(rest))
        ]
        error = math.sqrt((2 * best + end - end * end) / trials)
        assert abs((better - worse) / trials - end) / error == pytest.approx(Z95, abs=1e-3)


def test_an_interval_of_wins_leaves_out_0_exactly_when_p_is_small() -> None:
    verdicts = set()
    for better, worse, trials in (*tables(40), (60, 40, 1000), (61, 39, 1000), (520, 458, 1000), (521, 457, 1000)):
        gap = share_difference(
            [gap > 0 for gap in gaps(better, worse, trials)], [gap < 0 for gap in gaps(better, worse, trials)]
        )
        assert gap.ci95 is not None
        low, high = gap.ci95
        assert -1 <= low <= gap.mean <= high <= 1
        assert (low > 0 or high < 0) == (gap.p < 0.05)
        verdicts.add(gap.p < 0.05)
    assert verdicts == {True, False}


def test_an_interval_of_numbers_leaves_out_0_exactly_when_p_is_small() -> None:
    random = np.random.default_rng(1)
    verdicts = Counter[bool]()
    for _ in range(4000):
        values = random.integers(-3, 5, size=random.integers(1, 40)).tolist()
        gap = difference(values, [0] * len(values))
        if gap.ci95 is None:
            assert len(values) <= 3
            assert gap.p >= 0.05
        else:
            low, high = gap.ci95
            assert low <= gap.mean <= high
            assert (low > 0 or high < 0) == (gap.p < 0.05)
            verdicts[gap.p < 0.05] += 1
    assert min(verdicts.values()) > 500


def test_an_interval_of_numbers_is_a_little_wider_than_students() -> None:
    values = [4, -1, 3, 0, 2, 7, -2, 1, 1, 5]
    mean, half = 2.0, 2.2621572 * math.sqrt(70 / 9 / 10)  # t of 9 degrees of freedom
    low, high = mean_interval(values) or (0, 0)
    assert low < mean - half < mean + half < high
    assert (low + high) / 2 == pytest.approx(mean)
    assert high - mean == pytest.approx(1.05 * half, rel=0.01)
    many = [float(value) for value in range(-450, 550)]
    low, high = mean_interval(many) or (0, 0)
    assert (high - low) / 2 == pytest.approx(Z95 * math.sqrt(1000 * 1000 / 12 / 1000), rel=0.003)


def _chance(better: int, worse: int, trials: int, more: float, fewer: float) -> float:
    """Of a table, if the first wins alone with the chance ``more`` and the second with ``fewer``."""
    ways = math.comb(trials, better) * math.comb(trials - better, worse)
    return ways * more**better * fewer**worse * (1 - more - fewer) ** (trials - better - worse)


@pytest.mark.parametrize(
    ("more", "fewer"), [(0.05, 0.05), (0.2, 0.2), (0.4, 0.4), (0.2, 0.1), (0.3, 0.0), (0.5, 0.1), (0.02, 0.3)]
)
def test_the_interval_of_wins_holds_the_truth_as_often_as_it_says(more: float, fewer: float) -> None:
    covered, trials = 0.0, 25
    for better, worse, size in tables(trials):
        if size == trials:
            low, high = tango_interval(better, worse, trials)
            covered += _chance(better, worse, trials, more, fewer) * (low <= more - fewer <= high)
    assert 0.93 < covered < 0.99


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
    assert gap.p == pytest.approx(math.erfc(9 / math.sqrt(2 * 69)))


def test_no_gap_at_all() -> None:
    gap = difference([2, 2, 2, 2], [2, 2, 2, 2])
    assert (gap.mean, gap.ci95, gap.p) == (0.0, (0.0, 0.0), 1.0)


def test_comparison_is_by_seed() -> None:
    ours = [episode(i, won=i < 6, round=10) for i in range(8)]
    theirs = [episode(i, won=i == 7, round=4) for i in reversed(range(10))]
    paired = compare(ours, theirs)
    assert paired.games == 8
    assert (paired.wins.better, paired.wins.worse, paired.wins.equal) == (6, 1, 1)
    assert paired.wins.p == pytest.approx(math.erfc(5 / math.sqrt(2 * 7)))
    assert paired.wins.ci95 == tango_interval(6, 1, 8)
    assert paired.wins.mean == pytest.approx(5 / 8)
    assert paired.rounds.ci95 == (6.0, 6.0)
    assert paired.rounds.p == pytest.approx(math.erfc(math.sqrt(8 / 2)))


def test_comparison_needs_common_seeds() -> None:
    with pytest.raises(ValueError, match="no seeds in common"):
        compare([episode(0)], [episode(1)])
