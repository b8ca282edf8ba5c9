"""What a network is corrected by: cross-entropy with what the search thought, and the square of the value's mistake."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

_LOWEST = -30.0
"""Of a logarithm: a move that the search likes and the network thinks impossible must not cost without end."""


class Losses(NamedTuple):
    total: Tensor
    policy: Tensor
    value: Tensor


def legal_masks(observations: Tensor, offset: int, count: int) -> Tensor:
    """Which moves are legal, as observations say it. Where none is said to be, all are: there would be no number."""
    masks = observations[:, offset : offset + count] > 0.5
    return masks | ~masks.any(dim=1, keepdim=True)


def losses(
    logits: Tensor,
    value: Tensor,
    masks: Tensor,
    policies: Tensor,
    targets: Tensor,
    policy_weight: float = 1.0,
    value_weight: float = 1.0,
) -> Losses:
    """``logits``, ``masks`` and ``policies`` [B, A]; ``value`` [B, 1], ``targets`` [B]."""
    policy = policy_loss(logits.float().masked_fill(~masks, float("-inf")), policies)
    mistakes = (value.float().squeeze(1) - targets).square().mean()
    return weighed(policy, mistakes, policy_weight, value_weight)


def weighed(policy: Tensor, value: Tensor, policy_weight: float, value_weight: float) -> Losses:
    """A policy that does not count is left out, not multiplied by 0: the optimizer then leaves its weights alone."""
    total = value_weight * value
    return Losses(total + policy_weight * policy if policy_weight else total, policy, value)


def policy_loss(logits: Tensor, policies: Tensor) -> Tensor:
    shares = logits.float().log_softmax(dim=1).clamp(min=_LOWEST)
    return -(policies * shares).sum(dim=1).mean()


def is_usable(found: Losses) -> bool:
    return bool(torch.isfinite(found.total))
