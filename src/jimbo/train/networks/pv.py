"""Policy and value: behaviour cloning, and what came of the game.

From the state and the best candidates the network also says how likely the run is won, how likely one more blind is
beaten, two more, ..., and in which ante it ends. All decisions of a game have nearly the same answer, so there are few
labels to learn from, and a network would soon know the games by heart: the heads read what the policy learns to see,
and change nothing of it.
"""

from __future__ import annotations

from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from jimbo.data.samples import Samples
from jimbo.models.network import Judgement
from jimbo.models.outcomes import outcomes
from jimbo.train.networks.bc import Losses, policy_loss
from jimbo.train.networks.settings import TrainSettings

Array = NDArray[Any]


def losses(judgement: Judgement, samples: Samples, indices: Array, settings: TrainSettings) -> Losses:
    policy = policy_loss(judgement, samples, indices, settings.softness)
    value = value_losses(judgement, samples, indices)
    return {"loss": policy + settings.value_weight * sum_of(value), "policy": policy, **value}


def value_losses(judgement: Judgement, samples: Samples, indices: Array) -> Losses:
    device = judgement.win.device
    target = outcomes(samples, indices)
    win, clear, clear_known, ante, known = (torch.from_numpy(part).to(device) for part in target)
    return {
        "win": _mean(binary_cross_entropy_with_logits(judgement.win, win, reduction="none"), known),
        "clear": _mean(binary_cross_entropy_with_logits(judgement.clear, clear, reduction="none"), clear_known),
        "ante": _mean(cross_entropy(judgement.ante, ante, reduction="none"), known),
    }


def sum_of(parts: Losses) -> Tensor:
    return torch.stack(list(parts.values())).sum()


def _mean(losses: Tensor, weights: Tensor) -> Tensor:
    return (losses * weights).sum() / weights.sum().clamp(min=1.0)
