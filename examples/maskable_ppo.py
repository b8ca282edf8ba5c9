"""Trains MaskablePPO of sb3-contrib with the entity network, on games stepped by the compiled core.

pip install ".[train]"
python examples/maskable_ppo.py        # 50,000 steps
python examples/maskable_ppo.py 1000000

`jimbo train sb3` does the same and saves the result; docs/sb3.md says more.
"""

import sys
from tempfile import mkdtemp

from jimbo.training.framework import create_trainer, tuned_config
from jimbo.training.utils import create_balatro_env

config = tuned_config("PPO")  # 24 candidates at each decision, 64 games side by side
config.total_timesteps = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
config.save_dir = mkdtemp(prefix="maskable_ppo_")
config.eval_freq = max(1, config.total_timesteps // 4)

trainer = create_trainer(create_balatro_env(seed=1), config)
trainer.train()
metrics = trainer.get_metrics()
episodes = len(metrics["episode_rewards"])
print(f"{trainer.total_timesteps:,} steps, {episodes} episodes, {sum(metrics['episode_illegal'])} illegal actions")
fifth = max(1, episodes // 5)
for name, part in ("first", slice(fifth)), ("last", slice(-fifth, None)):
    rewards, antes = metrics["episode_rewards"][part], metrics["episode_antes"][part]
    print(f"{name} fifth of the episodes: mean return {sum(rewards) / fifth:.4f}, mean ante {sum(antes) / fifth:.2f}")
print(f"Saved in {trainer.save_path}")
trainer.close()
