"""What runs are lost to: buckets, hands that would have saved them, what trainings learn of it."""

from dataclasses import replace
from typing import Any

import pytest

from eval.episode_rows import episode, noted
from jimbo.eval.mining import (
    BOSS,
    BUCKETS,
    ECONOMY,
    MISPLAYED,
    OTHER,
    REGRET,
    SHOP,
    SHORT,
    STALL,
    WIN,
    Misplay,
    bucket_of,
    curriculum_of,
    deltas,
    mine,
    mined_data,
    states_of,
)
from jimbo.eval.rows import Episode
from jimbo.eval.runner import Evaluation, Settings, evaluate
from jimbo.seeds.seed_sets import seed_set

SAVED = Misplay(step=9, action="play", better="discard", regret=0.3, clear=0.9, saved=True, state={})


def lost(ante: int, money: int, *, boss: bool = False, before: float = 0.9, **entry: Any) -> Episode:
    """A run that was lost in the big blind of an ante, or its boss, with a power of ``before`` for the blind before."""
    row = episode(blinds=3 * (ante - 1) + 1 + boss)
    row = replace(row, money_by_round=(*row.money_by_round[:-1], money))
    return noted(row, {"power": before, "multipliers": 1}, {"power": 0.7, "multipliers": 1, **entry})


@pytest.mark.parametrize(
    ("row", "misplay", "bucket"),
    [
        (episode(won=True), None, WIN),
        (lost(5, 10), None, SHORT),
        (lost(5, 10), SAVED, MISPLAYED),
        (lost(5, 10), replace(SAVED, saved=False), SHORT),
        (lost(5, 10), replace(SAVED, regret=REGRET / 2), SHORT),
        (lost(5, 4), None, ECONOMY),
        (lost(1, 4), None, SHORT),
        (lost(5, 20), None, SHOP),
        (lost(5, 20, power=1.5), None, SHORT),
        (lost(5, 10, multipliers=0), None, SHOP),
        (lost(2, 10, multipliers=0), None, SHORT),
        (lost(5, 10, boss=True, power=1.2), None, BOSS),
        (lost(5, 10, boss=True, power=0.3), None, BOSS),
        (lost(5, 10, boss=True, power=0.6), None, SHORT),
        (lost(5, 30, boss=True, power=0.3), SAVED, MISPLAYED),
        (replace(lost(5, 10), failure_reason="step_limit"), None, STALL),
        (replace(lost(5, 10), failure_reason="agent_error", error="x"), None, OTHER),
        (replace(lost(5, 10), score_by_round=()), None, OTHER),
    ],
)
def test_a_run_is_in_the_first_bucket_that_fits(row: Episode, misplay: Misplay | None, bucket: str) -> None:
    assert bucket_of(row, misplay)[0] == bucket


def test_all_causes_are_told_even_those_of_later_buckets() -> None:
    assert bucket_of(lost(5, 30, multipliers=0), SAVED)[1] == ("misplayed", "rich", "no multiplier", "power")


@pytest.fixture(scope="module")
def hasty() -> Evaluation:
    """A player without a solver and with few worlds: it loses runs by the hands that it plays."""
    options = {"solver": False, "effort": 0.01}
    return evaluate(Settings(agent="expert", options=options, seeds=seed_set("dev-100", 5)), workers=1)


def test_lost_runs_are_played_again_and_their_last_blinds_looked_at(hasty: Evaluation) -> None:
    mined, stop = mine(hasty, effort=0.1, workers=1)
    assert not stop.trouble
    assert len(mined.failures) == sum(not row.won for row in hasty.episodes) >= 3
    assert sum(mined.counts.values()) == 5
    rows = {row.episode_id: row for row in hasty.episodes}
    for failure in mined.failures:
        row = rows[failure.number]
        assert failure.entered is not None
        assert failure.entered["ante"] == row.final_ante
        assert f"--seed {row.seed}" in failure.watch
        if failure.misplay:
            assert failure.misplay.regret > 0
            assert failure.misplay.step <= row.steps
    saved = [one.misplay for one in mined.failures if one.misplay and one.misplay.saved]
    assert saved, "a player that never discards is saved by a solver in some run"
    assert all(one.bucket == MISPLAYED for one in mined.failures if one.misplay and one.misplay.saved)
    assert len(list(states_of(mined))) == len(mined.failures)
    assert mined_data(mined)["not_repeated"] == 0


def test_the_same_is_found_again(hasty: Evaluation) -> None:
    assert mine(hasty, effort=0.1, workers=1)[0] == mine(hasty, effort=0.1, workers=1)[0]


def test_a_run_that_goes_another_way_is_told(hasty: Evaluation) -> None:
    changed = replace(hasty, episodes=tuple(replace(row, steps=row.steps + 1) for row in hasty.episodes))
    mined, _ = mine(changed, effort=0.1, workers=1)
    assert all(one.entered is None and one.misplay is None for one in mined.failures)
    assert mined_data(mined)["not_repeated"] == len(mined.failures)


def test_the_curriculum_weighs_what_runs_are_lost_to(hasty: Evaluation) -> None:
    mined, _ = mine(hasty, effort=0.1, workers=1)
    curriculum = curriculum_of(mined)
    assert sum(bucket.weight for bucket in curriculum.buckets.values()) == pytest.approx(1, abs=0.01)
    for name, bucket in curriculum.buckets.items():
        assert bucket.weight == pytest.approx(mined.counts[name] / len(mined.failures), abs=1e-3)
        assert sum(bucket.antes.values()) == pytest.approx(1, abs=0.01)
    assert curriculum.buckets[MISPLAYED].phase == "hands"


def test_differences_between_evaluations_are_taken_seed_by_seed(hasty: Evaluation) -> None:
    mined, _ = mine(hasty, effort=0.1, workers=1)
    same = deltas(mined, mined)
    assert set(same) == set(BUCKETS)
    assert all(change.delta == 0 and change.delta_ci95 is not None for change in same.values())
    won = replace(hasty, episodes=tuple(replace(row, result="win", failure_reason="") for row in hasty.episodes))
    better = deltas(mine(won, effort=0.1, workers=1)[0], mined)
    assert better[WIN].delta == pytest.approx(len(mined.failures) / 5)
    assert better[MISPLAYED].delta < 0
    elsewhere = replace(hasty, episodes=tuple(replace(row, episode_id=row.episode_id + 9) for row in hasty.episodes))
    assert deltas(replace(mined, evaluation=elsewhere), mined)[WIN].delta_ci95 is None
