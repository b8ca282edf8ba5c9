"""What learns a board game: a network and its optimizer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from jimbo.az.batches import Batch
from jimbo.az.export import export
from jimbo.az.games import Shape, shape_of, symmetries_of
from jimbo.az.learner_file import load_state, save_state
from jimbo.az.loss import Losses, is_usable, legal_masks, losses
from jimbo.az.network import Mlp, ResNet
from jimbo.az.schema import GameMetadata
from jimbo.az.settings import TrainerConfig

Array = NDArray[Any]


def create_network(game: GameMetadata, shape: Shape | None = None) -> nn.Module:
    """Of the kind that suits the game, unless another is given."""
    shape = shape or shape_of(game.env_id)
    return ResNet(game, shape.width, shape.blocks) if shape.kind == "resnet" else Mlp(game, shape.width)


def chosen_shape(config: TrainerConfig) -> Shape:
    own = shape_of(config.env_id)
    kind = own.kind if config.network == "auto" else config.network
    return Shape(kind, config.width or own.width, config.blocks or own.blocks or 2)


class Learner:
    """One step after another; ``state`` and ``load`` keep it exactly as it is."""

    def __init__(self, game: GameMetadata, config: TrainerConfig, device: torch.device) -> None:
        torch.manual_seed(config.seed)
        self._game, self._config, self._device = game, config, device
        self._shape = chosen_shape(config)
        self.network = create_network(game, self._shape).to(device)
        self._optimizer = torch.optim.Adam(
            self.network.parameters(), lr=config.lr, weight_decay=config.weight_decay, fused=device.type == "cuda"
        )
        self._symmetries = symmetries_of(game.env_id) if config.symmetries else None

    def learn(self, batch: Batch, rate: float, random: np.random.Generator) -> Losses | None:
        """One step; None, and nothing changed, where the loss is not a number."""
        self.network.train()
        observations, policies = batch.observations, batch.policies
        if self._symmetries is not None:
            observations, policies = self._symmetries.shuffled(observations, policies, random)
        mix = self._config.value_mix
        arrays = (observations, policies, (1 - mix) * batch.outcomes + mix * batch.values)
        seen, wanted, targets = (torch.from_numpy(array).to(self._device, non_blocking=True) for array in arrays)
        logits, value = self.network(seen)
        masks = legal_masks(seen, self._game.legal_mask_offset, self._game.num_actions)
        found = losses(logits, value, masks, wanted, targets, self._config.value_weight)
        if not is_usable(found):
            return None
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.zero_grad(set_to_none=True)
        found.total.backward()  # type: ignore[no-untyped-call]
        if self._config.grad_clip:
            nn.utils.clip_grad_norm_(self.network.parameters(), self._config.grad_clip)
        self._optimizer.step()
        return Losses(*(part.detach() for part in found))

    def evaluate(self, observations: Array) -> tuple[Array, Array]:
        """Logits ``[B, A]`` and values ``[B]``, as a model on disk would give them."""
        self.network.eval()
        with torch.inference_mode():
            logits, value = self.network(torch.from_numpy(np.array(observations, np.float32)).to(self._device))
        return logits.float().cpu().numpy(), value.float().squeeze(1).cpu().numpy()

    def export(self, path: Path) -> None:
        export(self.network, self._game.obs_size, path)

    def save(self, folder: Path, step: int, samples: int) -> None:
        save_state(folder, self._game.env_id, str(self._shape), step, samples, self.network, self._optimizer)

    def load(self, folder: Path) -> tuple[int, int] | None:
        """Step and samples where a training stood; None where there is none; ValueError for one of another kind."""
        return load_state(folder, self._game.env_id, str(self._shape), self.network, self._optimizer, self._device)
