"""The network of a value that learns, and its weights as they are kept and played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from jimbo.engine.value import VALUE_BLINDS, ValueNet, input_count
from jimbo.models.value_file import Weights, joined, net_of, side_by_side

OUTPUTS = 3 * VALUE_BLINDS
"""For each blind the logit of clearing it, the margin, and the dollars. Play needs the first alone."""
Widths = tuple[int, int]


def widths_of(weights: Mapping[str, NDArray[Any]]) -> Widths:
    return len(weights["first.bias"]), len(weights["second.bias"])


class SparseModel(nn.Module):
    """Three layers on the inputs of a value that are not zero; the outputs begin at zero."""

    def __init__(self, widths: Widths, outputs: int, dropout: float = 0.0) -> None:
        super().__init__()
        first, second = self.widths = widths
        self.first = nn.EmbeddingBag(input_count() + 1, first, mode="sum", padding_idx=input_count())
        self.first_bias = nn.Parameter(torch.zeros(first))
        self.second = nn.Linear(first, second)
        self.third = nn.Linear(second, outputs)
        self.dropout = nn.Dropout(dropout)
        nn.init.normal_(self.first.weight, std=0.08)
        nn.init.zeros_(self.third.weight)
        nn.init.zeros_(self.third.bias)
        with torch.no_grad():
            self.first.weight[input_count()] = 0

    def forward(self, index: Tensor, value: Tensor) -> Tensor:
        """[B, W] indices and values -> [B, outputs]."""
        hidden = functional.relu(self.first(index, per_sample_weights=value) + self.first_bias)
        hidden = functional.relu(self.second(self.dropout(hidden)))
        found: Tensor = self.third(self.dropout(hidden))
        return found

    def weights(self) -> Weights:
        def plain(tensor: Tensor) -> NDArray[Any]:
            array: NDArray[Any] = tensor.detach().float().cpu().contiguous().numpy()
            return array

        return {
            "first.weight": plain(self.first.weight[: input_count()]),
            "first.bias": plain(self.first_bias),
            "second.weight": plain(self.second.weight.T),
            "second.bias": plain(self.second.bias),
            "third.weight": plain(self.third.weight.T),
            "third.bias": plain(self.third.bias),
        }

    def approach(self, other: SparseModel, share: float) -> None:
        """Move the weights by a share towards those of another."""
        with torch.no_grad():
            for own, new in zip(self.parameters(), other.parameters(), strict=True):
                own.lerp_(new, share)

    def take(self, weights: Mapping[str, NDArray[Any]]) -> None:
        """Take weights; ValueError if they have another shape."""
        own = self.weights()
        if widths_of(weights) != self.widths:
            raise ValueError(f"init: its widths are {list(widths_of(weights))}. Set widths to these, or both to more.")
        if any(weights[name].shape != own[name].shape for name in own):
            raise ValueError("init: the layers of this value do not fit one another.")
        given = {name: torch.from_numpy(weights[name].copy()) for name in own}
        with torch.no_grad():
            self.first.weight[: input_count()] = given["first.weight"].to(self.first.weight)
            self.first_bias.copy_(given["first.bias"])
            for name in ("second", "third"):
                layer: nn.Linear = getattr(self, name)
                layer.weight.copy_(given[f"{name}.weight"].T)
                layer.bias.copy_(given[f"{name}.bias"])


class ValueModel(SparseModel):
    def __init__(self, widths: Widths, dropout: float) -> None:
        super().__init__(widths, OUTPUTS, dropout)
        with torch.no_grad():
            # Later blinds are cleared less often, whatever else is known.
            self.third.bias[:VALUE_BLINDS] = torch.linspace(2, -4, VALUE_BLINDS)

    def apart(self) -> Tensor:
        """Return 0 for each weight of the second layer that would join networks which stand side by side, else 1."""
        parts = side_by_side(self.weights()["second.weight"])
        return torch.from_numpy(joined(np.ones_like(parts)).T.copy()).to(self.second.weight)

    def native(self) -> ValueNet:
        """Return the net as it plays."""
        return net_of(self.weights())

    def join(self, one: ValueModel, other: ValueModel) -> None:
        """Become both, side by side: each output is the mean of theirs."""
        first, second = one.widths
        with torch.no_grad():
            self.first.weight.copy_(torch.cat([one.first.weight, other.first.weight], dim=1))
            self.first_bias.copy_(torch.cat([one.first_bias, other.first_bias]))
            self.second.weight.zero_()
            self.second.weight[:second, :first] = one.second.weight
            self.second.weight[second:, first:] = other.second.weight
            self.second.bias.copy_(torch.cat([one.second.bias, other.second.bias]))
            self.third.weight.copy_(torch.cat([one.third.weight, other.third.weight], dim=1) / 2)
            self.third.bias.copy_((one.third.bias + other.third.bias) / 2)
