"""What learns a board game."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import nn

from jimbo.az.batches import Batch
from jimbo.az.export import export
from jimbo.az.games import Shape, shape_of, symmetries_of
from jimbo.az.learner import Array, Learner
from jimbo.az.loss import Losses, legal_masks, losses
from jimbo.az.network import Mlp, ResNet
from jimbo.az.schema import GameMetadata
from jimbo.az.settings import TrainerConfig


def create_network(game: GameMetadata, shape: Shape | None = None) -> nn.Module:
    """Of the kind that suits the game, unless another is given."""
    shape = shape or shape_of(game.env_id)
    return ResNet(game, shape.width, shape.blocks) if shape.kind == "resnet" else Mlp(game, shape.width)


def chosen_shape(config: TrainerConfig) -> Shape:
    own = shape_of(config.env_id)
    kind = own.kind if config.network == "auto" else config.network
    return Shape(kind, config.width or own.width, config.blocks or own.blocks or 2)


class BoardLearner(Learner):
    def __init__(self, game: GameMetadata, config: TrainerConfig, device: torch.device) -> None:
        torch.manual_seed(config.seed)
        shape = chosen_shape(config)
        super().__init__(game, config, device, create_network(game, shape), str(shape))
        self._symmetries = symmetries_of(game.env_id) if config.symmetries else None

    def _losses(self, batch: Batch, random: np.random.Generator) -> Losses:
        observations, policies = batch.observations, batch.policies
        if self._symmetries is not None:
            observations, policies = self._symmetries.shuffled(observations, policies, random)
        mix = self._config.value_mix
        arrays = (observations, policies, (1 - mix) * batch.outcomes + mix * batch.values)
        seen, wanted, targets = (torch.from_numpy(array).to(self._device, non_blocking=True) for array in arrays)
        logits, value = self.network(seen)
        masks = legal_masks(seen, self._game.legal_mask_offset, self._game.num_actions)
        weights = self._config.policy_weight, self._config.value_weight
        return losses(logits, value, masks, wanted, targets, *weights)

    def evaluate(self, observations: Array) -> tuple[Array, Array]:
        with torch.inference_mode():
            logits, value = self.published(torch.from_numpy(np.array(observations, np.float32)).to(self._device))
        return logits.float().cpu().numpy(), value.float().squeeze(1).cpu().numpy()

    def export(self, path: Path) -> None:
        export(self.published, self._game.obs_size, path)
