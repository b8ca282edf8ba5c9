"""Environments with wrappers of others, and the games that judge a model."""

from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest

from jimbo.env import CurriculumWrapper, EnvironmentWrapper, RewardScalingWrapper, create_balatro_env
from jimbo.training.environments import evaluate_model, evaluation_env, training_env


class Bonus(EnvironmentWrapper):
    """As people write it, without a word to the base class."""

    def __init__(self, env: gymnasium.Env[Any, Any], bonus: float, times: int = 1) -> None:
        super().__init__(env)
        self.bonus = bonus * times

    def step(self, action: Any) -> Any:
        observation, reward, terminated, truncated, info = self.env.step(action)
        return observation, float(reward) + self.bonus, terminated, truncated, info


def wrappers(env: Any) -> Iterator[Any]:
    while isinstance(env, gymnasium.Wrapper):
        yield env
        env = env.env


def small_env(**more: Any) -> Any:
    return create_balatro_env(seed=1, observation="flat", actions="candidates", candidates=8, **more)


def test_wrappers_are_made_again_with_their_arguments(config_of: Any) -> None:
    class Local(Bonus):
        """Nobody can import it."""

    env = RewardScalingWrapper(Local(small_env(), 3.0, times=2), scale=0.5)
    games = training_env(env, config_of(n_envs=2, normalize_obs=False, normalize_reward=False))
    for row in games.envs:  # type: ignore[attr-defined]
        kinds = {type(one): one for one in wrappers(row)}
        assert kinds[Local].bonus == 6.0
        assert kinds[RewardScalingWrapper].scale == 0.5
    games.close()


def test_a_wrapper_that_cannot_be_made_again_is_told(config_of: Any) -> None:
    class Stubborn(gymnasium.Wrapper[Any, Any, Any, Any]):
        pass

    with pytest.raises(ValueError, match="EnvironmentWrapper"):
        training_env(Stubborn(small_env()), config_of())


def test_evaluations_of_a_given_curriculum_play_whole_games(config_of: Any) -> None:
    env = RewardScalingWrapper(CurriculumWrapper(small_env(), initial_max_ante=1), scale=2.0)
    games = evaluation_env(env, config_of(), ["A", "B"])
    kinds = {type(one) for one in wrappers(games.envs[0])}  # type: ignore[attr-defined]
    assert RewardScalingWrapper in kinds
    assert CurriculumWrapper not in kinds
    games.close()


@pytest.mark.parametrize("sure", [False, True])
def test_a_policy_that_goes_round_in_circles_is_let_out(config_of: Any, sure: bool) -> None:
    """Greedily, the first card is taken up and put down again for ever; ``sure``: it draws what it would choose."""

    class Toggles:
        asked = 0

        def get_vec_normalize_env(self) -> None:
            return None

        def predict(self, observation: Any, deterministic: bool = False) -> Any:
            self.asked += 1
            masks = observation["action_mask"] > 0.5
            if deterministic or sure:
                return masks.argmax(axis=1), None
            random = np.random.default_rng(self.asked)
            return np.array([random.choice(np.flatnonzero(mask)) for mask in masks]), None

    model = Toggles()
    metrics = evaluate_model(model, create_balatro_env(actions="steps"), config_of(), 3)  # type: ignore[arg-type]
    assert len(metrics) == 3
    assert max(metrics.to_dict()["episode_lengths"]) < 2_000
