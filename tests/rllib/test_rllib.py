"""Training with RLlib: the new API stack and its own action masking. `make rllib-test` runs it."""

from collections.abc import Iterator
from typing import Any

import gymnasium
import pytest

from jimbo.env import RUN_ID

ray = pytest.importorskip("ray", reason="make rllib-test runs these in an environment of their own")

from ray.rllib.algorithms.ppo import PPOConfig  # noqa: E402
from ray.rllib.callbacks.callbacks import RLlibCallback  # noqa: E402
from ray.rllib.core.rl_module import RLModuleSpec  # noqa: E402
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule  # noqa: E402
from ray.tune.registry import register_env  # noqa: E402


class CountIllegal(RLlibCallback):
    """Refused actions in the episodes that ended."""

    def on_episode_end(self, *, episode: Any, metrics_logger: Any, **_: Any) -> None:
        result = episode.get_infos(-1)["result"]
        metrics_logger.log_value("illegal", result["illegal"], reduce="sum")
        metrics_logger.log_value("finished_episodes", 1, reduce="sum")


@pytest.fixture(scope="module", autouse=True)
def _ray() -> Iterator[None]:
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def test_ppo_learns_without_an_illegal_action() -> None:
    register_env("jimbo", lambda config: gymnasium.make(RUN_ID, **config))
    config = (
        PPOConfig()
        .environment("jimbo", env_config={"observation": "flat"})
        .env_runners(num_env_runners=0)
        .callbacks(CountIllegal)
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=ActionMaskingTorchRLModule,
                model_config={"head_fcnet_hiddens": [32]},
            )
        )
        .training(train_batch_size=1024, minibatch_size=256, num_epochs=1)
        .debugging(seed=0)
    )
    algorithm = config.build_algo()
    steps = illegal = episodes = 0
    for _ in range(3):
        result = algorithm.train()["env_runners"]
        steps += int(result["num_env_steps_sampled"])
        illegal += int(result.get("illegal", 0))
        episodes += int(result.get("finished_episodes", 0))
    algorithm.stop()
    print(f"{steps} steps, {episodes} episodes, {illegal} illegal actions")
    assert steps >= 3000
    assert episodes > 0
    assert illegal == 0
