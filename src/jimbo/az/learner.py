"""What learns: a network, its optimizer, and the running mean of its weights, which is what plays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel

from jimbo.az.batches import Batch
from jimbo.az.learner_file import load_state, save_state
from jimbo.az.loss import Losses, is_usable
from jimbo.az.schema import GameMetadata
from jimbo.az.settings import TrainerConfig

Array = NDArray[Any]


class Learner(ABC):
    """One step after another; ``save`` and ``load`` keep it exactly as it is."""

    def __init__(
        self, game: GameMetadata, config: TrainerConfig, device: torch.device, network: nn.Module, shape: str
    ) -> None:
        self._game, self._config, self._device, self._shape = game, config, device, shape
        self.network = network.to(device)
        self._mean = AveragedModel(self.network, multi_avg_fn=_towards(config.average), use_buffers=True)
        self._mean.eval()
        self._optimizer = torch.optim.Adam(
            self.network.parameters(), lr=config.lr, weight_decay=config.weight_decay, fused=device.type == "cuda"
        )

    @property
    def published(self) -> Any:
        """The network that is evaluated and exported."""
        return self._mean.module

    def learn(self, batch: Batch, rate: float, random: np.random.Generator) -> Losses | None:
        """One step; None, and nothing changed, where the loss is not a number."""
        self.network.train()
        found = self._losses(batch, random)
        if not is_usable(found):
            return None
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.zero_grad(set_to_none=True)
        found.total.backward()  # type: ignore[no-untyped-call]
        if self._config.grad_clip:
            nn.utils.clip_grad_norm_(self.network.parameters(), self._config.grad_clip)
        self._optimizer.step()
        self._mean.update_parameters(self.network)
        return Losses(*(part.detach() for part in found))

    def save(self, folder: Path, step: int, samples: int) -> None:
        save_state(folder, self._game.env_id, self._shape, step, samples, self._parts())

    def load(self, folder: Path) -> tuple[int, int] | None:
        """Step and samples where a training stood; None where there is none; ValueError for one of another kind."""
        return load_state(folder, self._game.env_id, self._shape, self._parts(), self._device)

    def _parts(self) -> dict[str, Any]:
        return {"network": self.network, "mean": self._mean, "optimizer": self._optimizer}

    @abstractmethod
    def _losses(self, batch: Batch, random: np.random.Generator) -> Losses: ...

    @abstractmethod
    def evaluate(self, observations: Array) -> tuple[Array, Array]:
        """Logits ``[B, A]`` and values ``[B]``, as a model on disk would give them."""

    @abstractmethod
    def export(self, path: Path) -> None: ...


_Tensors = tuple[Tensor, ...] | list[Tensor]


def _towards(average: float) -> Callable[[_Tensors, _Tensors, Tensor | int], None]:
    """Moves a mean towards the newest weights; faster at first, when they are still far from good."""

    def move(means: _Tensors, newest: _Tensors, steps: Tensor | int) -> None:
        done = int(steps)
        kept = min(average, (1 + done) / (10 + done))
        for mean, new in zip(means, newest, strict=True):
            mean.lerp_(new, 1 - kept) if mean.is_floating_point() else mean.copy_(new)

    return move
