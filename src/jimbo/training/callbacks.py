"""BalatroCallbacks, for RLlib configurations of one's own: ``PPOConfig().callbacks(BalatroCallbacks)``."""

from jimbo.extras import require

require("ray.rllib", "rllib")

from jimbo.train.rllib.callbacks import BalatroCallbacks  # noqa: E402

__all__ = ["BalatroCallbacks"]
