"""What steps pay."""

import math
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from env.playing import play_episode
from jimbo.engine import Run, step_names
from jimbo.engine.catalog import HANDS
from jimbo.env import DEFAULT_REWARDS, TERMS, RunEnv, RunVectorEnv, Transition


def strong(seed: str, levels: int) -> Run:
    """With 400 levels nearly any hand beats nearly any blind, so that random play wins."""
    run = Run(seed=seed)
    for hand in HANDS:
        run.debug_raise_level(hand, levels)
    return run


def episodes(count: int = 12, **options: Any) -> list[tuple[list[tuple[Any, ...]], dict[str, Any]]]:
    """The steps of some random episodes, and their results. Two of three start from runs that go far."""
    env = RunEnv(**options)
    played = []
    random = np.random.default_rng(4)
    for number in range(count):
        levels = (400, 0, 8)[number % 3]
        env.reset(seed=number, options={"run": strong(f"STRONG{number}", levels)} if levels else None)
        steps = play_episode(env, random)
        played.append((steps, steps[-1][4]["result"]))
    return played


def sums(**rewards: float) -> list[tuple[float, dict[str, Any]]]:
    return [(sum(step[1] for step in steps), result) for steps, result in episodes(rewards=rewards)]


def test_some_of_the_episodes_are_won_and_some_lost_early_and_late() -> None:
    """Without them the sums below would say little."""
    results = [result for _, result in episodes()]
    assert {result["won"] for result in results} == {True, False}
    assert len({result["blinds"] for result in results}) > 3
    assert {1, 9} < {result["ante"] for result in results}


def test_every_term_is_documented() -> None:
    assert list(TERMS) == ["win", "loss", "ante", "blind", "boss", "score", "money", "potential"]
    assert all(text.endswith(".") for text in TERMS.values())


def test_blinds_and_losses_are_counted() -> None:
    assert all(total == result["blinds"] for total, result in sums(blind=1.0))
    assert all(total == (0 if result["won"] else -1) for total, result in sums(loss=-1.0))
    assert all(total == result["won"] for total, result in sums(win=1.0))
    assert all(total == result["ante"] - 1 for total, result in sums(ante=1.0))
    assert all(total == pytest.approx((result["money"] - 4) / 10, abs=1e-5) for total, result in sums(money=1.0))


def test_scores_add_up_to_the_blinds_beaten_and_a_share() -> None:
    for total, result in sums(score=1.0):
        assert result["blinds"] - 1e-6 <= total < result["blinds"] + 1
    assert len({round(total, 6) for total, _ in sums(score=1.0)}) > 6


def test_the_potential_adds_up_to_nothing() -> None:
    assert all(total == pytest.approx(0, abs=1e-6) for total, _ in sums(potential=1.0))
    assert all(len({round(step[1], 6) for step in steps}) > 1 for steps, _ in episodes(rewards={"potential": 1.0}))


def test_the_default_lies_between_0_and_1_for_a_lost_run() -> None:
    assert dict(DEFAULT_REWARDS) == {"win": 1.0, "score": 1 / 24}
    for steps, result in episodes():
        assert all(step[1] >= 0 for step in steps)
        assert result["won"] <= result["return"] < 1 + result["won"] + 1e-6


def test_terms_can_be_weighted_together() -> None:
    both = sums(blind=2.0, loss=-0.5)
    assert all(total == 2 * result["blinds"] - (0 if result["won"] else 0.5) for total, result in both)


# --- Custom terms ----------------------------------------------------------------------------------------------------


def hands_played(step: Transition) -> NDArray[Any]:
    change: NDArray[Any] = step.after["run_hands"].astype(int) - step.before["run_hands"]
    return change


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_a_custom_term_sees_each_episode_from_start_to_end(mode: AutoresetMode) -> None:
    env = RunVectorEnv(6, rewards={"hands": 1.0}, custom_rewards={"hands": hands_played}, autoreset_mode=mode)
    env.reset(seed=2)
    total, results = np.zeros(6), 0
    for step in range(400):
        observation, rewards, terminated, truncated, info = env.step(env.sample_actions(step))
        total += rewards
        done = terminated | truncated
        last = observation["run_hands"][:, 0].astype(float)
        for row in np.flatnonzero(done):
            same_step = mode is AutoresetMode.SAME_STEP
            result = info["final_info"]["result"] if same_step else info["result"]
            hands = info["final_obs"][row]["run_hands"][0] if same_step else last[row]
            assert total[row] == result["return"][row] == hands
            total[row] = 0
            results += 1
    assert results > 6


def test_custom_and_native_terms_add_up() -> None:
    options = {"rewards": {"blind": 1.0, "hands": 0.1}, "custom_rewards": {"hands": hands_played}}
    for steps, result in episodes(4, **options):
        hands = int(steps[-1][0]["run_hands"][0])
        assert hands >= 1
        assert result["return"] == pytest.approx(result["blinds"] + 0.1 * hands, abs=1e-4)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"custom_rewards": {"win": hands_played}}, 'term "win" already exists'),
        ({"custom_rewards": {"hands": hands_played}}, 'term "hands" has no weight'),
    ],
)
def test_a_custom_term_that_does_not_fit_is_refused_with_a_sentence(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        RunEnv(**options)


def test_a_custom_term_of_a_wrong_shape_is_refused_with_a_sentence() -> None:
    env = RunEnv(rewards={"odd": 1.0}, custom_rewards={"odd": lambda step: np.zeros(3)})
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r'term "odd" gave shape \(3,\) for 1 rows'):
        env.step(step_names().index("select_blind"))


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_rewards_that_are_no_finite_numbers_are_refused(number: float) -> None:
    with pytest.raises(ValueError, match='weight of the reward term "win" must be a finite number'):
        RunEnv(rewards={"win": number})
    with pytest.raises(ValueError, match='weight of the reward term "mine" must be a finite number'):
        RunEnv(rewards={"mine": number}, custom_rewards={"mine": lambda step: np.zeros(1)})
    with pytest.raises(ValueError, match="illegal_penalty must be a finite number"):
        RunEnv(illegal_penalty=number)
    env = RunEnv(rewards={"odd": 1.0}, custom_rewards={"odd": lambda step: np.full(1, number)})
    env.reset(seed=1)
    with pytest.raises(ValueError, match='the reward term "odd" gave what is not a finite number'):
        env.step(step_names().index("select_blind"))
