"""Probabilities against what happened, and intervals by drawing games again."""

import math

import numpy as np
import pytest

from jimbo.eval.calibration import GameBootstrap, auc, calibration


def test_scores_of_a_few_predictions() -> None:
    said, happened = np.array([0.05, 0.15, 0.15, 0.95]), np.array([False, False, True, True])
    row = calibration(said, happened, GameBootstrap(np.arange(4)))
    assert (row.decisions, row.games, row.predicted) == (4, 4, pytest.approx(0.325))
    assert row.brier.value == pytest.approx((0.05**2 + 0.15**2 + 0.85**2 + 0.05**2) / 4)
    assert row.base_brier == 0.25
    assert row.log_loss.value == pytest.approx(-sum(map(math.log, (0.95, 0.85, 0.15, 0.95))) / 4)
    # Three bins: 0.05 against 0, 0.15 twice against 0.5, 0.95 against 1.
    assert row.ece.value == pytest.approx((0.05 + 2 * 0.35 + 0.05) / 4)
    assert [(one.low, one.high, one.decisions, one.predicted) for one in row.bins] == [
        (0.0, 0.1, 1, pytest.approx(0.05)),
        (0.1, 0.2, 2, pytest.approx(0.15)),
        (0.9, 1.0, 1, pytest.approx(0.95)),
    ]
    assert [one.happened.value for one in row.bins] == [0.0, 0.5, 1.0]
    assert row.auc.value == pytest.approx(3.5 / 4)  # of four pairs one is a tie


@pytest.mark.parametrize(("said", "happened"), [([1.0, 0.0], [True, False]), ([1.0, 0.0], [False, True])])
def test_certainty_is_never_infinitely_wrong(said: list[float], happened: list[bool]) -> None:
    row = calibration(np.array(said), np.array(happened), GameBootstrap(np.arange(2)))
    assert row.log_loss.value == pytest.approx(0.0 if happened[0] else -math.log(1e-7), abs=1e-6)
    assert [one.high for one in row.bins] == [0.1, 1.0]  # a certain 1 is in the last bin


def test_what_always_happens_has_no_auc() -> None:
    row = calibration(np.array([0.5, 0.7]), np.array([True, True]), GameBootstrap(np.arange(2)))
    assert (row.auc.value, row.auc.ci95) == (None, None)
    assert row.base_brier == 0.0


def test_auc_is_the_share_of_pairs() -> None:
    random = np.random.default_rng(3)
    said = random.integers(0, 20, 150) / 20
    happened = random.random(150) < said
    yes, no = said[happened][:, None], said[~happened][None]
    assert auc(said, happened) == pytest.approx(((yes > no) + (yes == no) / 2).mean())
    assert math.isnan(auc(said, np.zeros(150, bool)))


def test_honest_probabilities_are_within_their_intervals() -> None:
    random = np.random.default_rng(5)
    said = random.random(4000)
    row = calibration(said, random.random(4000) < said, GameBootstrap(np.arange(4000)))
    for one in row.bins:
        assert one.happened.ci95
        assert one.happened.ci95[0] - 0.02 < one.predicted < one.happened.ci95[1] + 0.02
    assert row.brier.value == pytest.approx(1 / 6, abs=0.01)
    assert row.auc.value == pytest.approx(5 / 6, abs=0.02)
    assert row.auc.ci95
    assert row.auc.ci95[0] < 5 / 6 < row.auc.ci95[1]
    assert row.ece.value
    assert row.ece.value < 0.03


# --- Drawing games again ----------------------------------------------------------------------------------------------


def test_decisions_of_one_game_count_as_one() -> None:
    """Each game says one thing 50 times over: the interval is that of the games."""
    random = np.random.default_rng(2)
    per_game = (random.random(100) < 0.3).astype(float)
    once = GameBootstrap(np.arange(100)).mean(per_game)
    often = GameBootstrap(np.repeat(np.arange(100), 50)).mean(np.repeat(per_game, 50))
    assert often.value == pytest.approx(once.value)
    assert often.ci95 == pytest.approx(once.ci95)
    assert once.ci95
    error = math.sqrt(per_game.var() / 100)
    assert once.ci95[1] - once.ci95[0] == pytest.approx(2 * 1.96 * error, rel=0.1)


def test_the_interval_is_the_same_every_time_and_holds_the_value() -> None:
    games, values = np.repeat(np.arange(40), 3), np.arange(120.0)
    first, again = (GameBootstrap(games).mean(values) for _ in range(2))
    assert first == again
    assert first.ci95
    assert first.value
    assert first.ci95[0] < first.value < first.ci95[1]


def test_one_game_has_no_interval_and_nothing_has_no_value() -> None:
    one = GameBootstrap(np.zeros(5, int)).mean(np.arange(5.0))
    assert (one.value, one.ci95) == (2.0, None)
    nothing = GameBootstrap(np.arange(3)).of(np.zeros(3, bool)).mean(np.zeros(0))
    assert (nothing.value, nothing.ci95) == (None, None)


def test_a_part_counts_its_own_games() -> None:
    all_games = GameBootstrap(np.array([7, 7, 9, 9, 9]))
    assert all_games.games == 2
    part = all_games.of(np.array([True, True, False, False, False]))
    assert part.games == 1
    assert part.mean(np.array([1.0, 3.0])).value == 2.0
