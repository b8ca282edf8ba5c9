"""Behaviour cloning: choose as the recorded player did.

The loss is the cross-entropy between the network's choice among the candidates that were allowed and the player's.
Where the player told what it found each candidate worth, part of the target goes to those it found nearly as good.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from jimbo.data.samples import Samples
from jimbo.models.network import Judgement
from jimbo.train.networks.settings import TrainSettings
from jimbo.train.networks.targets import choices

Array = NDArray[Any]
Losses = dict[str, Tensor]
"""By name; ``loss`` is what is made smaller."""


def losses(judgement: Judgement, samples: Samples, indices: Array, settings: TrainSettings) -> Losses:
    policy = policy_loss(judgement, samples, indices, settings.softness)
    return {"loss": policy, "policy": policy}


def policy_loss(judgement: Judgement, samples: Samples, indices: Array, softness: float) -> Tensor:
    device = judgement.logits.device
    target = choices(samples, indices, softness)
    shares = torch.from_numpy(target.shares).to(device)
    counts = torch.from_numpy(target.counts.astype(np.float32)).to(device)
    surprise = -(shares * judgement.logits.log_softmax(dim=-1)).sum(dim=-1)
    return (surprise * counts).sum() / counts.sum().clamp(min=1.0)
