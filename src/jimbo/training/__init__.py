"""The training framework on Stable-Baselines3.

>>> from jimbo.training.framework import create_trainer, get_default_config
>>> from jimbo.training.utils import create_balatro_env
"""

from jimbo.train.networks.machine import rest_while_waiting

rest_while_waiting()  # before anything here imports torch
