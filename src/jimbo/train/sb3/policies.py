"""Policies of Stable-Baselines3 that read what is allowed from the observation, for PPO, A2C and DQN."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.policies import ActorCriticPolicy
from stable_baselines3.common.type_aliases import PyTorchObs, Schedule
from stable_baselines3.dqn.policies import DQNPolicy, QNetwork
from torch import Tensor, nn

from jimbo.models.looking import NOWHERE
from jimbo.train.sb3.extractors import Parts
from jimbo.train.sb3.heads import Layers, NetArch, Scores

if TYPE_CHECKING:
    _Base = ActorCriticPolicy
else:
    _Base = object


class _MaskedHeads(_Base):
    """Our layers and scores in the place of SB3's."""

    def _build_mlp_extractor(self) -> None:
        self.mlp_extractor = Layers(self._parts(), self.net_arch, self.activation_fn)  # type: ignore[assignment,arg-type]

    def _build(self, lr_schedule: Schedule) -> None:
        super()._build(lr_schedule)
        assert isinstance(self.mlp_extractor, Layers)
        self.action_net = Scores(self._parts(), self.mlp_extractor.context)
        # The optimizer that was just made does not know them.
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)  # type: ignore[call-arg]

    def _parts(self) -> Parts:
        parts = self.features_extractor.parts
        assert isinstance(parts, Parts)
        return parts


class MaskedPPOPolicy(_MaskedHeads, MaskableActorCriticPolicy):  # type: ignore[misc]
    """For MaskablePPO. Masks that are given count as well as the observation's own."""


class MaskedA2CPolicy(_MaskedHeads, ActorCriticPolicy):
    """For A2C: actions that are not allowed have no probability, so neither chance nor a gradient reaches them."""


class MaskedQNetwork(QNetwork):
    """Values of actions, as the state's value and how much better each action is than the mean of those allowed.

    So the last state of a game that was cut off, which lists no candidates and allows one empty action, is worth what
    the state is worth. Actions that are not allowed have a value that is finite and lower than any other.
    """

    def __init__(self, *args: Any, net_arch: NetArch, **kwargs: Any) -> None:
        super().__init__(*args, net_arch=[], **kwargs)  # type: ignore[misc]
        parts = self.features_extractor.parts
        assert isinstance(parts, Parts)
        self.net_arch = net_arch  # type: ignore[assignment]
        self.layers = Layers(parts, net_arch, self.activation_fn)
        self.value = nn.Linear(self.layers.latent_dim_vf, 1)
        self.q_net = Scores(parts, self.layers.context)  # type: ignore[assignment]

    def forward(self, obs: PyTorchObs) -> Tensor:
        latent_pi, latent_vf = self.layers(self.extract_features(obs, self.features_extractor))
        scores, mask = self.q_net.scored(latent_pi)  # type: ignore[operator]
        allowed = mask.to(scores.dtype)
        mean = (scores * allowed).sum(dim=1, keepdim=True) / allowed.sum(dim=1, keepdim=True).clamp(min=1.0)
        values: Tensor = self.value(latent_vf) + scores - mean
        return torch.where(mask, values, torch.full_like(values, NOWHERE))


class MaskedDQNPolicy(DQNPolicy):
    """For ``MaskedDQN``; the target network masks as the other does."""

    def make_q_net(self) -> QNetwork:
        arguments = self._update_features_extractor(self.net_args, features_extractor=None)
        return MaskedQNetwork(**arguments).to(self.device)
