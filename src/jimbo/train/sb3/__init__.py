"""The training framework on Stable-Baselines3. ``jimbo.training`` has its public names."""

from jimbo.train.core.machine import use_passive_openmp

use_passive_openmp()  # before anything here imports torch
