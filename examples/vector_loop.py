"""Steps many runs at once and shows how fast that is.

pip install ".[env]"
python examples/vector_loop.py
"""

import os
import time

import gymnasium
import numpy as np

ROWS, STEPS = 256, 1000

# The compiled core steps all rows in one call. Row i plays what a single environment with the seed + i would.
env = gymnasium.make_vec("jimbo.env:jimbo/Run-v0", num_envs=ROWS, threads=os.cpu_count(), autoreset_mode="SameStep")
observations, infos = env.reset(seed=1)
print(f"{len(observations)} fields, such as joker_id {observations['joker_id'].shape}")

antes: list[int] = []
start = time.perf_counter()
for step in range(STEPS):
    # Your policy goes here: observations["action_mask"] [n, A] says what is allowed. This draws among it.
    actions = env.unwrapped.sample_actions(step)
    observations, rewards, terminated, truncated, infos = env.step(actions)
    if "final_info" in infos:
        ended = infos["_final_info"]
        antes += infos["final_info"]["result"]["ante"][ended].tolist()
seconds = time.perf_counter() - start

print(f"{ROWS * STEPS / seconds:,.0f} steps a second, {len(antes)} episodes, mean ante {np.mean(antes):.2f}")
