"""The network that reads the options of ``jimbo/Campaign-v0`` for Stable-Baselines3."""

from __future__ import annotations

from collections.abc import Mapping

from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

from jimbo.engine.decisions import INPUTS
from jimbo.models.option_reader import OptionReader
from jimbo.training.policies import MASK, Parts

WIDTH = 128
"""Numbers that each network has for an input of a run."""


class OptionExtractor(BaseFeaturesExtractor):
    """Features of the run, and a vector of each option, from the run as it stands after it."""

    def __init__(self, observation_space: spaces.Dict, features_dim: int) -> None:
        (actions,) = observation_space[MASK].shape or ()
        parts = Parts(features_dim, actions, features_dim)
        super().__init__(observation_space, parts.features + parts.rest)
        self.parts = parts
        self.reader = OptionReader(observation_space, WIDTH, INPUTS)
        self.of_run = nn.Sequential(nn.Linear(WIDTH, features_dim), nn.ReLU())
        self.of_option = nn.Sequential(nn.Linear(WIDTH, features_dim), nn.ReLU())

    def forward(self, observations: Mapping[str, Tensor]) -> Tensor:
        mask = observations[MASK] > 0.5
        options = self.of_option(self.reader.options(observations, mask))
        tokens = options.new_zeros(*mask.shape, options.shape[-1]).masked_scatter(mask.unsqueeze(-1), options)
        return self.parts.joined(self.of_run(self.reader.run(observations)), tokens, mask)
