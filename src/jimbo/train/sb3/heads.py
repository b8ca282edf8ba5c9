"""From features to scores of actions. What is not allowed scores so low that it is never chosen."""

from __future__ import annotations

import torch
from stable_baselines3.common.torch_layers import MlpExtractor
from torch import Tensor, nn

from jimbo.models.looking import NOWHERE
from jimbo.models.network import best_of
from jimbo.train.sb3.extractors import Parts

NetArch = dict[str, list[int]]
"""``pi``: layers before the choice; ``vf``: layers before the value."""
FIRST_SCALE = 0.01
"""Of the scores of a new network: its first choices are nearly random."""


class Layers(nn.Module):
    """The layers of the framework's ``policy_net_arch`` and ``value_net_arch``, in place of SB3's own.

    The actor's side keeps what lies behind the features. The value is made from the features alone: it must be right
    for the last state of a game that was cut off, too, when no candidates are listed any more.
    """

    def __init__(self, parts: Parts, net_arch: NetArch, activation: type[nn.Module]) -> None:
        super().__init__()
        self.parts = parts
        self.mlp = MlpExtractor(parts.features, net_arch, activation)
        self.context = self.mlp.latent_dim_pi
        self.latent_dim_pi = self.context + parts.rest
        self.latent_dim_vf = self.mlp.latent_dim_vf

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        return self.forward_actor(x), self.forward_critic(x)

    def forward_actor(self, x: Tensor) -> Tensor:
        features, rest = torch.split(x, [self.parts.features, self.parts.rest], dim=1)
        return torch.cat([self.mlp.forward_actor(features), rest], dim=1)

    def forward_critic(self, x: Tensor) -> Tensor:
        value: Tensor = self.mlp.forward_critic(x[:, : self.parts.features])
        return value


class Scores(nn.Module):
    """A score for each action: candidates by one head that all share, steps by a row of weights each."""

    def __init__(self, parts: Parts, context: int) -> None:
        super().__init__()
        self.parts, self.context = parts, context
        if parts.width:
            self.own = nn.Linear(parts.width, parts.width)
            self.of_best = nn.Linear(parts.width + context, parts.width, bias=False)
            self.score = nn.Linear(parts.width, 1)
        else:
            self.score = nn.Linear(context, parts.actions)
        with torch.no_grad():
            self.score.weight.mul_(FIRST_SCALE)
            self.score.bias.zero_()

    def forward(self, x: Tensor) -> Tensor:
        """``[B, A]``, very low where an action is not allowed."""
        scores, mask = self.scored(x)
        return scores.masked_fill(~mask, NOWHERE)

    def scored(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Scores of all actions, and which are allowed, from what ``Layers.forward_actor`` gives."""
        context, tokens, mask = self.parts.split(x, self.context)
        return self.scores_of(context, tokens, mask), mask

    def scores_of(self, context: Tensor, tokens: Tensor, mask: Tensor) -> Tensor:
        if not self.parts.width:
            scores: Tensor = self.score(context)
            return scores
        around = self.of_best(torch.cat([best_of(tokens, mask), context], dim=1)).unsqueeze(1)
        of_each: Tensor = self.score(nn.functional.gelu(self.own(tokens) + around))
        return of_each.squeeze(-1)
