"""When a gate has its answer, how often that is wrong, and how many pairs it costs."""

import math
from itertools import product

import numpy as np
import pytest

from jimbo.league.sequential import SequentialTest, Tally, Watch
from jimbo.league.spec import GateSpec, read_spec, shipped

GATES = 2000
DISCORDANT = {"quick": 0.2, "full": 0.15, "smoke": 0.25}
"""Shares of pairs that only one of the two wins, about those of agents of like strength."""


def likeliest(better: int, worse: int, pairs: int, gap: float) -> float:
    """The largest log-likelihood with a given difference, by trying very many shares."""
    more = np.linspace(max(gap, 0), (1 + gap) / 2, 400_001)[1:-1]
    parts = [(better, more), (worse, more - gap), (pairs - better - worse, 1 - 2 * more + gap)]
    return float(sum(count * np.log(np.maximum(share, 1e-300)) for count, share in parts if count).max())


@pytest.mark.parametrize(("better", "worse", "pairs"), [(0, 0, 50), (4, 0, 100), (0, 3, 80), (12, 9, 300), (60, 0, 60)])
@pytest.mark.parametrize(("h0", "h1"), [(0, 3), (-2.75, 0.25)])
def test_ratio_is_that_of_the_largest_likelihoods(better: int, worse: int, pairs: int, h0: float, h1: float) -> None:
    test = SequentialTest(h0, h1, 0.05, 0.05)
    wanted = likeliest(better, worse, pairs, h1 / 100) - likeliest(better, worse, pairs, h0 / 100)
    found = test.ratio(Tally(better=better, worse=worse, neither=pairs - better - worse))
    assert found == pytest.approx(wanted, abs=2e-3)


def test_bounds_and_line() -> None:
    test = SequentialTest(0, 5, 0.05, 0.05)
    assert test.bounds == pytest.approx((-math.log(19), math.log(19)))
    line = test.line(Tally(both=119, better=17, worse=5, neither=2))
    assert line == "LLR 2.88 (-2.94, 2.94) [0.00, 5.00] | Pairs N: 143 W: 17 L: 5 D: 121 (119, 2)"


def test_pairs_are_counted_by_who_won() -> None:
    pairs = [(True, True), (True, False), (False, True), (False, True), (False, False)]
    assert Tally.of(pairs) == Tally(both=1, better=1, worse=2, neither=1)
    assert Tally.of(pairs).points == pytest.approx(-20)


def test_first_end_is_where_the_ratio_first_leaves() -> None:
    test, random = SequentialTest(0, 20, 0.1, 0.1), np.random.default_rng(3)
    for _ in range(20):
        gaps = random.choice([1, 0, -1], p=[0.3, 0.5, 0.2], size=400)
        end, outcome = test.first_end(gaps)
        ratios = [test.ratio(Tally.of([(gap > 0, gap < 0) for gap in gaps[:n]])) for n in range(1, end + 1)]
        low, high = test.bounds
        assert all(low < ratio < high for ratio in ratios[:-1])
        assert outcome == ("h1" if ratios[-1] >= high else "h0" if ratios[-1] <= low else "open")


def test_no_difference_at_all_is_no_gain_and_no_regression() -> None:
    same = np.zeros(2000, int)
    assert SequentialTest(0, 5, 0.05, 0.05).first_end(same) == (58, "h0")
    assert SequentialTest(-1, 0, 0.05, 0.05).first_end(same) == (293, "h1")


# --- Promises ---------------------------------------------------------------------------------------------------------


def gaps_of(random: np.random.Generator, points: float, discordant: float, size: int) -> np.ndarray:
    better = (discordant + points / 100) / 2
    drawn = random.random(size)
    return np.where(drawn < better, 1, np.where(drawn < discordant, -1, 0))


def simulated(spec: GateSpec, points: float, discordant: float, random: np.random.Generator) -> tuple[int, bool]:
    """The pairs that a gate needs for an agent with this difference, and whether it promotes."""
    pairs, outcome = 0, "open"
    for stage in spec.games.stages():
        end, outcome = stage.test.first_end(gaps_of(random, points, discordant, stage.pairs))
        pairs += end
        if outcome == "h0":
            break
    return pairs, outcome == "h1"


def error(rate: float) -> float:
    """Above what a rate is too large to be chance: 99.5 % of all simulations stay below."""
    return rate + 2.58 * math.sqrt(rate * (1 - rate) / GATES)


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped())
def test_gates_keep_their_promises(name: str) -> None:
    spec, discordant = read_spec(name), DISCORDANT[name]
    games, random = spec.games, np.random.default_rng(11)
    fixed = SequentialTest(games.h0, games.h1, games.alpha, games.beta).fixed_pairs(discordant)
    at_h0 = [simulated(spec, games.h0, discordant, random) for _ in range(GATES)]
    at_h1 = [simulated(spec, games.h1, discordant, random) for _ in range(GATES)]
    false, missed = (sum(told) / GATES for told in ([up for _, up in at_h0], [not up for _, up in at_h1]))
    means = [float(np.mean([pairs for pairs, _ in each])) for each in (at_h0, at_h1)]
    print(f"\n{name}: false {false:.4f}, missed {missed:.4f}, pairs {means[0]:.0f}, {means[1]:.0f} of {fixed}")
    assert false <= error(games.alpha)
    assert missed <= error(games.beta)
    assert max(means) <= 0.6 * fixed


def test_fixed_size() -> None:
    """The figure of the normal approximation: (1.645 + 1.645)^2 times the discordant share over the gap squared."""
    assert SequentialTest(0, 1, 0.05, 0.05).fixed_pairs(0.054) == 5844


# --- The watch --------------------------------------------------------------------------------------------------------


def test_evidence_starts_at_one_and_grows_with_losses() -> None:
    watch = Watch(2, 0.05)
    assert watch.evidence(0, 0, 0) == pytest.approx(1)
    assert watch.evidence(0, 30, 0) > 20 > 1 > watch.evidence(30, 0, 0)


@pytest.mark.parametrize("margin", [0.0, 2.0, 10.0])
def test_evidence_is_a_fair_bet_at_the_margin(margin: float) -> None:
    """Over all ways in which six pairs can end, weighed by their chances, the mean wealth is 1."""
    watch, shares = Watch(margin, 0.05), {1: 0.1, -1: 0.1 + margin / 100}
    shares[0] = 1 - sum(shares.values())
    mean = sum(
        math.prod(shares[gap] for gap in gaps) * watch.evidence(gaps.count(1), gaps.count(-1), gaps.count(0))
        for gaps in product(shares, repeat=6)
    )
    assert mean == pytest.approx(1)


def ever_worse(watch: Watch, gaps: np.ndarray) -> int | None:
    """After how many pairs the watch says so; None if it never does."""
    better, worse = np.cumsum(gaps == 1), np.cumsum(gaps == -1)
    for n in range(1, len(gaps) + 1):
        if watch.is_worse(int(better[n - 1]), int(worse[n - 1]), n - int(better[n - 1]) - int(worse[n - 1])):
            return n
    return None


def test_watch_rarely_accuses_and_soon_finds() -> None:
    watch, random = Watch(2, 0.05), np.random.default_rng(5)
    at_margin = [ever_worse(watch, gaps_of(random, -2, 0.1, 500)) for _ in range(200)]
    assert sum(found is not None for found in at_margin) <= 0.05 * 200 + 2.58 * math.sqrt(0.05 * 0.95 * 200)
    broken = [ever_worse(watch, gaps_of(random, -30, 0.4, 500)) for _ in range(20)]
    assert all(found is not None and found < 200 for found in broken)


def test_upper_end_falls_with_losses() -> None:
    watch = Watch(2, 0.05)
    ends = [watch.at_most(0, losses, 100 - losses) for losses in (0, 5, 20)]
    assert 100 >= ends[0] > ends[1] > ends[2]
    assert watch.at_most(0, 60, 40) < -2
