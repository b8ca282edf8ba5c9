"""Batches: what comes out of them, compared with runs played one by one."""

import gc
import math
import random
from typing import Any

import numpy as np
import pytest

from jimbo.engine import Action, ActionKind, Batch, BatchArrays, Run, action_dtype, observe, reward_terms, step_names

ENCODINGS = ("actions", "steps", "candidates")
MODES = ("next_step", "same_step", "disabled")


def made(n: int, **options: Any) -> tuple[Batch, BatchArrays]:
    options.setdefault("candidates", 16)
    batch = Batch(n, **options)
    arrays = BatchArrays.for_batch(batch)
    batch.bind(**arrays.as_arguments())
    batch.reset()
    return batch, arrays


def room_for_actions(batch: Batch) -> np.ndarray:
    return np.zeros(batch.n, action_dtype() if batch.encoding == "actions" else np.int32)


def as_action(row: np.void) -> Action:
    cards = [i for i in range(64) if int(row["cards"]) >> i & 1]
    return Action(list(ActionKind)[row["kind"]], int(row["index"]), int(row["to"]), cards)


def by_name(name: str) -> int:
    return step_names().index(name)


# --- Rows -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_rows_are_as_if_alone(encoding: str, mode: str, threads: int) -> None:
    n, options = 5, {"encoding": encoding, "autoreset": mode, "weights": {"blind": 1.0, "score": 0.5}}
    many, arrays = made(n, threads=threads, **options)
    singles = [made(1, **options) for _ in range(n)]
    for row, (single, _) in enumerate(singles):
        single.seed([row])
        single.reset()
    actions, ends = room_for_actions(many), 0
    for k in range(120 if encoding == "steps" else 40):
        many.sample(actions, k)
        many.step(actions)
        ends += int(arrays.stats["finished"].sum())
        for row, (single, alone) in enumerate(singles):
            single.step(actions[row : row + 1])
            for name, array in alone.as_arguments().items():
                together = arrays.as_arguments()[name][row : row + 1]
                assert together.tobytes() == array.tobytes(), (k, row, name)
    assert ends > 0


def test_a_batch_plays_as_runs_do() -> None:
    batch, arrays = made(3, encoding="actions", autoreset="disabled")
    runs = [Run(seed=batch.game_seed(row)) for row in range(3)]
    actions = room_for_actions(batch)
    for k in range(60):
        batch.sample(actions, k)
        batch.step(actions)
        for row, run in enumerate(runs):
            if run.phase == "game_over":
                assert arrays.terminated[row]
                continue
            run.step(as_action(actions[row]))
            assert batch.run(row).to_json() == run.to_json()
            assert arrays.observations[row : row + 1].tobytes() == observe(run).tobytes()
    assert arrays.terminated.any()


def test_seeds_repeat_and_lists_are_played_in_turn() -> None:
    batch, _ = made(2)
    batch.seed([7, 7])
    batch.reset()
    first = batch.game_seed(0)
    assert first == batch.game_seed(1)
    batch.reset()
    assert batch.game_seed(0) != first
    batch.seed_lists([["ONE", "TWO"], ["THREE"]])
    played = []
    for _ in range(3):
        batch.reset(np.array([True, False]))
        played.append(batch.game_seed(0))
    assert played == ["ONE", "TWO", "ONE"]


def test_rows_can_start_differently() -> None:
    batch, arrays = made(3)
    batch.set_start(1, deck="b_plasma", stake="gold")
    batch.set_start(2, challenge="c_omelette_1")
    batch.reset()
    assert [batch.run(row).deck for row in range(3)] == ["b_red", "b_plasma", "b_challenge"]
    assert len(set(arrays.observations["challenge"])) == 2


# --- Masks and refusals -----------------------------------------------------------------------------------------------


def test_the_mask_is_what_the_rules_allow() -> None:
    batch, arrays = made(1, encoding="steps", moves=True, autoreset="same_step")
    choice = random.Random(3)
    checked = 0
    for _ in range(60):
        mask, before = arrays.masks[0].copy(), batch.run(0).save()
        length, refused = arrays.stats["length"][0], arrays.stats["illegal"][0]
        forbidden = np.flatnonzero(~mask)
        for step in choice.sample(forbidden.tolist(), 5):
            batch.step(np.array([step], np.int32))
            assert batch.run(0).save() == before
            assert (arrays.masks[0] == mask).all()
            checked += 1
        assert arrays.stats["illegal"][0] == refused + 5
        assert arrays.stats["length"][0] == length + 5
        step = np.array([choice.choice(np.flatnonzero(mask).tolist())], np.int32)
        batch.step(step)
        assert arrays.stats["finished"][0] or arrays.stats["illegal"][0] == refused + 5, step_names()[step[0]]
    assert checked == 300


def test_a_refused_action_costs_the_penalty() -> None:
    batch, arrays = made(1, illegal_penalty=0.5, weights={"win": 1.0})
    batch.step(np.array([by_name("cash_out")], np.int32))
    assert arrays.rewards[0] == -0.5
    batch.step(np.array([-7], np.int32))
    assert arrays.stats["illegal"][0] == 2
    assert arrays.stats["return"][0] == -1.0
    assert arrays.stats["decisions"][0] == 0


def test_selected_cards_are_seen_and_played() -> None:
    batch, arrays = made(1)
    for name in ("select_blind", "toggle_1", "toggle_4"):
        batch.step(np.array([by_name(name)], np.int32))
    assert np.flatnonzero(arrays.observations["selected"][0]).tolist() == [1, 4]
    twin = batch.run(0)
    twin.step(Action("play", cards=[1, 4]))
    batch.step(np.array([by_name("play")], np.int32))
    assert batch.run(0).to_json() == twin.to_json()
    assert not arrays.observations["selected"].any()
    assert arrays.stats["length"][0] == 4
    assert arrays.stats["decisions"][0] == 2
    assert arrays.stats["best_hand"][0] == twin.chips


# --- Ends and rewards -------------------------------------------------------------------------------------------------


def lost(mode: str) -> tuple[Batch, BatchArrays, np.ndarray]:
    """A batch of one that has just lost by playing single cards."""
    batch, arrays = made(1, encoding="actions", autoreset=mode, weights={"loss": -1.0})
    actions = room_for_actions(batch)
    batch.step(actions)  # select_blind is kind 0
    actions["kind"], actions["cards"] = list(ActionKind).index("play"), 1
    while not arrays.terminated[0]:
        batch.step(actions)
    return batch, arrays, actions


def test_next_step_mode() -> None:
    batch, arrays, actions = lost("next_step")
    assert arrays.rewards[0] == -1
    assert arrays.stats["finished"][0]
    assert arrays.masks[0].sum() == 67  # the first choice of each number of a whole action
    batch.step(actions)
    assert not arrays.terminated[0]
    assert arrays.rewards[0] == 0
    assert arrays.stats["length"][0] == 0
    assert arrays.observations["phase"][0] == 1


def test_same_step_mode() -> None:
    batch, arrays, _ = lost("same_step")
    assert batch.run(0).phase == "blind_select"
    assert arrays.observations["phase"][0] == 1
    assert arrays.final_observations["phase"][0] == 6
    assert arrays.stats["length"][0] == 5


def test_disabled_mode() -> None:
    batch, arrays, actions = lost("disabled")
    batch.step(actions)
    assert arrays.terminated[0]
    assert arrays.rewards[0] == 0
    batch.reset(np.array([True]))
    assert not arrays.terminated[0]
    assert arrays.observations["phase"][0] == 1


def test_max_steps_truncates() -> None:
    batch, arrays = made(2, max_steps=3)
    for k in range(3):
        assert not arrays.truncated.any()
        batch.step(np.full(2, by_name("toggle_0") if k else by_name("select_blind"), np.int32))
    assert arrays.truncated.all()
    assert not arrays.terminated.any()
    assert (arrays.stats["end"] == 5).all()


def test_terms_and_reward_agree() -> None:
    weights = {name: i + 0.5 for i, name in enumerate(reward_terms())}
    batch, arrays = made(16, encoding="actions", weights=weights)
    actions, seen = room_for_actions(batch), np.zeros(len(weights), bool)
    for k in range(80):
        batch.sample(actions, k)
        batch.step(actions)
        expected = arrays.terms @ np.array(list(weights.values()), np.float32)
        assert arrays.rewards == pytest.approx(expected, abs=1e-4)
        seen |= arrays.terms.any(axis=0)
    assert seen[[list(weights).index(name) for name in ("loss", "score", "money", "potential")]].all()


# --- Wrong arguments --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"encoding": "words"}, "actions, steps, candidates or options"),
        ({"autoreset": "never"}, "next_step, same_step or disabled"),
        ({"deck": "b_moon"}, "b_moon"),
        ({"stake": "silver"}, "silver"),
        ({"challenge": "c_none"}, "no challenge"),
        ({"threads": 0}, "at least one thread"),
        ({"threads": 99_999}, "at most 1,024"),
        ({"illegal_penalty": math.inf}, "illegal_penalty must be a finite number"),
        ({"illegal_penalty": math.nan}, "illegal_penalty must be a finite number"),
        ({"weights": {"win": math.nan}}, 'the weight of the reward term "win" must be a finite number'),
        ({"weights": {"win": 1e300}}, 'the weight of the reward term "win" must be a finite number'),
        ({"max_ante": 0}, "max_ante"),
        ({"max_steps": -1}, "max_steps"),
        ({"candidates": 0}, "candidates"),
        ({"weights": {"luck": 1.0}}, "no reward term \"luck\"; they are win loss"),
    ],
)  # fmt: skip
def test_wrong_options_are_refused_with_a_sentence(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Batch(1, **options)


@pytest.mark.parametrize("rows", [0, -1, 10**9])
def test_a_batch_without_sense_is_refused(rows: int) -> None:
    with pytest.raises(ValueError, match="at least one row, and at most 100,000"):
        Batch(rows)


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("rewards", np.zeros(2, np.float64)),
        ("rewards", np.zeros(3, np.float32)),
        ("rewards", np.zeros(4, np.float32)[::2]),
        ("masks", np.zeros((2, 376), np.bool_)),
        ("terminated", np.zeros(2, np.int32)),
        ("observations", np.zeros(2, [("a", "u1", 2324)])),
        ("observations", np.zeros(2)),
        ("stats", np.zeros(2, np.int64)),
        ("terms", np.zeros((2, 3), np.float32)),
        ("rewards", [0.0, 0.0]),
    ],
)
def test_wrong_arrays_are_refused_with_their_name(name: str, array: Any) -> None:
    batch = Batch(2)
    arguments = BatchArrays.for_batch(batch).as_arguments()
    with pytest.raises(ValueError, match=name):
        batch.bind(**{**arguments, name: array})


def test_an_array_that_cannot_be_written_is_refused() -> None:
    batch = Batch(2)
    arguments = BatchArrays.for_batch(batch).as_arguments()
    arguments["rewards"].flags.writeable = False
    with pytest.raises(ValueError, match="rewards must be a C-contiguous writable float32 array of shape"):
        batch.bind(**arguments)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_wrong_actions_are_refused(encoding: str) -> None:
    batch, arrays = made(2, encoding=encoding)
    for actions in (
        np.zeros(2, np.int64),
        np.zeros(3, np.int32),
        np.zeros(2, np.float32),
        np.zeros(2, "u8,u8"),
        [0, 0],
    ):
        with pytest.raises(ValueError, match="actions must"):
            batch.step(actions)
    assert not arrays.stats["length"].any()


def test_rows_that_do_not_exist_are_refused() -> None:
    batch, _ = made(2)
    for call in (batch.run, batch.game_seed, batch.set_start):
        with pytest.raises(ValueError, match="row 2 does not exist"):
            call(2)
    with pytest.raises(ValueError, match="one number for each row"):
        batch.seed([1])
    with pytest.raises(ValueError, match="at least one seed"):
        batch.seed_lists([[], ["A"]])
    with pytest.raises(ValueError, match="seed"):
        batch.seed_lists([["B"], ["not a seed" * 9]])


def test_bound_arrays_stay_alive() -> None:
    batch = Batch(2)
    batch.bind(**BatchArrays.for_batch(batch).as_arguments())
    gc.collect()
    batch.reset()
    actions = room_for_actions(batch)
    for k in range(20):
        batch.sample(actions, k)
        batch.step(actions)
    assert batch.run(0).phase in {"blind_select", "selecting_hand", "game_over"}
