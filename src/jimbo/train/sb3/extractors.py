"""What a policy makes of an observation: features of the state, a vector for each candidate, and what is allowed.

Stable-Baselines3 wants one tensor ``[B, X]`` from an extractor, so the three lie in it side by side; ``Parts`` tells
them apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor, CombinedExtractor, FlattenExtractor
from torch import Tensor, nn

from jimbo.data.samples import candidate_widths
from jimbo.engine import observation_dtype
from jimbo.models.config import config_of
from jimbo.models.inputs import list_names, network_inputs
from jimbo.models.network import CandidateTokens, EntityTrunk

MASK = "action_mask"


@dataclass(frozen=True, slots=True)
class Parts:
    """How wide the parts of the tensor are."""

    features: int
    actions: int
    width: int = 0
    """Of the vector of each action; 0 where actions have none."""

    @property
    def total(self) -> int:
        return self.features + self.rest

    @property
    def rest(self) -> int:
        """Everything behind the features."""
        return self.actions * self.width + self.actions

    def joined(self, features: Tensor, tokens: Tensor | None, mask: Tensor) -> Tensor:
        told = [] if tokens is None else [tokens.flatten(1)]
        return torch.cat([features, *told, mask.to(features.dtype)], dim=1)

    def split(self, x: Tensor, first: int) -> tuple[Tensor, Tensor, Tensor]:
        """The ``first`` numbers, the vectors ``[B, A, width]`` and the mask ``[B, A]``, of ``[B, first + rest]``."""
        known, tokens, mask = torch.split(x, [first, self.actions * self.width, self.actions], dim=1)
        return known, tokens.reshape(len(x), self.actions, self.width), mask > 0.5


class EntityExtractor(BaseFeaturesExtractor):
    """The entity network of ``jimbo.models`` up to its heads; for observations of the layout ``packed``."""

    def __init__(self, observation_space: spaces.Dict, features_dim: int, size: str) -> None:
        actions = _actions(observation_space)
        listed = "candidate_ids" in observation_space.spaces
        config = config_of(size)
        parts = Parts(features_dim, actions, config.width if listed else 0)
        super().__init__(observation_space, parts.total)
        self.parts = parts
        self.trunk = EntityTrunk(config)
        self.tokens = CandidateTokens(config.width) if listed else None
        self.out = nn.Sequential(nn.Linear(config.width, features_dim), nn.ReLU())

    def forward(self, observations: Mapping[str, Tensor]) -> Tensor:
        mask = observations[MASK] > 0.5
        features, tokens = self.read(self._inputs(observations))
        return self.parts.joined(features, tokens, mask)

    def read(self, inputs: Mapping[str, Tensor]) -> tuple[Tensor, Tensor | None]:
        """Features ``[B, F]`` and vectors of the candidates ``[B, K, width]``, from the inputs of a network."""
        lists = {name: inputs[name] for name in list_names()}
        state, cards = self.trunk.look(inputs["state_ids"], inputs["state_numbers"], lists)
        features = self.out(state)
        if self.tokens is None:
            return features, None
        told = self.tokens.told(
            self.trunk.names,
            cards,
            inputs["descriptions"],
            inputs["candidate_description"],
            inputs["candidate_cards"],
        )
        return features, self.tokens.met(state, told, inputs["candidate_numbers"])

    def _inputs(self, observations: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Stable-Baselines3 made floats of all numbers; ids and bytes are turned back."""
        device = observations[MASK].device
        n = len(observations[MASK])
        seen = _bytes(observations["observation"]).view(observation_dtype()).reshape(n)
        if self.tokens is None:
            ids, numbers = candidate_widths()
            listed = np.zeros((n, 1, ids), np.uint8), np.zeros((n, 1, numbers), np.float32), np.ones((n, 1), np.bool_)
        else:
            rows = observations["candidate_rows"].cpu().numpy()
            listed = _bytes(observations["candidate_ids"]), rows, (observations[MASK] > 0.5).cpu().numpy()
        arrays = network_inputs(seen, *listed)
        return {name: torch.from_numpy(array).to(device) for name, array in arrays.items()}


class FlatExtractor(BaseFeaturesExtractor):
    """All numbers of an observation in one row, and one layer; for every other observation."""

    def __init__(self, observation_space: spaces.Space[Any], features_dim: int, actions: int) -> None:
        parts = Parts(features_dim, actions)
        super().__init__(observation_space, parts.total)
        self.parts = parts
        inner: BaseFeaturesExtractor
        if isinstance(observation_space, spaces.Dict):
            inner = CombinedExtractor(observation_space)
        else:
            inner = FlattenExtractor(observation_space)
        self.inner = inner
        self.out = nn.Sequential(nn.Linear(inner.features_dim, features_dim), nn.ReLU())

    def forward(self, observations: Mapping[str, Tensor] | Tensor) -> Tensor:
        features = self.out(self.inner(observations))
        if isinstance(observations, Mapping) and MASK in observations:
            mask = observations[MASK]
        else:  # an environment without masks allows everything
            mask = torch.ones(len(features), self.parts.actions, device=features.device)
        return self.parts.joined(features, None, mask)


def _actions(space: spaces.Dict) -> int:
    shape = space[MASK].shape
    assert shape is not None
    return shape[0]


def _bytes(numbers: Tensor) -> np.ndarray[Any, np.dtype[np.uint8]]:
    array: np.ndarray[Any, np.dtype[np.uint8]] = numbers.to(torch.uint8).cpu().numpy()
    return array
