"""Training with Stable-Baselines3."""

from collections.abc import Callable

import gymnasium
import numpy as np
import pytest

from env.playing import assert_equal
from jimbo.env import RunEnv, create_balatro_env, make_vectorized_env, wrap_balatro_env

torch = pytest.importorskip("torch")
sb3_contrib = pytest.importorskip("sb3_contrib")

from stable_baselines3.common.callbacks import BaseCallback  # noqa: E402
from stable_baselines3.common.monitor import Monitor  # noqa: E402
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv  # noqa: E402

from jimbo.env.sb3 import RunVecEnv  # noqa: E402


class CountIllegal(BaseCallback):
    """Refused actions and finished episodes."""

    illegal = 0
    episodes = 0

    def _on_step(self) -> bool:
        self.illegal += sum(info["illegal"] > 0 for info in self.locals["infos"])
        self.episodes += sum("episode" in info for info in self.locals["infos"])
        return True


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.mark.parametrize(
    "make",
    [
        lambda: RunVecEnv(8, observation="flat"),
        lambda: RunVecEnv(8, observation="flat", actions="candidates", candidates=12),
        lambda: make_vectorized_env(
            lambda: wrap_balatro_env(create_balatro_env(seed=1), use_curriculum=True), n_envs=4
        ),
    ],
    ids=["steps", "candidates", "wrapped"],
)
def test_maskable_ppo_learns_without_an_illegal_action(make: Callable[[], VecEnv]) -> None:
    counts = CountIllegal()
    model = sb3_contrib.MaskablePPO(
        "MultiInputPolicy", make(), n_steps=128, batch_size=128, n_epochs=1, seed=0, device="cpu",
        policy_kwargs={"net_arch": [32]},
    )  # fmt: skip
    model.learn(2048, callback=counts)
    assert model.num_timesteps >= 2048
    assert counts.illegal == 0
    assert counts.episodes > 0


def test_the_native_vector_is_the_one_of_sb3() -> None:
    options = {"max_steps": 60, "observation": "fields"}
    native = RunVecEnv(3, **options)
    usual = DummyVecEnv([lambda: Monitor(RunEnv(**options))] * 3)
    for env in (native, usual):
        env.seed(4)
    assert_equal(native.reset(), dict(usual.reset()))
    random = np.random.default_rng(4)
    ends = 0
    for _ in range(150):
        masks = np.stack(native.env_method("action_masks"))
        assert_equal(masks, np.stack(usual.env_method("action_masks")))
        actions = (masks * random.random(masks.shape)).argmax(axis=1)
        ours, theirs = native.step(actions), usual.step(actions)
        assert_equal(ours[0], dict(theirs[0]))
        assert_equal(ours[1], theirs[1])
        assert_equal(ours[2], theirs[2])
        for row in np.flatnonzero(ours[2]):
            one, other = ours[3][row], theirs[3][row]
            assert_equal(one["terminal_observation"], other["terminal_observation"])
            assert one["TimeLimit.truncated"] == other["TimeLimit.truncated"]
            assert one["result"] == other["result"]
            assert one["episode"]["l"] == other["episode"]["l"]
            assert one["episode"]["r"] == pytest.approx(other["episode"]["r"], abs=1e-5)
            ends += 1
    assert ends > 3


def test_attributes_belong_to_all_rows() -> None:
    env = RunVecEnv(2)
    assert env.get_attr("num_envs") == [2, 2]
    assert env.env_is_wrapped(Monitor) == [True, True]
    assert env.env_is_wrapped(gymnasium.wrappers.TimeLimit) == [False, False]
    with pytest.raises(AttributeError, match="give options when making it"):
        env.set_attr("deck", "b_blue")
