"""Wrappers."""

import json
from typing import Any

import gymnasium
import numpy as np
import pytest

from env.playing import play_episode, random_action
from jimbo.engine import Run, step_names, vocabulary
from jimbo.engine.catalog import HANDS
from jimbo.env import (
    ActionMaskWrapper,
    BalatroGymWrapper,
    CurriculumWrapper,
    EnvironmentWrapper,
    RewardScalingWrapper,
    RunEnv,
    create_balatro_env,
    environment_errors,
    make_vectorized_env,
    validate_environment,
    wrap_balatro_env,
)

KEYS = {
    "hand", "joker_ids", "chips_scored", "chips_needed", "progress_ratio", "money", "ante", "round", "hands_left",
    "discards_left", "hand_levels", "phase",
}  # fmt: skip


class Scripted(gymnasium.Env[dict[str, Any], Any]):
    """Episodes that reach given antes; the action is ignored."""

    action_space = gymnasium.spaces.Discrete(2)
    observation_space = gymnasium.spaces.Dict({"ante": gymnasium.spaces.Box(0, 100, (1,))})

    def __init__(self, antes: list[int], won: bool = False) -> None:
        self.antes = iter(antes)
        self.won = won

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        self.ante, self.last = 0, next(self.antes)
        return {}, {"ante": 1}

    def step(self, action: Any) -> Any:
        self.ante += 1
        over = self.ante == self.last
        info: dict[str, Any] = {"ante": self.ante}
        if over:
            info["result"] = self.result()
        return {}, 0.0, over, False, info

    def result(self) -> dict[str, Any]:
        return {"ante": self.ante, "won": self.won and self.ante == self.last, "end": "lost"}


def strong(seed: str, levels: int = 100) -> Run:
    """A run with which random play gets far, and that has something to show."""
    run = Run(seed=seed)
    for place, hand in enumerate(HANDS):
        run.debug_raise_level(hand, levels + place)
    for joker in ("j_egg", "j_joker"):
        run.debug_add_joker(joker)
    return run


def run_through(env: gymnasium.Env[Any, Any], episodes: int) -> list[tuple[Any, ...]]:
    last = []
    for _ in range(episodes):
        env.reset()
        while True:
            step = env.step(0)
            if step[2] or step[3]:
                break
        last.append(step)
    return last


# --- BalatroGymWrapper -----------------------------------------------------------------------------------------------


def test_the_twelve_entries_are_those_of_the_game() -> None:
    env = BalatroGymWrapper(RunEnv())
    random = np.random.default_rng(1)
    phases, shares = set(), set()
    for number in range(5):
        observation, _ = env.reset(seed=1, options={"run": strong(f"TWELVE{number}", levels=6)})
        assert set(observation) == KEYS | {"action_mask"}
        over = False
        while not over:
            observation, _, terminated, truncated, _ = env.step(random_action(env.action_masks(), random))
            over = terminated or truncated
            assert observation in env.observation_space
            run = env.unwrapped.run()  # type: ignore[attr-defined]
            assert told(observation) == pytest.approx(as_it_is(run), rel=1e-5)
            phases.add(run.phase)
            shares.add(float(observation["progress_ratio"][0]))
    assert phases == {"blind_select", "selecting_hand", "round_eval", "shop", "pack_opening", "game_over"}
    assert len(shares) > 5


def told(observation: dict[str, Any]) -> list[float]:
    lists = ("hand", "joker_ids", "hand_levels")
    numbers = [observation[name][0] for name in sorted(KEYS - set(lists))]
    return [*numbers, *(number for name in lists for number in observation[name] if number)]


def as_it_is(run: Run) -> list[float]:
    """The same from the run itself."""
    state = json.loads(run.to_json())
    in_blind = run.phase in ("selecting_hand", "game_over")
    numbers = {
        "ante": run.ante,
        "round": run.round,
        "money": run.dollars,
        "chips_scored": run.chips if in_blind else 0.0,
        "chips_needed": run.target if in_blind else 0.0,
        "progress_ratio": min(1.0, run.chips / run.target) if in_blind else 0.0,
        "hands_left": run.hands_left,
        "discards_left": run.discards_left,
        "phase": vocabulary("phase").index(run.phase),
    }
    shown = (card for card in state["zones"]["hand"] if "face_down" not in card["state"])
    fronts = [(card["suit"], card["rank"]) for card in shown if "m_stone" not in card["modifier"]]
    suits, ranks = vocabulary("suit"), vocabulary("rank")
    return [
        *(numbers[name] for name in sorted(numbers)),
        *(13 * (suits.index(suit) - 1) + ranks.index(rank) for suit, rank in fronts),
        *(vocabulary("joker").index(key) for key in run.joker_keys),
        *(hand["level"] for hand in state["hands"].values()),
    ]


def test_statistics_of_the_episodes() -> None:
    env = BalatroGymWrapper(RunEnv(rewards={"blind": 1.0}))
    assert env.get_episode_stats()["total_episodes"] == 0
    random = np.random.default_rng(3)
    returns, results = [], []
    for seed in range(4):
        env.reset(seed=seed, options={"run": strong(f"STATS{seed}", levels=8 * seed)})
        steps = play_episode(env, random)
        returns.append(sum(step[1] for step in steps))
        results.append(steps[-1][4]["result"])
    antes, bests = ([result[name] for result in results] for name in ("ante", "best_hand"))
    assert min(len(set(returns)), len(set(antes)), len(set(bests))) > 2
    assert env.get_episode_stats() == pytest.approx(
        {
            "total_episodes": 4,
            "mean_reward": np.mean(returns),
            "std_reward": np.std(returns),
            "max_reward": max(returns),
            "mean_ante": np.mean(antes),
            "max_ante": max(antes),
            "mean_score": np.mean(bests),
            "max_score": max(bests),
        }
    )


def test_it_needs_the_fields() -> None:
    with pytest.raises(ValueError, match='make the environment with observation="fields"'):
        BalatroGymWrapper(RunEnv(observation="flat"))


def test_whole_actions_are_not_replaced() -> None:
    with pytest.raises(ValueError, match='actions="steps" or "candidates"'):
        ActionMaskWrapper(RunEnv(actions="whole"))


@pytest.mark.parametrize("actions", ["steps", "candidates", "whole"])
def test_environments_of_every_kind_of_action_are_valid(actions: str) -> None:
    assert environment_errors(RunEnv(actions=actions, candidates=20)) == []


# --- CurriculumWrapper -----------------------------------------------------------------------------------------------


def test_an_episode_beyond_the_limit_is_truncated() -> None:
    env = CurriculumWrapper(Scripted([9, 2]), initial_max_ante=2)
    beyond, within = run_through(env, 2)
    assert (beyond[2], beyond[3]) == (False, True)
    assert beyond[4]["curriculum_limited"]
    assert beyond[4]["result"]["end"] == "curriculum"
    assert beyond[4]["ante"] == 3
    assert (within[2], within[3], within[4]["curriculum_limited"]) == (True, False, False)


def test_the_limit_rises_with_the_share_of_successful_episodes() -> None:
    env = CurriculumWrapper(Scripted([9, 9, 9, 1] * 2 + [9] * 8), success_threshold=0.8, eval_interval=4)
    run_through(env, 8)
    assert env.get_curriculum_info()["current_max_ante"] == 2
    assert env.get_curriculum_info()["last_success_rate"] == 0.75
    run_through(env, 3)
    info = env.get_curriculum_info()
    assert (info["current_max_ante"], info["episodes"], info["success_rate"], info["total_episodes"]) == (2, 3, 1.0, 11)
    run_through(env, 1)
    assert env.get_curriculum_info()["current_max_ante"] == 3
    env.reset_curriculum()
    assert env.get_curriculum_info()["current_max_ante"] == 2
    assert env.get_curriculum_info()["total_episodes"] == 0


def test_a_share_that_just_reaches_the_threshold_is_enough() -> None:
    env = CurriculumWrapper(Scripted([9, 9, 9, 1]), success_threshold=0.75, eval_interval=4)
    run_through(env, 4)
    assert env.get_curriculum_info()["current_max_ante"] == 3


def test_the_limit_stops_at_ante_8_and_winning_is_a_success() -> None:
    env = CurriculumWrapper(Scripted([8] * 6, won=True), initial_max_ante=7, ante_increment=5, eval_interval=2)
    run_through(env, 6)
    info = env.get_curriculum_info()
    assert (info["current_max_ante"], info["complete"], info["last_success_rate"]) == (8, True, 1.0)


def test_a_long_stay_in_an_ante_is_one_episode() -> None:
    """Success counts once for an episode, not once for a step."""
    env = CurriculumWrapper(Scripted([1, 1, 1, 9]), initial_max_ante=3, eval_interval=4)
    run_through(env, 4)
    assert env.get_curriculum_info()["last_success_rate"] == 0.25


@pytest.mark.parametrize(
    "config", [{"initial_max_ante": 9}, {"ante_increment": 0}, {"eval_interval": 0}, {"success_threshold": 0}]
)
def test_a_curriculum_that_cannot_be_is_refused(config: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(config))):
        CurriculumWrapper(RunEnv(), **config)


# --- The others ------------------------------------------------------------------------------------------------------


def test_an_illegal_action_becomes_the_next_legal_one() -> None:
    env = ActionMaskWrapper(RunEnv())
    env.reset(seed=1)
    select, skip = (step_names().index(name) for name in ("select_blind", "skip_blind"))
    assert np.flatnonzero(env.action_masks()).tolist() == [select, skip]
    assert [env.legal_action(action) for action in (0, select, skip, skip + 1, 10**9, -3)] == [
        select, select, skip, select, select, select,
    ]  # fmt: skip
    *_, info = env.step(0)
    assert info["action_replaced"]
    assert (info["illegal"], env.replaced) == (0, 1)
    *_, info = env.step(0)
    assert not info["action_replaced"]
    assert env.replaced == 1


def test_any_action_is_played_legally() -> None:
    env = ActionMaskWrapper(RunEnv())
    env.reset(seed=2)
    random = np.random.default_rng(2)
    for _ in range(500):
        *_, terminated, truncated, info = env.step(random.integers(377))
        assert info["illegal"] == 0
        if terminated or truncated:
            env.reset()
    assert env.replaced > 100


def test_rewards_are_scaled() -> None:
    env = RewardScalingWrapper(RunEnv(illegal_penalty=1.0), scale=2.0, offset=0.5)
    env.reset(seed=1)
    assert env.step(-1)[1] == 2 * -1.0 + 0.5


def test_masks_reach_through_all_wrappers() -> None:
    class Own(EnvironmentWrapper):
        pass

    env = Own(RewardScalingWrapper(wrap_balatro_env(gymnasium.make("jimbo/Run-v0"), use_curriculum=True)))
    env.reset(seed=1)
    assert np.array_equal(env.action_masks(), env.unwrapped.action_masks())  # type: ignore[attr-defined]


def test_wrapping_in_one_call() -> None:
    config = {"initial_max_ante": 1, "eval_interval": 7}
    env = wrap_balatro_env(create_balatro_env(seed=1), use_curriculum=True, curriculum_config=config)
    assert isinstance(env.env, CurriculumWrapper)
    assert env.env.get_curriculum_info()["eval_interval"] == 7
    assert not isinstance(wrap_balatro_env(RunEnv()).env, CurriculumWrapper)
    with pytest.raises(ValueError, match="no effect without use_curriculum"):
        wrap_balatro_env(RunEnv(), curriculum_config=config)


# --- Making and checking ---------------------------------------------------------------------------------------------


def test_an_environment_of_a_seed() -> None:
    first, second, other = (create_balatro_env(seed=seed) for seed in (5, 5, 6))
    games = [[env.reset()[1]["game_seed"] for _ in range(3)] for env in (first, second, other)]
    assert games[0] == games[1] != games[2]
    assert create_balatro_env(seed=1, deck="b_blue").unwrapped.options.deck == "b_blue"  # type: ignore[attr-defined]


def test_vectorized_environments_play_different_games() -> None:
    pytest.importorskip("stable_baselines3")
    games = []
    for _ in range(2):
        vector = make_vectorized_env(lambda: create_balatro_env(seed=42), n_envs=4)
        vector.reset()
        games.append([info["game_seed"] for info in vector.reset_infos])
    assert games[0] == games[1]
    assert len(set(games[0])) == 4
    for rows in (0, 10**9):
        with pytest.raises(ValueError, match="n_envs must be at least 1 and at most 100,000"):
            make_vectorized_env(create_balatro_env, n_envs=rows)


def test_a_sound_environment_is_valid(capsys: pytest.CaptureFixture[str]) -> None:
    assert validate_environment(create_balatro_env())
    assert "no errors" in capsys.readouterr().out
    assert validate_environment(wrap_balatro_env(create_balatro_env()))


def test_errors_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    class Blind(EnvironmentWrapper):
        def action_masks(self) -> Any:
            return np.zeros(377, bool)

    class Lying(EnvironmentWrapper):
        def action_masks(self) -> Any:
            return np.ones(377, bool)

    class Wrong(EnvironmentWrapper):
        def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
            observation, info = self.env.reset(options=options)
            return {**observation, "ante": "one"}, info

    assert "allows nothing in step 0" in environment_errors(Blind(RunEnv()))[0]
    assert "was refused in step 0" in environment_errors(Lying(RunEnv()))[0]
    assert not validate_environment(Wrong(RunEnv()))
    assert "error(s)" in capsys.readouterr().out


def test_gymnasium_can_make_wrapped_environments_again() -> None:
    config = {"initial_max_ante": 3}
    env = wrap_balatro_env(create_balatro_env(stake="red"), use_curriculum=True, curriculum_config=config)
    assert env.spec is not None
    again = gymnasium.make(env.spec)
    assert isinstance(again, BalatroGymWrapper)
    assert again.env.max_ante == 3  # type: ignore[attr-defined]
    assert again.unwrapped.options.stake == "red"  # type: ignore[attr-defined]
