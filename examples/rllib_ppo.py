"""Trains RLlib's PPO with its own action masking.

pip install ".[rllib]"                 # best in an environment of its own
python examples/rllib_ppo.py           # 5 iterations
python examples/rllib_ppo.py 100
"""

import sys

import gymnasium
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

# observation="flat" gives Dict(observations, action_mask), which the masking module asks for.
register_env("jimbo", lambda config: gymnasium.make("jimbo.env:jimbo/Run-v0", observation="flat", **config))

config = (
    PPOConfig()
    .environment("jimbo", env_config={"deck": "b_red", "stake": "white"})
    .env_runners(num_env_runners=0, num_envs_per_env_runner=1)
    .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule))
    .training(train_batch_size=2048, minibatch_size=256, num_epochs=4, lr=3e-4, entropy_coeff=0.01)
)
algorithm = config.build_algo()
for iteration in range(int(sys.argv[1]) if len(sys.argv) > 1 else 5):
    result = algorithm.train()["env_runners"]
    steps, mean = result["num_env_steps_sampled_lifetime"], result["episode_return_mean"]
    print(f"{iteration}: {steps:.0f} steps, mean return {mean:.4f}")
algorithm.stop()
