"""BalatroCallbacks, for RLlib configurations of one's own: ``PPOConfig().callbacks(BalatroCallbacks)``."""

from jimbo.train.rllib.callbacks import BalatroCallbacks

__all__ = ["BalatroCallbacks"]
