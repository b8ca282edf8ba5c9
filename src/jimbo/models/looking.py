"""Tokens that look at one another."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from jimbo.models.config import NetworkConfig

NOWHERE = -1e9
"""Instead of minus infinity, which makes NaN where nothing is left."""
_FEW_PAIRS = 1024
"""Of tokens, counted for each two heads: with so many at most the heads look together, because calls take most time."""


class Layer(nn.Module):
    """One round in which the tokens look at one another."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        width = config.width
        self.heads = config.heads
        self.norm = nn.LayerNorm(width)
        self.look = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.think = nn.Sequential(
            nn.LayerNorm(width),
            nn.Linear(width, 2 * width),
            nn.GELU(),
            nn.Dropout(config.dropout),
            nn.Linear(2 * width, width),
        )

    def forward(self, x: Tensor, hidden: Tensor, wanted: int) -> Tensor:
        """What the first ``wanted`` tokens see in all of them."""
        width, seen = x.shape[-1], self.norm(x)
        if wanted == x.shape[1]:
            query, key, value = self.look(seen).chunk(3, dim=-1)
        else:
            weight, bias = self.look.weight, self.look.bias
            query = nn.functional.linear(seen[:, :wanted], weight[:width], bias[:width])
            key, value = nn.functional.linear(seen, weight[width:], bias[width:]).chunk(2, dim=-1)
        x = x[:, :wanted] + self.out(_looked(query, key, value, hidden, self.heads))
        thought: Tensor = x + self.think(x)
        return thought


def _looked(query: Tensor, key: Tensor, value: Tensor, hidden: Tensor, heads: int) -> Tensor:
    """[B, T, width]: what each query finds; ``hidden``: very low for tokens that are not there."""
    if heads**2 * query.shape[1] * key.shape[1] <= _FEW_PAIRS and not torch.onnx.is_in_onnx_export():
        return _looked_together(query, key, value, hidden, heads)
    first, second, third = (part.reshape(*part.shape[:2], heads, -1).transpose(1, 2) for part in (query, key, value))
    found = nn.functional.scaled_dot_product_attention(first, second, third, attn_mask=hidden)
    return found.transpose(1, 2).flatten(2)


def _looked_together(query: Tensor, key: Tensor, value: Tensor, hidden: Tensor, heads: int) -> Tensor:
    """The same, each token once for each head in one list, and heads do not see one another."""
    batch, length, width = key.shape
    queries, keys, values = (part.reshape(batch, part.shape[1] * heads, width // heads) for part in (query, key, value))
    others = torch.eye(heads, dtype=torch.bool, device=key.device).logical_not().repeat(query.shape[1], length)
    there = hidden.reshape(batch, 1, length).repeat_interleave(heads, dim=2).masked_fill(others, NOWHERE)
    found = torch.baddbmm(there, queries, keys.transpose(1, 2), alpha=(width // heads) ** -0.5).softmax(dim=-1) @ values
    return found.reshape(batch, query.shape[1], width)
