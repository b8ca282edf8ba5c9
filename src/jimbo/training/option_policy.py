"""The network that reads the options of ``jimbo/Campaign-v0`` for Stable-Baselines3."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

from jimbo.engine.decisions import INPUTS, summary_numbers
from jimbo.training.policies import MASK, Parts

WIDTH = 128
"""Of the layer that reads the inputs of a run."""
FIRST_SPREAD = 0.05
"""Standard deviation of the first weights: about fifty inputs are not zero."""


class OptionExtractor(BaseFeaturesExtractor):
    """Reads the run and the run after each option by the same first layer, in any layout but ``flat``."""

    def __init__(self, observation_space: spaces.Dict, features_dim: int) -> None:
        (actions,) = observation_space[MASK].shape or ()
        parts = Parts(features_dim, actions, features_dim)
        super().__init__(observation_space, parts.features + parts.rest)
        self.parts = parts
        self.sparse = "state_indices" in observation_space.spaces
        self.name = next(name for name in ("values", "inputs", "summary") if f"state_{name}" in observation_space.spaces)
        self.first = nn.EmbeddingBag(INPUTS if self.name != "summary" else len(summary_numbers()), WIDTH, mode="sum")
        nn.init.normal_(self.first.weight, std=FIRST_SPREAD)
        self.bias = nn.Parameter(torch.zeros(WIDTH))
        self.of_run = nn.Sequential(nn.Linear(WIDTH, features_dim), nn.ReLU())
        self.of_option = nn.Sequential(nn.Linear(WIDTH, features_dim), nn.ReLU())

    def forward(self, observations: Mapping[str, Tensor]) -> Tensor:
        mask = observations[MASK] > 0.5
        options = self.of_option(self._read(observations, "option", mask))
        tokens = options.new_zeros(*mask.shape, options.shape[-1]).masked_scatter(mask.unsqueeze(-1), options)
        features = self.of_run(self._read(observations, "state", torch.ones_like(mask[:, 0])))
        return self.parts.joined(features, tokens, mask)

    def _read(self, observations: Mapping[str, Tensor], of: str, mask: Tensor) -> Tensor:
        """Return the first layer for the lines that the mask names, ``[N, WIDTH]``."""
        values = observations[f"{of}_{self.name}"][mask].float()
        if not self.sparse:
            return nn.functional.relu(values @ self.first.weight + self.bias)
        used = values != 0
        counts = used.sum(dim=1)
        indices = observations[f"{of}_indices"][mask][used].long()
        return nn.functional.relu(self.first(indices, counts.cumsum(0) - counts, values[used]) + self.bias)
