"""What the own learner (``train/ppo.py``) needs beside its method: settings, games, pieces, files, curves."""
