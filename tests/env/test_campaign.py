"""``jimbo/Campaign-v0``: decisions outside of hands, one run at a time and many in one call."""

import copy
import itertools
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from env.playing import assert_equal, played_after
from jimbo.engine import Action, Run
from jimbo.engine.decisions import OptionSource, option_kinds, summary_numbers
from jimbo.engine.value import input_count
from jimbo.env import CampaignEnv, CampaignVectorEnv, environment_errors
from jimbo.models.value_file import load_value

LAYOUTS = ("sparse", "dense", "summary", "flat")
BARE = {"max_options": 24}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_it_keeps_to_gymnasium(layout: str) -> None:
    env = gymnasium.make("jimbo.env:jimbo/Campaign-v0", layout=layout, **BARE)
    check_env(env.unwrapped, skip_render_check=True)
    assert environment_errors(env) == []


def dense(indices: Any, values: Any) -> np.ndarray[Any, Any]:
    inputs = np.zeros(input_count(), np.float32)
    np.add.at(inputs, indices, values)
    return inputs


def test_all_layouts_show_the_same_decisions() -> None:
    envs = {layout: CampaignVectorEnv(3, layout=layout, autoreset_mode="SameStep", **BARE) for layout in LAYOUTS}
    half = CampaignVectorEnv(3, layout="dense", half=True, autoreset_mode="SameStep", **BARE)
    for env in (*envs.values(), half):
        env.reset(seed=4)
    for step in range(60):
        actions = envs["sparse"].sample_actions(step)
        seen = {layout: env.step(actions)[0] for layout, env in envs.items()}
        halves = half.step(actions)[0]
        sparse = seen["sparse"]
        for row, place in itertools.product(range(3), range(24)):
            inputs = dense(sparse["option_indices"][row, place], sparse["option_values"][row, place])
            assert np.allclose(inputs, seen["dense"]["option_inputs"][row, place], atol=1e-6)
            assert inputs.any() == (sparse["kinds"][row, place] != 0) == bool(sparse["action_mask"][row, place])
        assert np.allclose(halves["option_inputs"], seen["dense"]["option_inputs"], rtol=1e-3)
        assert halves["option_inputs"].dtype == np.float16
        table = seen["flat"]["observations"].reshape(3, 25, -1)
        assert np.array_equal(table[:, 0], seen["summary"]["state_summary"])
        assert np.array_equal(table[:, 1:], seen["summary"]["option_summary"])
        assert np.array_equal(seen["flat"]["action_mask"], sparse["action_mask"])


def test_the_summary_says_what_an_option_changes() -> None:
    env = CampaignEnv(layout="summary")
    run = Run(seed="SHOP")
    run.step(Action("select_blind"))
    run.chips = run.target
    run.step(Action("play", cards=[0]))
    run.step(Action("cash_out"))
    run.dollars = 50
    seen, _ = env.reset(seed=1, options={"run": run})
    names, kinds = list(summary_numbers()), list(option_kinds())
    assert len(names) == seen["option_summary"].shape[1]
    listed = [kinds[kind] for kind in seen["kinds"][seen["action_mask"] == 1]]
    assert listed[0] == "stay"
    assert {"buy", "open_pack", "reroll", "redeem"} <= set(listed)
    paid, own = names.index("paid"), [names.index(f"kind_{kind}") for kind in kinds]
    for place, (kind, actions) in enumerate(zip(listed, env.option_actions(), strict=True)):
        summary = seen["option_summary"][place]
        assert summary[own].tolist() == [kind == other for other in kinds]
        assert (summary[paid] > 0) == (kind not in ("stay", "sell_joker", "sell_consumable"))
        after = env.run()
        for action in actions:
            after.step(action)
        assert summary[names.index("dollars")] == pytest.approx(np.clip(after.dollars / 50, -1, 2), abs=1e-6)


def test_what_is_shown_is_bit_by_bit_a_single_environment() -> None:
    many = CampaignVectorEnv(4, threads=2, max_steps=30, autoreset_mode="Disabled")
    singles = [CampaignEnv(max_steps=30) for _ in range(4)]
    shown, _ = many.reset(seed=10)
    alone = [env.reset(seed=10 + row)[0] for row, env in enumerate(singles)]
    ended = 0
    for step in range(60):
        for row, observation in enumerate(alone):
            assert_equal({name: values[row] for name, values in shown.items()}, observation, f"{step}")
        actions = many.sample_actions(step)
        shown, rewards, terminated, truncated, _ = many.step(actions)
        taken = [env.step(actions[row]) for row, env in enumerate(singles)]
        alone = [observation for observation, *_ in taken]
        assert rewards.tolist() == [reward for _, reward, *_ in taken]
        if (over := terminated | truncated).any():
            shown, _ = many.reset(options={"reset_mask": over})
            alone = [env.reset()[0] if over[row] else alone[row] for row, env in enumerate(singles)]
            ended += int(over.sum())
    assert ended > 3


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("layout", ["sparse", "flat"])
def test_it_goes_on_from_a_snapshot_bit_by_bit(layout: str, mode: AutoresetMode) -> None:
    def made() -> CampaignVectorEnv:
        return CampaignVectorEnv(3, layout=layout, max_steps=25, autoreset_mode=mode, illegal_penalty=0.5, **BARE)

    env = made()
    env.reset(seed=5)
    played_after(env, 20)
    snapshot = env.snapshot()
    told = played_after(env, 40)
    assert sum(int((step[2] | step[3]).sum()) for step in told) >= 3
    assert any(not step[4]["illegal"].any() for step in told)
    pickled = pickle.loads(pickle.dumps(snapshot))
    for other, kept in ((env, snapshot), (made(), pickled), (copy.deepcopy(env), snapshot)):
        shown, _ = other.restore(kept)
        assert_equal(shown, other._rows.observations())
        assert_equal(played_after(other, 40), told)
    again = pickle.loads(pickle.dumps(env))
    assert_equal(again._rows.observations(), env._rows.observations())


def test_same_step_shows_how_an_episode_ended() -> None:
    env = CampaignVectorEnv(8, autoreset_mode="SameStep", **BARE)
    env.reset(seed=2)
    ended = 0
    for step in range(40):
        shown, *_, info = env.step(env.sample_actions(step))
        for row in np.flatnonzero(info.get("_final_obs", ())).tolist():
            final = info["final_obs"][row]
            assert final in env.single_observation_space
            assert final["action_mask"].sum() == 1
            assert not any(final[name].any() for name in ("option_values", "kinds"))
            assert final["state_values"].any()
            assert not np.array_equal(final["state_indices"], shown["state_indices"][row])
            ended += 1
    assert ended > 3


def test_results_count_decisions_bosses_and_blinds() -> None:
    env = CampaignEnv(rewards={"blind": 1.0, "boss": 100.0, "win": 10_000.0})
    env.reset(seed=3)
    total, bosses = 0.0, 0
    for taken in itertools.count(1):  # noqa: B007
        before = env.run()
        _, reward, terminated, truncated, info = env.step(0)  # nothing is ever bought
        bosses += env.run().ante > before.ante
        total += reward
        if terminated or truncated:
            break
    result = info["result"]
    assert (result["length"], result["illegal"], result["end"]) == (taken, 0, "lost")
    assert result["decisions"] > 3 * taken
    assert total == result["return"] == result["blinds"] + 100 * bosses
    assert result["blinds"] >= 1


def test_hands_of_more_rollouts_are_played_otherwise() -> None:
    def lengths(hands: Any) -> list[int]:
        env = CampaignEnv(hands=hands, max_steps=6)
        env.reset(seed=1)
        for _ in range(4):
            env.step(0)
        return [env.result()["decisions"], env.result()["round"]]

    assert lengths("quick") == lengths(1)
    assert lengths("quick") != lengths(8)


@pytest.mark.slow
def test_the_learnt_value_shapes_and_forecasts() -> None:
    net, _ = load_value()
    plain, shaped = (
        CampaignEnv(rewards={"win": 1.0, "boss": 0.5}),
        CampaignEnv(rewards={"win": 1.0, "boss": 0.5}, shaping=True),
    )
    seen, _ = plain.reset(seed=3)
    shaped.reset(seed=3)
    used = seen["state_values"] != 0
    chances = net.chances(
        list(zip(seen["state_indices"][used].tolist(), seen["state_values"][used].tolist(), strict=True))
    )
    expected = chances[-1] + 0.5 * sum(chances[2::3])
    over, sums = False, np.zeros(2)
    while not over:
        steps = plain.step(0), shaped.step(0)
        assert_equal(steps[0][0], steps[1][0])
        sums += [step[1] for step in steps]
        over = steps[0][2]
    assert sums[1] == pytest.approx(sums[0] - expected, abs=1e-4)
    known = CampaignEnv(layout="summary", finalists=2, worlds=1)
    seen, _ = known.reset(seed=3)
    margin = list(summary_numbers()).index("next_margin")
    assert seen["state_summary"][margin] != 0
    assert np.count_nonzero(seen["option_summary"][:, margin]) == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hands": "slow"}, 'hands must be "quick" or a number of rollouts'),
        ({"hands": 0}, "hands must be"),
        ({"layout": "fields"}, "layout must be 'sparse', 'dense', 'summary' or 'flat'"),
        ({"gamma": 0.0}, "gamma must be above 0"),
        ({"max_options": 1}, "max_options must be at least 2"),
        ({"rewards": {"fun": 1.0}}, 'there is no reward term "fun"'),
        ({"value": "nowhere.safetensors", "shaping": True}, "nowhere"),
    ],
)
def test_options_that_cannot_be_are_refused_with_a_sentence(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        CampaignEnv(**options)


def test_a_run_without_anything_left_to_decide_is_refused() -> None:
    run = Run(seed="LOST")
    run.step(Action("select_blind"))
    run.hands_left, run.discards_left = 1, 0
    env = CampaignEnv()
    env.reset(seed=1)
    before = env.run()
    with pytest.raises(ValueError, match="the run is over"):
        env.reset(options={"run": run})
    assert env.run() == before
    with pytest.raises(ValueError, match="need a value"):
        OptionSource(shaping=True)
