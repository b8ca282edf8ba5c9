"""Training with Ray RLlib, on one machine or a cluster. It needs the extra ``rllib``."""
