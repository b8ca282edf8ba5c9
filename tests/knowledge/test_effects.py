"""What is estimated from games is what was put into them; the naive formula finds who lived long instead."""

from __future__ import annotations

import numpy as np
import pytest

from jimbo.knowledge.effects import (
    FEWEST_GAMES,
    FEWEST_TRIALS,
    Effect,
    corrections,
    means,
    naive_kind,
    naive_strengths,
    strength_of,
)
from jimbo.knowledge.moments import Moments
from knowledge.planted import EARLY, HARMFUL, JOKERS, PLANTED, planted_games


@pytest.fixture(scope="module")
def games() -> Moments:
    return planted_games(16000, seed=1)


def test_the_estimator_ranks_planted_pairs_first_and_the_harmful_one_last(games: Moments) -> None:
    found = corrections(games, JOKERS)
    ranked = sorted(found.pairs, key=lambda pair: -found.pairs[pair].mean)
    assert set(ranked[: len(PLANTED)]) == set(PLANTED)
    assert set(ranked[-len(HARMFUL) :]) == set(HARMFUL)
    assert ranked[0] == (0, 1), "the strongest of them"
    assert all(found.pairs[pair].low > 0 for pair in PLANTED.keys() & found.pairs.keys())


def test_the_naive_formula_does_not(games: Moments) -> None:
    found = naive_strengths(games, JOKERS)
    nothing = [pair for pair in found if pair not in {**PLANTED, **HARMFUL}]
    fooled = [pair for pair in nothing if found[pair].strength > min(found[one].strength for one in PLANTED)]
    assert (7, EARLY[0]) in fooled, "strong runs hold both"
    assert len(fooled) >= 2
    assert found[(7, EARLY[0])].kind == "multiplicative"


def test_pairs_that_do_nothing_are_mostly_doubtful(games: Moments) -> None:
    found = corrections(games, JOKERS).pairs
    nothing = [effect for pair, effect in found.items() if pair not in {**PLANTED, **HARMFUL}]
    assert len(nothing) > 40
    assert np.mean([effect.low <= 0 <= effect.high for effect in nothing]) > 0.9
    assert abs(np.mean([effect.mean for effect in nothing])) < 0.1


def test_few_games_say_nothing_of_a_pair(games: Moments) -> None:
    few = games.of_games(np.arange(len(games.won)) < 400)
    found = corrections(few, JOKERS)
    assert all(found.games[pair] >= FEWEST_GAMES for pair in found.pairs)
    assert len(found.pairs) < len(found.games)
    assert min(one.games for one in naive_strengths(few, JOKERS).values()) >= FEWEST_GAMES


def test_some_of_the_games_are_numbered_anew(games: Moments) -> None:
    half = games.of_games(np.arange(len(games.won)) % 2 == 0)
    assert len(half.won) == len(games.won) // 2
    assert half.game.max() == len(half.won) - 1
    assert half.held[0].tolist() == games.held[0].tolist()


def test_strength_is_one_where_the_odds_double() -> None:
    assert strength_of(np.log(2)) == pytest.approx(1)
    assert strength_of(np.log(2) / 2) == pytest.approx(0.5)
    assert (strength_of(5.0), strength_of(-1.0)) == (1.0, 0.0)
    assert [naive_kind(strength) for strength in (0.6, 0.5, 0.2)] == ["multiplicative", "additive", "complementary"]


def test_means_of_trials_carry_their_error() -> None:
    found = means({"a": [1.0, 3.0] * FEWEST_TRIALS, "b": [1.0] * (FEWEST_TRIALS - 1)})
    assert list(found) == ["a"]
    assert found["a"].mean == 2
    assert found["a"].error == pytest.approx(1 / np.sqrt(2 * FEWEST_TRIALS - 1))
    assert Effect(1, 0.5).confidence == pytest.approx(0.977, abs=0.001)
    assert (Effect(1, 3) + Effect(2, 4)) == Effect(3, 5)
