"""A trained policy as a network of ``jimbo.models``: for play, for export, and to begin as a clone of a player."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from itertools import repeat
from pathlib import Path
from typing import Any, cast

import torch
from stable_baselines3.common.base_class import BaseAlgorithm
from torch import Tensor, nn

from jimbo.engine import LAST_ANTE
from jimbo.models import NetworkConfig
from jimbo.models.export import example_decisions, export_network
from jimbo.models.network import NOWHERE, EntityNetwork, Judgement
from jimbo.models.outputs import BLINDS_AHEAD
from jimbo.training.config import TrainerConfig
from jimbo.training.policies import EntityExtractor, Layers, Scores

SCALE = 0.2
"""By which ``network_inputs`` multiplies the numbers of candidates."""


class PolicyNetwork(nn.Module):
    """The same weights as the policy's; the normalization of the candidates' numbers is part of it.

    It chooses, and expects nothing: the heads for the outcome of a game are zeros.
    """

    mean: Tensor
    spread: Tensor

    def __init__(self, model: BaseAlgorithm) -> None:
        super().__init__()
        self.extractor, self.layers, self.scores = _parts_of(model)
        self.normalizes = (statistics := _statistics(model)) is not None
        mean, variance, epsilon, self._most = statistics or (0.0, 1.0, 0.0, 0.0)
        self.register_buffer("mean", torch.as_tensor(mean, dtype=torch.float32))
        self.register_buffer("spread", torch.sqrt(torch.as_tensor(variance, dtype=torch.float32) + epsilon))

    @property
    def config(self) -> NetworkConfig:
        return self.extractor.trunk.config

    @property
    def names(self) -> nn.Embedding:
        return self.extractor.trunk.names

    def judge(self, inputs: Mapping[str, Tensor]) -> Judgement:
        logits = self.logits(inputs)
        nothing = torch.zeros_like(inputs["state_numbers"][:, :1])
        return Judgement(
            logits,
            nothing.squeeze(-1),
            torch.cat(list(repeat(nothing, BLINDS_AHEAD)), dim=1),
            torch.cat(list(repeat(nothing, LAST_ANTE)), dim=1),
        )

    def logits(self, inputs: Mapping[str, Tensor]) -> Tensor:
        """``[B, K]``, for any K."""
        mask = inputs["mask"]
        features, tokens = self.extractor.read({**inputs, "candidate_numbers": self._normal(inputs)})
        assert tokens is not None
        context = self.layers.mlp.forward_actor(features)
        return self.scores.scores_of(context, tokens, mask).masked_fill(~mask, NOWHERE)

    def _normal(self, inputs: Mapping[str, Tensor]) -> Tensor:
        numbers = inputs["candidate_numbers"]
        if not self.normalizes:
            return numbers
        return ((numbers / SCALE - self.mean) / self.spread).clamp(-self._most, self._most) * SCALE


def plays_candidates(model: BaseAlgorithm) -> bool:
    """Whether a model can be turned into a PolicyNetwork."""
    policy: Any = model.policy
    extractor = policy.q_net.features_extractor if hasattr(policy, "q_net") else policy.features_extractor
    return isinstance(extractor, EntityExtractor) and extractor.tokens is not None


def export_policy(model: BaseAlgorithm, config: TrainerConfig, path: Path, about: Mapping[str, Any]) -> None:
    """Writes an ONNX file that ``--agent network --set model=FILE`` plays."""
    if not plays_candidates(model):
        raise ValueError(
            'only policies over candidates can be exported: use feature_extractor_type="balatro" and '
            'actions="candidates"'
        )
    network = copy.deepcopy(PolicyNetwork(model))
    listed = network.extractor.parts.actions
    card = {"method": "sb3", "algorithm": config.algorithm, "candidates": listed, **about}
    path.parent.mkdir(parents=True, exist_ok=True)
    export_network(cast(EntityNetwork, network), path, card, example_decisions(min(listed, 128)))


def _parts_of(model: BaseAlgorithm) -> tuple[EntityExtractor, Layers, Scores]:
    policy: Any = model.policy
    if hasattr(policy, "q_net"):
        return policy.q_net.features_extractor, policy.q_net.layers, policy.q_net.q_net
    return policy.features_extractor, policy.mlp_extractor, policy.action_net


def _statistics(model: BaseAlgorithm) -> tuple[Any, Any, float, float] | None:
    normalize = model.get_vec_normalize_env()
    if normalize is None or not normalize.norm_obs or not isinstance(normalize.obs_rms, dict):
        return None
    known = normalize.obs_rms.get("candidate_rows")
    return None if known is None else (known.mean, known.var, normalize.epsilon, normalize.clip_obs)
