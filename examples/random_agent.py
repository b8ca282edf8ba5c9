"""Plays random allowed actions in one environment.

pip install ".[env]"
python examples/random_agent.py
"""

import gymnasium
import numpy as np

from jimbo.engine import step_names

# "jimbo.env:" imports the package, which registers jimbo/Run-v0.
env = gymnasium.make("jimbo.env:jimbo/Run-v0", deck="b_red", stake="white", render_mode="ansi")
random = np.random.default_rng(1)
names = step_names()

# A number fixes all games that follow; options={"seed": "ABCD1234"} would name one.
observation, info = env.reset(seed=1)
print(f"Game {info['game_seed']}")
done = False
while not done:
    allowed = np.flatnonzero(observation["action_mask"])
    action = int(random.choice(allowed))
    observation, reward, terminated, truncated, info = env.step(action)
    done = terminated or truncated
    if reward:
        print(f"{names[action]:>14} paid {reward:.4f}")

print(env.render())
print(info["result"])
