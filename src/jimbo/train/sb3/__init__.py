"""The training framework on Stable-Baselines3. ``jimbo.training`` has its public names."""

from jimbo.train.networks.machine import rest_while_waiting

rest_while_waiting()  # before anything here imports torch
