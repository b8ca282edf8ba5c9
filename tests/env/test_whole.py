"""Whole actions through Gymnasium."""

import json
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from env.playing import assert_equal
from jimbo.engine import Action, ActionKind, Run
from jimbo.engine.catalog import HANDS
from jimbo.env import RunEnv, RunVectorEnv
from jimbo.env.whole import HEAD, SIZES, row_of, whole_actions, whole_rows

STARTS = np.cumsum([0, *SIZES[:-1]])


def parts(mask: Any) -> list[Any]:
    """The flags of each number."""
    return np.split(mask, STARTS[1:])


def test_gymnasium_finds_nothing_to_complain_about() -> None:
    check_env(gymnasium.make("jimbo/Run-v0", actions="whole", render_mode="ansi").unwrapped)


@pytest.mark.parametrize("moves", [False, True])
def test_the_mask_holds_the_numbers_of_all_allowed_actions_and_no_others(moves: bool) -> None:
    env = RunEnv(actions="whole", moves=moves)
    strong = Run(deck="b_magic", seed="WHOLE")
    for hand in HANDS:
        strong.debug_raise_level(hand, 20)
    observation, _ = env.reset(seed=2, options={"run": strong})
    random = np.random.default_rng(2)
    phases = set()
    for _ in range(120):
        run = env.run()
        phases.add(run.public_state().phase)
        actions = run.legal_actions(with_moves=moves)
        rows = np.stack([row_of(action) for action in actions])
        shown = parts(observation["action_mask"])
        assert np.array_equal(observation["action_mask"], env.action_masks())
        for number, flags in enumerate(shown):
            assert set(np.flatnonzero(flags)) == set(rows[:, number]), number
        action = actions[random.integers(len(actions))]
        observation, _, terminated, truncated, info = env.step(action)
        assert info["illegal"] == 0
        run.step(action)
        assert run == env.run()
        if terminated or truncated:
            observation, _ = env.reset(options={"run": strong})
    assert len(phases) == 5


def test_a_row_of_numbers_is_its_action() -> None:
    by_row, by_action = RunEnv(actions="whole"), RunEnv(actions="whole")
    assert_equal(by_row.reset(seed=1), by_action.reset(seed=1))
    for number in range(60):
        row = by_row.sample_action(number)
        assert row in by_row.action_space
        action = Action(list(ActionKind)[row[0]], int(row[1]), int(row[2]), np.flatnonzero(row[HEAD:]).tolist())
        assert row_of(action).tolist() == row.tolist()
        ours, theirs = by_row.step(row), by_action.step(action)
        assert_equal(list(ours), list(theirs))
        assert ours[4]["illegal"] == 0
        if ours[2] or ours[3]:
            break


def test_what_is_not_allowed_is_refused_and_counted() -> None:
    env = RunEnv(actions="whole", illegal_penalty=0.5)
    env.reset(seed=1)
    before = env.run()
    nothing = np.zeros(len(SIZES), np.int64)
    far = nothing.copy()
    far[1] = 1_000
    moved = nothing.copy()
    moved[0] = list(ActionKind).index("sort_hand_by_rank")
    refused = [Action("play", cards=[0]), row_of(Action("play", cards=[0])), far, moved, Action("sort_hand_by_rank")]
    for count, action in enumerate(refused, 1):
        _, reward, terminated, truncated, info = env.step(action)
        assert (reward, terminated, truncated, info["illegal"]) == (-0.5, False, False, count)
    assert env.run() == before
    with pytest.raises(ValueError, match="actions must be 1 rows of 67 whole numbers, not int64 of shape"):
        env.step(3)


def test_moves_are_taken_when_wanted() -> None:
    env = RunEnv(actions="whole", moves=True)
    env.reset(seed=1)
    env.step(Action("select_blind"))
    hand = env.run().public_state().hand
    *_, info = env.step(Action("move_card", index=0, to=2))
    assert info["illegal"] == 0
    assert env.run().public_state().hand != hand


def test_many_rows_are_sampled_and_stepped_together() -> None:
    env = RunVectorEnv(16, actions="whole", threads=2, autoreset_mode="SameStep", max_steps=200)
    observation, _ = env.reset(seed=3)
    for step in range(150):
        actions = env.sample_actions(step)
        assert actions in env.action_space
        flags = np.take_along_axis(observation["action_mask"], STARTS + actions, axis=1)
        assert flags.all()
        observation, *_, info = env.step(actions)
        assert not info["illegal"].any()


def test_arrays_go_back_and_forth() -> None:
    actions = [Action("play", cards=[0, 5, 63]), Action("buy", index=3), Action("move_joker", index=2, to=1)]
    rows = np.stack([row_of(action) for action in actions])
    assert np.array_equal(whole_rows(whole_actions(rows, 3, moves=True)), rows)


def test_maskable_ppo_takes_the_masks() -> None:
    sb3_contrib = pytest.importorskip("sb3_contrib")
    from jimbo.env.sb3 import RunVecEnv

    env = RunVecEnv(4, actions="whole", observation="flat", max_steps=100)
    model = sb3_contrib.MaskablePPO(
        "MultiInputPolicy", env, n_steps=32, batch_size=64, n_epochs=1, seed=0, device="cpu",
        policy_kwargs={"net_arch": [16]},
    )  # fmt: skip
    model.learn(128)
    assert model.num_timesteps >= 128


def test_infos_are_plain_numbers() -> None:
    pytest.importorskip("stable_baselines3")
    from jimbo.env.sb3 import RunVecEnv

    for actions in ("steps", "candidates", "whole"):
        single = RunEnv(actions=actions, max_steps=30, candidates=8)
        _, info = single.reset(seed=1)
        for number in range(30):
            json.dumps(info)
            *_, terminated, truncated, info = single.step(single.sample_action(number))
            if terminated or truncated:
                break
        assert json.loads(json.dumps(info))["result"]["length"] == number + 1
        assert json.dumps(single.result())
        many = RunVecEnv(3, actions=actions, max_steps=30, candidates=8)
        many.seed(1)
        many.reset()
        json.dumps(many.reset_infos)
        episodes = 0
        for number in range(40):
            *_, infos = many.step(many.env_method("sample_actions", number))
            for told in infos:
                told.pop("terminal_observation", None)
                episodes += "episode" in json.loads(json.dumps(told))
        assert episodes >= 3


def test_an_action_can_start_from_a_run() -> None:
    run = Run(seed="WHOLE")
    run.step(Action("select_blind"))
    env = RunEnv(actions="whole")
    env.reset(options={"run": run})
    *_, info = env.step(Action("play", cards=[0, 1]))
    assert info["illegal"] == 0
