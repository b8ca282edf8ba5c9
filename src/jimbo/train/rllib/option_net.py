"""OptionNet: a small network over the options of ``jimbo/Campaign-v0`` as an RLModule, with a value head."""

from __future__ import annotations

from typing import Any

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import Tensor, nn

from jimbo.engine.decisions import INPUTS
from jimbo.models.network import NOWHERE
from jimbo.models.option_reader import OptionReader

WIDTH, HIDDEN = 128, 64


class OptionNet(TorchRLModule, ValueFunctionAPI):
    """Each option has a score, made from the run as it stands after it; what is not listed is never chosen."""

    def setup(self) -> None:
        self.reader = OptionReader(self.observation_space, WIDTH, INPUTS)
        self.score = nn.Sequential(nn.Linear(WIDTH, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 1))
        self.value_head = nn.Sequential(nn.Linear(WIDTH, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 1))

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        shown = batch[Columns.OBS]
        mask = shown["action_mask"] > 0.5
        mask[:, 0] |= ~mask.any(dim=1)  # rows that only fill up
        scores = self.score(self.reader.options(shown, mask))[:, 0]
        return {Columns.ACTION_DIST_INPUTS: scores.new_full(mask.shape, NOWHERE).masked_scatter(mask, scores)}

    def _forward_train(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {**self._forward(batch), Columns.EMBEDDINGS: self.reader.run(batch[Columns.OBS])}

    def compute_values(self, batch: dict[str, Any], embeddings: Tensor | None = None) -> Tensor:
        """Return values; without embeddings they have no gradient: they say what a batch is worth before an update."""
        if embeddings is None:
            with torch.no_grad():
                return self.compute_values(batch, self.reader.run(batch[Columns.OBS]))
        values: Tensor = self.value_head(embeddings).squeeze(-1)
        return values
