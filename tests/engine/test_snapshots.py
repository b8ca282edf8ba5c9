"""Runs and batches are copied, pickled and put back, and go on as if nothing had happened."""

import copy
import multiprocessing
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
import pytest

from engine.batch_playing import Played, played, played_on
from jimbo.engine import Action, Batch, BatchArrays, Run, action_dtype

ENCODINGS = ("actions", "steps", "candidates")
MODES = ("next_step", "same_step", "disabled")


def pickled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


def in_shop(seed: str = "SHOP") -> Run:
    run = Run(deck="ghost", stake="gold", seed=seed)
    run.step(Action("select_blind"))
    run.chips = run.target
    run.step(Action("play", cards=[0]))
    run.step(Action("cash_out"))
    return run


def lost() -> Run:
    run = Run(seed="LOST")
    run.step(Action("select_blind"))
    run.hands_left = 1
    run.step(Action("play", cards=[0]))
    return run


# --- Runs -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("copied", [pickled, copy.copy, copy.deepcopy, Run.clone, lambda run: Run.load(run.save())])
@pytest.mark.parametrize("make", [Run, in_shop, lost, lambda: Run(challenge="jokerless")])
def test_a_copy_of_a_run_is_equal_and_independent(make: Callable[[], Run], copied: Callable[[Run], Run]) -> None:
    run = make()
    twin = copied(run)
    assert twin == run
    assert twin.to_json() == run.to_json()
    twin.dollars += 1
    assert twin != run
    twin.dollars -= 1
    assert twin == run


def test_runs_are_equal_by_state_alone() -> None:
    assert Run(seed="AAA") == Run(seed="AAA")
    assert Run(seed="AAA") != Run(seed="AAB")
    assert Run(seed="AAA") != Run(seed="AAA", stake="red")
    assert Run() != Run().to_json()
    assert Run() != None  # noqa: E711 (what is tested)
    with pytest.raises(TypeError, match="a run has no hash, since it changes"):
        hash(Run())


def test_a_pickled_run_draws_on_as_the_run_does() -> None:
    run = in_shop()
    twin = pickled(run)
    for _ in range(30):
        action = run.legal_actions()[-1]
        run.step(action)
        twin.step(action)
        assert twin == run
        if run.phase == "game_over":
            break


def test_a_pickle_of_another_version_is_refused_with_a_sentence() -> None:
    data = pickle.dumps(Run())
    assert data.count(b"JIMBO-RUN-1 ") == 1
    other = data.replace(b"JIMBO-RUN-1 ", b"JIMBO-RUN-0 ")
    with pytest.raises(ValueError, match="not a saved run"):
        pickle.loads(other)


@pytest.mark.parametrize("action", [Action("reroll"), Action("play", cards=[0, 63]), Action("move_joker", 2, to=1)])
def test_actions_are_pickled(action: Action) -> None:
    assert pickled(action) == action


# --- Batches ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_restored_batch_goes_on_bit_by_bit(encoding: str, mode: str) -> None:
    at = played(encoding, mode, threads=2)
    before, snapshot = at.shown(), at.batch.snapshot()
    told = at.steps(60)
    assert len({step["rewards"] for step in told}) > 3
    for kept in (snapshot, pickled(snapshot), copy.deepcopy(snapshot)):
        at.batch.restore(kept)
        assert at.shown() == before
        assert at.steps(60) == told


@pytest.mark.parametrize("copied", [pickled, copy.copy, copy.deepcopy])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_copied_batch_goes_on_bit_by_bit(encoding: str, mode: str, copied: Callable[[Batch], Batch]) -> None:
    at = played(encoding, mode)
    twin = Played(copied(at.batch))
    assert twin.shown() == at.shown()
    assert twin.steps(60) == at.steps(60)


@pytest.mark.parametrize("copied", [pickled, copy.deepcopy])
def test_arrays_that_are_copied_with_a_batch_stay_its_arrays(copied: Callable[[Any], Any]) -> None:
    batch = Batch(2)
    arrays = BatchArrays.for_batch(batch)
    batch.bind(**arrays.as_arguments())
    batch.reset()
    for twin, same in (copied((batch, arrays)), reversed(copied((arrays, batch)))):
        assert twin.arrays["masks"] is same.masks is not arrays.masks
        before = same.masks.copy()
        Played(twin).steps(3)
        assert not np.array_equal(same.masks, before)
    assert batch.run(0).round == 0


def test_a_batch_is_pickled_before_its_first_reset_and_without_arrays() -> None:
    batch, twin = Batch(2, deck="magic"), pickled(Batch(2, deck="magic"))
    assert twin.arrays == {}
    for each in (batch, twin):
        each.seed([5, 6])
        each.reset()
    assert [twin.run(row) for row in range(2)] == [batch.run(row) for row in range(2)]


def test_a_snapshot_is_restored_by_a_batch_that_fits() -> None:
    at = played("steps", "same_step")
    snapshot = at.batch.snapshot()
    told = at.steps(20)
    other = played("steps", "same_step", deck="blue", threads=3)
    other.batch.restore(snapshot)
    assert other.steps(20) == told
    for batch, message in (
        (Batch(4), "the snapshot has 5 rows, but the batch has 4"),
        (Batch(5), "the snapshot is of a batch with autoreset='same_step', but this one has 'next_step'"),
        (Batch(5, autoreset="same_step"), "with max_steps=40, but this one has 0"),
        (Batch(5, encoding="actions"), "with encoding='steps', but this one has 'actions'"),
    ):
        with pytest.raises(ValueError, match=message):
            batch.restore(snapshot)


def test_a_snapshot_does_not_change() -> None:
    at = played("steps", "disabled")
    snapshot = at.batch.snapshot()
    kept = pickle.dumps(snapshot)
    at.steps(10)
    at.batch.restore(snapshot)
    at.steps(10)
    assert pickle.dumps(snapshot) == kept


# --- Runs in rows -----------------------------------------------------------------------------------------------------


def test_a_run_is_put_into_a_row() -> None:
    batch = Batch(2, encoding="actions", weights={"money": 1.0})
    arrays = BatchArrays.for_batch(batch)
    batch.bind(**arrays.as_arguments())
    batch.reset()
    Played(batch).steps(3)
    other, run = batch.run(0), in_shop()
    batch.set_run(1, run)
    assert (batch.run(0), batch.run(1)) == (other, run)
    assert (arrays.rewards[1], arrays.terms[1].any(), arrays.stats["length"][1]) == (0, False, 0)
    assert arrays.stats[["money", "ante", "round"]][1].tolist() == (run.dollars, run.ante, run.round)
    alone = Batch(1, encoding="actions")
    seen = BatchArrays.for_batch(alone)
    alone.bind(**seen.as_arguments())
    alone.set_run(0, run)
    assert seen.observations.tobytes() == arrays.observations[1:].tobytes()
    assert seen.masks.tobytes() == arrays.masks[1:].tobytes()
    actions = np.zeros(2, action_dtype())
    batch.sample(actions, 1)
    batch.step(actions)
    assert run == in_shop()
    assert batch.run(1) != run
    assert arrays.stats["length"][1] == 1


def test_an_episode_from_a_run_is_followed_by_the_row_s_own_games() -> None:
    batch = Batch(1, autoreset="same_step", max_steps=3)
    batch.seed_lists([["ONE", "TWO"]])
    batch.reset()
    batch.set_run(0, in_shop("OTHER"))
    seeds = []
    for _ in range(7):
        seeds.append(batch.game_seed(0))
        batch.step(np.zeros(1, np.int32))
    assert seeds == ["OTHER"] * 3 + ["TWO"] * 3 + ["ONE"]


def test_a_run_whose_episode_would_be_over_is_refused() -> None:
    batch = Batch(1)
    batch.reset()
    before = batch.run(0)
    beyond, won = Run(), Run()
    beyond.debug_set_ante(3)
    won.debug_set_ante(8)
    for slot in ("small", "big", "boss"):
        assert won.on_deck == slot
        won.step(Action("select_blind"))
        won.chips = won.target
        won.step(Action("play", cards=[0]))
        won.step(Action("cash_out"))
        won.step(Action("leave_shop"))
    assert won.won
    for run, message in ((lost(), "the run is over"), (won, "has been won, .*max_ante=None plays on")):
        with pytest.raises(ValueError, match=message):
            batch.set_run(0, run)
    with pytest.raises(ValueError, match="stands in ante 3, and episodes end beyond max_ante=2"):
        Batch(1, max_ante=2).set_run(0, beyond)
    with pytest.raises(ValueError, match="row 1 does not exist"):
        batch.set_run(1, Run())
    assert batch.run(0) == before
    endless = Batch(1, max_ante=None)
    endless.set_run(0, won)
    assert endless.run(0) == won


# --- Other processes --------------------------------------------------------------------------------------------------


def test_runs_and_batches_go_to_a_new_process_and_back() -> None:
    run, at = in_shop(), played("candidates", "next_step")
    run.dollars = 50
    snapshot = at.batch.snapshot()
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        there = pool.submit(played_on, run, at, snapshot).result(timeout=60)
    here = played_on(run, at, snapshot)
    assert there[:2] == here[:2]
    at.batch.restore(there[2])
    assert at.batch.run(0) == pickled(at.batch).run(0)
    again = played("candidates", "next_step")
    assert at.shown() == again.shown()
    assert at.steps(5) == again.steps(5)
