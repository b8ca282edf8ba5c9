"""What a network should have said."""

from dataclasses import replace

import numpy as np
import pytest

from jimbo.data.samples import MEASURES
from jimbo.train.supervised import batches, choices, split
from models.games import recorded

SAMPLES = recorded()
USEFUL, JUDGED = split(SAMPLES, 0.34)


def taught(values: list[float], chosen: int, measure: str, softness: float) -> list[float]:
    """The target of a decision with these values of its candidates."""
    index = int(np.flatnonzero(np.diff(SAMPLES.starts) >= len(values))[0])
    start, end = SAMPLES.starts[index], SAMPLES.starts[index + 1]
    told, actions, measures = SAMPLES.values.copy(), SAMPLES.chosen.copy(), SAMPLES.measures.copy()
    told[start:end] = np.nan
    told[start : start + len(values)] = values
    actions[index], measures[index] = chosen, MEASURES.index(measure)
    changed = replace(SAMPLES, values=told, chosen=actions, measures=measures)
    target = choices(changed, np.array([index]), softness)
    assert target.counts.tolist() == [chosen >= 0]
    assert not target.shares[0, len(values) :].any()
    return [float(share) for share in target.shares[0, : len(values)]]


def test_the_action_taken_is_the_target() -> None:
    assert taught([0.9, 0.5, 0.1], 1, "clear", 0.0) == [0, 1, 0]


def test_what_is_nearly_as_good_has_a_share() -> None:
    shares = taught([0.90, 0.88, 0.1], 0, "clear", 0.5)
    soft = np.exp([0, -1, -40])
    assert shares == pytest.approx(list(0.5 * np.array([1, 0, 0]) + 0.5 * soft / soft.sum()), abs=1e-6)
    assert sum(shares) == pytest.approx(1)


def test_points_of_a_chance_are_told_apart_less_than_chances() -> None:
    assert taught([2.0, 1.0], 0, "win", 1.0) == pytest.approx([np.e / (1 + np.e), 1 / (1 + np.e)])


def test_probabilities_of_a_network_are_the_target_themselves() -> None:
    assert taught([0.2, 0.7, 0.1], 1, "choice", 1.0) == pytest.approx([0.2, 0.7, 0.1])


@pytest.mark.parametrize("measure", ["value", "score"])
def test_values_that_nobody_can_compare_say_nothing(measure: str) -> None:
    assert taught([5.0, 4.0], 1, measure, 1.0) == [0, 1]


def test_values_without_the_action_taken_say_nothing() -> None:
    assert taught([0.9, float("nan"), 0.8], 1, "clear", 1.0) == [0, 1, 0]


def test_a_game_is_learnt_from_or_judged_by() -> None:
    assert len(USEFUL)
    assert len(JUDGED)
    assert not set(SAMPLES.games[USEFUL]) & set(SAMPLES.games[JUDGED])
    for index in (*USEFUL, *JUDGED):
        assert SAMPLES.chosen[index] >= 0
        assert SAMPLES.starts[index + 1] - SAMPLES.starts[index] > 1


def test_batches_hold_every_decision_once_and_depend_on_the_seed_alone() -> None:
    first, again, other = (list(batches(SAMPLES, USEFUL, 16, [seed])) for seed in (1, 1, 2))
    assert sorted(np.concatenate(first)) == sorted(USEFUL)
    assert all((a == b).all() for a, b in zip(first, again, strict=True))
    assert any(len(a) != len(b) or (a != b).any() for a, b in zip(first, other, strict=True))
    assert max(map(len, first)) == 16
