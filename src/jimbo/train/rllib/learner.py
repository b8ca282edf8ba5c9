"""RLlib's PPO, with an optimizer that moves all weights in one call: a small network has many, and each is small."""

from __future__ import annotations

from typing import Any

import torch
from ray.rllib.algorithms.ppo.torch.ppo_torch_learner import PPOTorchLearner


class BalatroLearner(PPOTorchLearner):
    """The same numbers, sooner."""

    def configure_optimizers_for_module(self, module_id: str, config: Any = None) -> None:
        weights = self.get_parameters(self.module[module_id])
        adam = torch.optim.Adam(weights, fused=True)
        self.register_optimizer(module_id=module_id, optimizer=adam, params=weights, lr_or_lr_schedule=config.lr)
