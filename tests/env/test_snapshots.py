"""Environments start from given runs, and go back to where they stood."""

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from env.playing import assert_equal, played_after
from jimbo.engine import Action, Run, observe
from jimbo.env import RunEnv, RunVectorEnv, Transition

SHORT = {"max_steps": 60, "deck": "abandoned"}


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


def jokers(step: Transition) -> np.ndarray[Any, Any]:
    return step.after["n_jokers"].astype(int) - step.before["n_jokers"]


# --- Given runs -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["run", "save"])
def test_an_episode_starts_from_a_run(name: str) -> None:
    run = in_shop()
    env = RunEnv()
    observation, info = env.reset(seed=4, options={name: run if name == "run" else run.save()})
    assert env.run() == run
    assert info == {"game_seed": "SHOP", "ante": 1, "illegal": 0}
    (seen,) = observe(run)
    for field in seen.dtype.names:
        assert np.array_equal(np.ravel(seen[field]), observation[field])
    result = env.result()
    assert (result["length"], result["return"], result["round"], result["money"]) == (0, 0.0, 1, run.dollars)
    assert np.array_equal(observation["action_mask"], env.action_masks())
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    assert run == in_shop()
    follows = RunEnv()
    follows.reset(seed=4)
    assert env.run().seed == "SHOP"
    assert env.reset()[1]["game_seed"] == follows.run().seed


def test_given_runs_and_games_of_their_own_share_a_vector() -> None:
    env, other = RunVectorEnv(3), RunVectorEnv(3)
    other.reset(seed=7)
    _, info = env.reset(seed=7, options={"runs": [in_shop("ONE"), None, in_shop("TWO").save()]})
    assert list(info["game_seed"]) == ["ONE", other.run(1).seed, "TWO"]
    assert [env.run(row) for row in (0, 2)] == [in_shop("ONE"), in_shop("TWO")]
    chosen = np.array([False, True, False])
    _, info = env.reset(options={"runs": [None, in_shop("THREE"), lost()], "reset_mask": chosen})
    assert [env.run(row).seed for row in range(3)] == ["ONE", "THREE", "TWO"]
    assert list(info["_game_seed"]) == [False, True, False]


def test_rows_from_runs_are_single_environments_from_runs() -> None:
    runs = [in_shop(seed) for seed in ("A", "B")]
    many, singles = RunVectorEnv(2, **SHORT), [RunEnv(**SHORT) for _ in runs]
    shown, _ = many.reset(seed=1, options={"runs": runs})
    alone = [env.reset(seed=1 + row, options={"run": runs[row]})[0] for row, env in enumerate(singles)]
    for step in range(40):
        for row, observation in enumerate(alone):
            assert_equal({name: values[row] for name, values in shown.items()}, observation, f"{step}")
        actions = many.sample_actions(step)
        shown, rewards, *_ = many.step(actions)
        taken = [env.step(actions[row]) for row, env in enumerate(singles)]
        alone = [observation for observation, *_ in taken]
        assert rewards.tolist() == [reward for _, reward, *_ in taken]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"run": lost()}, "the run is over: no episode can start from it"),
        ({"run": "SHOP"}, r'options\["run"\] must be a Run or the bytes of run.save\(\), not str'),
        ({"save": b"PNG"}, r'options\["save"\]: this is not a saved run'),
        ({"run": Run(), "save": Run().save()}, 'both "run" and "save"'),
        ({"run": Run(), "seed": "ABC"}, "both 'run' and 'seed': a run already has its seed, deck and stake"),
        ({"run": Run(), "deck": "blue"}, "both 'run' and 'deck'"),
        ({"runs": [Run()]}, "reset has no option 'runs': choose from seed, deck, stake, challenge, run, save"),
    ],
)
def test_a_run_that_cannot_be_is_refused_with_a_sentence(options: dict[str, Any], message: str) -> None:
    for env in (RunEnv(), RunEnv(actions="candidates")):
        with pytest.raises(ValueError, match=message):
            env.reset(options=options)
        env.reset(seed=1)
        before = env.run()
        with pytest.raises(ValueError, match=message):
            env.reset(options=options)
        assert env.run() == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"runs": [Run(seed="A"), lost()]}, "row 1: the run is over"),
        ({"runs": [Run()]}, r'options\["runs"\] must be a list of 2 runs'),
        ({"runs": Run()}, "must be a list of 2 runs"),
        ({"runs": [Run(), 3]}, r'options\["runs"\]\[1\] must be a Run or the bytes'),
        ({"runs": [Run(), Run()], "stake": "gold"}, "both 'runs' and 'stake'"),
        ({"run": Run()}, "reset has no option 'run': choose from reset_mask, seed, deck"),
    ],
)
def test_runs_that_cannot_be_change_no_row(options: dict[str, Any], message: str) -> None:
    env = RunVectorEnv(2)
    env.reset(seed=1)
    env.step(env.sample_actions(1))
    before = pickle.dumps(env.snapshot())
    with pytest.raises(ValueError, match=message):
        env.reset(options=options)
    assert pickle.dumps(env.snapshot()) == before


# --- Snapshots --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("actions", "observation"), [("steps", "fields"), ("steps", "flat"), ("candidates", "fields")])
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_a_vector_goes_on_from_a_snapshot_bit_by_bit(mode: AutoresetMode, actions: str, observation: str) -> None:
    options = {**SHORT, "actions": actions, "observation": observation, "candidates": 30, "illegal_penalty": 0.5}
    rewards = {"rewards": {"win": 1.0, "score": 1.0, "jokers": 0.1}, "custom_rewards": {"jokers": jokers}}

    def made() -> RunVectorEnv:
        return RunVectorEnv(4, autoreset_mode=mode, **options, **rewards)

    env = made()
    env.reset(seed=5)
    played_after(env, 50)
    snapshot = env.snapshot()
    told = played_after(env, 80)
    assert sum(int((step[2] | step[3]).sum()) for step in told) >= 4
    pickled = pickle.loads(pickle.dumps(snapshot))
    for other, kept in ((env, snapshot), (env, pickled), (made(), copy.deepcopy(snapshot))):
        shown, info = other.restore(kept)
        assert_equal(shown, other._rows.observations())
        assert info["game_seed"].tolist() == [other.run(row).seed for row in range(4)]
        assert_equal(played_after(other, 80), told)


@pytest.mark.parametrize("seed", [None, 3])
def test_a_single_environment_goes_on_from_a_snapshot(seed: int | None) -> None:
    env = gymnasium.make("jimbo/Run-v0", **SHORT)
    env.reset(seed=seed)
    single = env.unwrapped
    assert isinstance(single, RunEnv)

    def episodes() -> list[Any]:
        told: list[Any] = []
        for _ in range(150):
            masks = single.action_masks()
            told.append([single.run().save(), masks, *env.step(int(np.flatnonzero(masks)[-1]))])
            if told[-1][4] or told[-1][5]:
                told.append(list(env.reset()))
        return told

    episodes()
    shown, snapshot = single.action_masks(), single.snapshot()
    told = episodes()
    assert len({len(step) for step in told}) == 2
    observation, info = single.restore(snapshot)
    assert np.array_equal(observation["action_mask"], shown)
    assert info["game_seed"] == single.run().seed
    assert_equal(episodes(), told)


def test_a_snapshot_keeps_the_choice_of_games_without_a_seed() -> None:
    env = RunEnv()
    fresh = env.snapshot()
    env.np_random  # noqa: B018 (makes the generator)
    snapshot = env.snapshot()
    first = env.reset()[1]["game_seed"]
    env.restore(snapshot)
    assert env.reset()[1]["game_seed"] == first
    env.restore(fresh)
    assert env.reset()[1]["game_seed"] != first


def test_a_snapshot_of_another_kind_is_refused_and_changes_nothing() -> None:
    env, other = RunVectorEnv(2), RunVectorEnv(3)
    env.reset(seed=1)
    other.reset(seed=1)
    before = pickle.dumps(env.snapshot())
    with pytest.raises(ValueError, match="the snapshot has 3 rows, but the batch has 2"):
        env.restore(other.snapshot())
    with pytest.raises(ValueError, match="of a batch with encoding='steps', but this one has 'candidates'"):
        RunVectorEnv(2, actions="candidates").restore(env.snapshot())
    assert pickle.dumps(env.snapshot()) == before


def test_environments_and_snapshots_go_to_a_new_process() -> None:
    env = RunVectorEnv(2, **SHORT)
    env.reset(seed=2)
    snapshot = env.snapshot()
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        there = pool.submit(played_after, env, 30).result(timeout=60)
        again = pool.submit(played_after, env, 30, snapshot).result(timeout=60)
    here = played_after(env, 30)
    assert_equal(there, here)
    assert_equal(again, here)
