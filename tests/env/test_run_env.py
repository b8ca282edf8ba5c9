"""One run as a gymnasium environment."""

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from env.playing import assert_equal, play_episode, random_action
from jimbo.engine import (
    Action,
    Run,
    candidate_fields,
    candidates,
    observation_fields,
    stats_fields,
    step_names,
    vocabulary,
)
from jimbo.engine.catalog import HANDS
from jimbo.env import RunEnv, RunOptions, RunVectorEnv
from jimbo.env.rows import ENDS
from jimbo.text.picture import picture_of

OBSERVATIONS = ("fields", "flat", "packed")
every_layout = pytest.mark.parametrize(
    ("actions", "observation"), [(actions, layout) for actions in ("steps", "candidates") for layout in OBSERVATIONS]
)


@every_layout
@pytest.mark.filterwarnings("error")
def test_gymnasium_finds_nothing_to_complain_about(actions: str, observation: str) -> None:
    env = gymnasium.make("jimbo/Run-v0", actions=actions, observation=observation, candidates=40, render_mode="ansi")
    check_env(env.unwrapped)


@pytest.mark.parametrize("observation", OBSERVATIONS)
@pytest.mark.filterwarnings("error")
def test_stable_baselines_finds_nothing_to_complain_about(observation: str) -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    checker.check_env(gymnasium.make("jimbo/Run-v0", observation=observation))


def test_the_name_brings_its_module() -> None:
    env = gymnasium.make("jimbo.env:jimbo/Run-v0")
    assert isinstance(env.unwrapped, RunEnv)
    assert env.action_space.n == len(step_names())  # type: ignore[attr-defined]


def test_the_space_is_the_engines_field_list() -> None:
    space = RunEnv().observation_space
    assert isinstance(space, gymnasium.spaces.Dict)
    assert set(space) == {field.name for field in observation_fields()} | {"action_mask"}
    for field in observation_fields():
        box = space[field.name]
        assert isinstance(box, gymnasium.spaces.Box)
        assert (box.dtype, box.low.min(), box.high.max()) == (field.dtype, field.low, field.high)
        assert box.shape == (np.prod(field.shape, dtype=int),)


@every_layout
def test_every_observation_lies_in_the_space(actions: str, observation: str) -> None:
    env = RunEnv(actions=actions, observation=observation, candidates=20)
    random = np.random.default_rng(5)
    for seed in range(3):
        first, _ = env.reset(seed=seed)
        assert first in env.observation_space
        for step in play_episode(env, random):
            assert step[0] in env.observation_space
            assert step[4]["illegal"] == 0


def test_candidates_are_listed_with_what_they_are() -> None:
    env = RunEnv(actions="candidates", candidates=50)
    observation, _ = env.reset(seed=3)
    random = np.random.default_rng(3)
    kinds = next(field.offset for field in candidate_fields() if field.name == "kind")
    for _ in range(60):
        listed = candidates(env.run(), 50)
        count = len(listed.actions)
        assert observation["action_mask"].tolist() == [1] * count + [0] * (50 - count)
        assert np.array_equal(observation["candidate_ids"][:count], listed.ids)
        assert np.array_equal(observation["candidate_rows"][:count], listed.rows)
        assert not observation["candidate_ids"][count:].any()
        choice = random_action(env.action_masks(), random)
        kind = vocabulary("action")[observation["candidate_ids"][choice, kinds]]
        assert kind == listed.actions[choice].kind
        before = env.run()
        observation, _, terminated, truncated, info = env.step(choice)
        before.step(listed.actions[choice])
        assert before.to_json() == env.run().to_json()
        assert info["illegal"] == 0
        if terminated or truncated:
            observation, _ = env.reset()
    *_, info = env.step(49)
    assert info["illegal"] == (not env.action_masks()[49])


def test_a_seed_fixes_all_games_that_follow() -> None:
    def games() -> list[Any]:
        env = RunEnv()
        seen: list[Any] = [env.reset(seed=11)]
        random = np.random.default_rng(1)
        for _ in range(2):
            seen += play_episode(env, random)
            seen.append(env.reset())
        return seen

    for first, second in zip(games(), games(), strict=True):
        assert_equal(list(first), list(second))


def test_without_a_seed_games_differ() -> None:
    seeds = {RunEnv().reset()[1]["game_seed"] for _ in range(4)}
    assert len(seeds) == 4


def test_reset_can_name_a_game_for_one_episode() -> None:
    env = RunEnv()
    _, info = env.reset(seed=1, options={"seed": "ABCD1234", "deck": "b_blue", "stake": "gold"})
    assert info["game_seed"] == "ABCD1234"
    assert env.run().to_json() == Run("b_blue", "gold", "ABCD1234").to_json()
    _, info = env.reset()
    assert info["game_seed"] != "ABCD1234"
    assert env.run().deck == "b_red"
    assert env.run().stake == "stake_white"
    env.reset(options={"challenge": "c_omelette_1"})
    assert env.run().challenge == "c_omelette_1"


def test_decks_stakes_and_challenges_go_by_their_names() -> None:
    env = RunEnv(deck="Blue Deck", stake="red")
    env.reset(seed=1)
    assert (env.run().deck, env.run().stake) == ("b_blue", "stake_red")
    env.reset(options={"challenge": "The Omelette", "stake": "Gold Stake"})
    assert (env.run().challenge, env.run().stake) == ("c_omelette_1", "stake_gold")
    env.reset()
    assert (env.run().deck, env.run().stake) == ("b_blue", "stake_red")
    with pytest.raises(ValueError, match="The Omelette brings its own deck, so it cannot be played with the Blue Deck"):
        RunEnv(deck="blue", challenge="omelette")
    of_challenge = RunEnv(challenge="omelette")
    with pytest.raises(ValueError, match="brings its own deck"):
        of_challenge.reset(options={"deck": "blue"})
    of_challenge.reset(options={"deck": "blue", "challenge": None})
    assert of_challenge.run().deck == "b_blue"


def test_a_reset_that_is_refused_leaves_the_next_one_as_usual() -> None:
    env = RunEnv(deck="magic")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="without control characters"):
        env.reset(options={"deck": "blue", "seed": "two\nlines"})
    env.reset()
    assert env.run().deck == "b_magic"


def test_named_games_do_not_make_the_others_repeat() -> None:
    env = RunEnv()
    env.reset(seed=1)
    others = []
    for _ in range(3):
        env.reset(options={"seed": "SAME"})
        others.append(env.reset()[1]["game_seed"])
    assert len(set(others)) == 3


def test_listed_games_are_played_in_turn() -> None:
    env = RunEnv(seeds=["AAA", "BBB"])
    assert [env.reset()[1]["game_seed"] for _ in range(5)] == ["AAA", "BBB", "AAA", "BBB", "AAA"]
    assert env.reset(seed=5)[1]["game_seed"] == "AAA"


def test_info_tells_the_result_at_the_end() -> None:
    env = RunEnv()
    env.reset(seed=2)
    steps = play_episode(env, np.random.default_rng(2))
    assert all("result" not in step[4] for step in steps[:-1])
    info = steps[-1][4]
    result = info["result"]
    run = env.run()
    assert result["end"] == "lost"
    assert not result["won"]
    assert (result["ante"], result["round"], result["money"]) == (run.ante, run.round, run.dollars)
    assert result["length"] == len(steps)
    assert 0 < result["decisions"] <= len(steps)
    assert result["return"] == pytest.approx(sum(step[1] for step in steps))
    assert result["illegal"] == info["illegal"] == 0
    assert result["best_hand"] > 0


def test_an_action_that_is_not_allowed_changes_nothing_and_is_counted() -> None:
    env = RunEnv(illegal_penalty=0.5)
    before, _ = env.reset(seed=1)
    state = env.run().to_json()
    forbidden = int(np.flatnonzero(~env.action_masks())[0])
    for count, action in enumerate([forbidden, -1, 10**12, np.uint64(2**63)], 1):
        after, reward, terminated, truncated, info = env.step(action)
        assert (reward, terminated, truncated, info["illegal"]) == (-0.5, False, False, count)
        assert env.run().to_json() == state
        assert_equal(before, after)


def test_what_is_no_number_is_refused_with_a_sentence() -> None:
    env = RunEnv()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="actions must be 1 whole numbers, not float64"):
        env.step(0.5)


def test_masks_agree_with_the_observation_and_the_rules() -> None:
    env = RunEnv()
    random = np.random.default_rng(8)
    observation, _ = env.reset(seed=8)
    names = step_names()
    for _ in range(500):
        masks = env.action_masks()
        assert np.array_equal(observation["action_mask"], masks)
        simple = {action.kind for action in env.run().legal_actions() if action.kind in names and not action.cards}
        for kind in ("select_blind", "skip_blind", "cash_out", "reroll", "leave_shop", "skip_pack"):
            assert masks[names.index(kind)] == (kind in simple)
        assert env.action_space.sample(observation["action_mask"]) in np.flatnonzero(masks)
        observation, _, terminated, truncated, _ = env.step(random_action(masks, random))
        if terminated or truncated:
            observation, _ = env.reset()


@pytest.mark.parametrize(("moves", "stake"), [(False, "white"), (True, "gold")])
def test_ten_thousand_masked_steps_without_an_illegal_one(moves: bool, stake: str) -> None:
    env = RunVectorEnv(40, moves=moves, stake=stake, autoreset_mode="SameStep")
    random = np.random.default_rng(9)
    env.reset(seed=9)
    for _ in range(250):
        masks = env.action_masks()
        actions = (masks * random.random(masks.shape)).argmax(axis=1)
        *_, info = env.step(actions)
        assert not info["illegal"].any()
        assert "final_info" not in info or not info["final_info"]["illegal"].any()


def test_moves_are_masked_unless_wanted() -> None:
    for moves in (False, True):
        env = RunEnv(moves=moves)
        env.reset(seed=1)
        env.step(step_names().index("select_blind"))
        assert env.action_masks()[step_names().index("sort_hand_by_suit")] == moves


def test_an_ante_can_be_the_last_one() -> None:
    ended = []
    for seed in range(20):
        env = RunEnv(max_ante=2, max_steps=2000)
        run = Run(seed=f"LAST{seed}")
        for hand in HANDS:
            run.debug_raise_level(hand, 20)
        env.reset(seed=seed, options={"run": run} if seed % 2 else None)
        ended.append(play_episode(env, np.random.default_rng(seed))[-1])
    by_end = {end: [step for step in ended if step[4]["result"]["end"] == end] for end in ("lost", "max_ante")}
    assert all(terminated and not truncated for _, _, terminated, truncated, _ in by_end["lost"])
    assert all(truncated and not terminated for _, _, terminated, truncated, _ in by_end["max_ante"])
    assert all(step[4]["result"]["ante"] == 3 for step in by_end["max_ante"])
    assert min(map(len, by_end.values())) >= 5


def test_the_ends_are_those_of_the_engine() -> None:
    (field,) = [field for field in stats_fields() if field.name == "end"]
    assert field.doc == ", ".join(f"{number} {name}" for number, name in enumerate(ENDS)) + "."


def test_steps_can_be_limited() -> None:
    env = RunEnv(max_steps=7)
    env.reset(seed=1)
    steps = play_episode(env, np.random.default_rng(1))
    assert len(steps) == 7
    assert steps[-1][3]
    assert steps[-1][4]["result"]["end"] == "max_steps"


def test_a_screen_of_text() -> None:
    env = gymnasium.make("jimbo/Run-v0", render_mode="ansi")
    env.reset(seed=1, options={"seed": "SCREEN"})
    text = env.render()
    assert isinstance(text, str)
    assert text.startswith("SCREEN: ante 1, round 0, blind_select, $4")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert RunEnv().render() is None


def test_a_picture_of_the_table() -> None:
    env = gymnasium.make("jimbo/Run-v0", render_mode="rgb_array")
    env.reset(seed=1, options={"seed": "SCREEN"})
    first: Any = env.render()
    assert (first.shape, first.dtype) == ((360, 640, 3), np.uint8)
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 5, "something is drawn"
    assert np.array_equal(first, env.render())
    run = Run(seed="SCREEN")
    run.step(Action("select_blind"))
    env.reset(options={"run": run})
    hand: Any = env.render()
    assert (hand[260:340] != first[260:340]).any(), "the cards of the hand"
    assert np.array_equal(hand, picture_of(run.public_state()))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"actions": "words"}, "actions must be 'steps', 'candidates' or 'whole', not 'words'"),
        ({"observation": "pixels"}, "observation must be 'fields', 'flat' or 'packed'"),
        ({"deck": "b_pink"}, 'no deck "b_pink"'),
        ({"stake": "silver"}, 'no stake "silver"'),
        ({"challenge": "c_nobody"}, 'no challenge "c_nobody"'),
        ({"seeds": "ABC"}, r'write seeds=\["ABC"\]'),
        ({"seeds": ["two\nlines"]}, "without control characters"),
        ({"max_ante": 0}, "max_ante must be at least 1"),
        ({"max_steps": -1}, "max_steps must be at least 0"),
        ({"candidates": 0}, "candidates must be at least 1"),
        ({"threads": 0}, "threads must be at least 1"),
        ({"rewards": {"fame": 1.0}}, 'no reward term "fame": choose from win, loss'),
        ({"render_mode": "human"}, 'render_mode must be "ansi", "rgb_array" or None'),
    ],
)
def test_an_option_that_cannot_be_is_refused_with_a_sentence(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        RunEnv(**options)


def test_an_unknown_option_is_refused_with_the_known_ones() -> None:
    with pytest.raises(TypeError, match="no option decks: choose from actions, observation, moves, candidates, deck"):
        RunEnv(decks="b_red")
    with pytest.raises(ValueError, match="reset has no option 'ante'"):
        RunEnv().reset(options={"ante": 3})


def test_the_options_have_the_documented_defaults() -> None:
    options = RunOptions()
    assert (options.actions, options.deck, options.max_ante, options.max_steps) == ("steps", None, 8, 10_000)
    assert options.rewards == {"win": 1.0, "score": 1 / 24}
