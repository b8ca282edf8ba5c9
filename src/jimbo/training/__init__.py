"""The training framework on Stable-Baselines3.

>>> from jimbo.training.framework import create_trainer, get_default_config
>>> from jimbo.training.utils import create_balatro_env
"""

from jimbo.train.core.machine import use_passive_openmp

use_passive_openmp()  # before anything here imports torch
