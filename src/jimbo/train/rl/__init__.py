"""The parts of Jimbo's PPO (``train/ppo.py``): settings, games, pieces, files, curves."""
