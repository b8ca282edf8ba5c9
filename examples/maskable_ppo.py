"""Trains MaskablePPO of sb3-contrib, with the runs stepped by the compiled core.

pip install ".[train]"
python examples/maskable_ppo.py        # 50,000 steps
python examples/maskable_ppo.py 2000000
"""

import sys
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from jimbo.env.sb3 import RunVecEnv


class Results(BaseCallback):
    """Collects how episodes ended."""

    def _on_training_start(self) -> None:
        self.results: list[dict[str, Any]] = []

    def _on_step(self) -> bool:
        self.results += [info["result"] for info in self.locals["infos"] if "result" in info]
        return True


steps = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
# More threads than idle cores make small networks slower, not faster.
torch.set_num_threads(1)

# Candidates are whole actions, the most promising plays first: much faster to learn than the small steps of
# actions="steps", where a hand of five cards takes six of them.
env = RunVecEnv(16, actions="candidates", candidates=24, observation="flat")
model = MaskablePPO(
    "MultiInputPolicy", env, n_steps=256, batch_size=512, n_epochs=4, ent_coef=0.01, seed=1, device="cpu"
)
callback = Results()
model.learn(steps, callback=callback)  # then model.save("jimbo_ppo.zip") keeps it

results = callback.results
illegal = sum(result["illegal"] for result in results)
print(f"{model.num_timesteps:,} steps, {len(results)} episodes, {illegal} illegal actions")
fifth = max(1, len(results) // 5)
for name, part in ("first", results[:fifth]), ("last", results[-fifth:]):
    mean = sum(result["return"] for result in part) / len(part)
    blinds = sum(result["blinds"] for result in part) / len(part)
    print(f"{name} fifth of the episodes: mean return {mean:.4f}, {blinds:.2f} blinds beaten")
