"""Many runs at once are the same runs one by one."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from env.playing import assert_equal
from jimbo.env import RunEnv, RunVectorEnv

ROWS = 5
STEPS = 260
SHORT = {"max_steps": 90, "deck": "b_abandoned"}


def actions_for(env: RunVectorEnv, step: int) -> np.ndarray[Any, Any]:
    """Allowed actions, and now and then one that is not."""
    actions = env.sample_actions(step)
    if step % 7 == 0:
        actions[step % ROWS] = 10_000
    return actions


@pytest.mark.parametrize(
    ("actions", "observation"),
    [("steps", "fields"), ("steps", "flat"), ("candidates", "fields"), ("candidates", "packed")],
)
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_a_vector_is_its_rows_bit_by_bit(mode: AutoresetMode, threads: int, actions: str, observation: str) -> None:
    """Against gymnasium's own vector of single environments: observations, rewards, flags and infos."""
    options = {**SHORT, "actions": actions, "observation": observation, "candidates": 30}
    native = RunVectorEnv(ROWS, autoreset_mode=mode, threads=threads, **options)
    singles = SyncVectorEnv([lambda: RunEnv(**options)] * ROWS, autoreset_mode=mode)
    assert native.observation_space == singles.observation_space
    assert native.action_space == singles.action_space
    assert native.metadata["autoreset_mode"] is mode
    assert_equal(native.reset(seed=3), singles.reset(seed=3))
    ends = 0
    for step in range(STEPS if (actions, observation) == ("steps", "fields") else STEPS // 2):
        chosen = actions_for(native, step)
        ours, theirs = native.step(chosen), singles.step(chosen)
        assert_equal(list(ours), list(theirs), f"step {step}")
        done = ours[2] | ours[3]
        ends += int(done.sum())
        if mode is AutoresetMode.DISABLED and done.any():
            again = [env.reset(options={"reset_mask": done.copy()}) for env in (native, singles)]
            assert_equal(list(again[0]), list(again[1]), f"reset {step}")
    assert ends >= ROWS


def test_rows_do_not_depend_on_their_number() -> None:
    few, many = RunVectorEnv(2, **SHORT), RunVectorEnv(6, threads=2, **SHORT)
    few.reset(seed=20)
    many.reset(seed=20)
    for step in range(200):
        actions = many.sample_actions(step)
        ours, theirs = few.step(actions[:2]), many.step(actions)
        for name in ours[0]:
            assert np.array_equal(ours[0][name], theirs[0][name][:2])
        assert np.array_equal(ours[1], theirs[1][:2])


def test_make_vec_takes_the_native_batch() -> None:
    env = gymnasium.make_vec("jimbo/Run-v0", num_envs=3, autoreset_mode="SameStep", threads=2)
    assert isinstance(env, RunVectorEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert isinstance(gymnasium.make_vec("jimbo/Run-v0", num_envs=2, vectorization_mode="sync"), SyncVectorEnv)


def test_observations_are_copies() -> None:
    env = RunVectorEnv(2)
    first, _ = env.reset(seed=1)
    kept = {name: values.copy() for name, values in first.items()}
    masks = env.action_masks()
    for step in range(20):
        env.step(env.sample_actions(step))
    assert_equal(first, kept)
    assert not np.array_equal(masks, env.action_masks())


def test_wrappers_of_gymnasium_fit() -> None:
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(
        gymnasium.make_vec("jimbo/Run-v0", num_envs=4, max_steps=30)
    )
    env.reset(seed=1)
    lengths: list[int] = []
    for step in range(100):
        *_, info = env.step(env.unwrapped.sample_actions(step))  # type: ignore[attr-defined]
        if "episode" in info:
            lengths += info["episode"]["l"][info["_episode"]].tolist()
            assert np.array_equal(info["episode"]["l"][info["_result"]], info["result"]["length"][info["_result"]])
    assert lengths


def test_listed_games_are_shared_out() -> None:
    env = RunVectorEnv(2, seeds=["A", "B", "C", "D", "E"], max_steps=2, autoreset_mode="SameStep")
    _, info = env.reset()
    played = [list(info["game_seed"])]
    for step in range(6):
        *_, info = env.step(env.sample_actions(step))
        if "final_info" in info:
            assert list(info["final_info"]["game_seed"]) == played[-1]
            played.append(list(info["game_seed"]))
    assert played == [["A", "B"], ["C", "D"], ["E", "B"], ["A", "D"]]
    with pytest.raises(ValueError, match="3 environments need at least 3 game seeds, but seeds has 2"):
        RunVectorEnv(3, seeds=["A", "B"])


def test_reset_can_name_the_games() -> None:
    env = RunVectorEnv(2)
    _, info = env.reset(options={"seed": ["ONE", "TWO"], "stake": "red"})
    assert list(info["game_seed"]) == ["ONE", "TWO"]
    _, info = env.reset()
    assert not {"ONE", "TWO"} & set(info["game_seed"])


def test_seeds_of_the_rows() -> None:
    env = RunVectorEnv(3)
    from_one = env.reset(seed=5)
    assert_equal(from_one, env.reset(seed=[5, 6, 7]))
    assert len(set(from_one[1]["game_seed"])) == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": [1]}, "one number, or 2 of them"),
        ({"options": {"seed": "ABC"}}, "a list of 2 game seeds"),
        ({"options": {"reset_mask": [True, False]}}, "a numpy array of 2 bools"),
        ({"options": {"reset_mask": np.array([False, False])}}, "must choose at least one row"),
        ({"options": {"reset_mask": np.array([True, False])}, "seed": 1}, "reset without reset_mask"),
    ],
)
def test_a_reset_that_cannot_be_is_refused_with_a_sentence(arguments: dict[str, Any], message: str) -> None:
    env = RunVectorEnv(2)
    env.reset(seed=1)
    with pytest.raises(ValueError, match=message):
        env.reset(**arguments)


@pytest.mark.parametrize("actions", ["steps", "candidates"])
@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.uint32, np.int64, np.uint64])
def test_numbers_that_are_no_action_are_refused_whatever_their_type(dtype: type[Any], actions: str) -> None:
    env = RunVectorEnv(3, actions=actions, candidates=20)
    env.reset(seed=1)
    most = np.iinfo(dtype).max
    far = [most, min(most, 2**32), np.iinfo(dtype).min or most]  # 2**32 would be 0 in 32 bits
    for count in (1, 2):
        *_, info = env.step(np.array(far, dtype))
        assert info["illegal"].tolist() == [count] * 3


def test_actions_of_a_wrong_shape_are_refused_with_a_sentence() -> None:
    env = RunVectorEnv(2)
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"actions must be 2 whole numbers, not int64 of shape \(3,\)"):
        env.step(np.zeros(3, np.int64))
    for rows in (0, 10**9, 10**30):
        with pytest.raises(ValueError, match="num_envs must be at least 1 and at most 100,000"):
            RunVectorEnv(rows)
