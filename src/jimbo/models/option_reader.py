"""The first layer of networks that read the options of ``jimbo/Campaign-v0`` (torch)."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from gymnasium import spaces
from torch import Tensor, nn

FIRST_SPREAD = 0.05
"""Standard deviation of the first weights: fewer than a hundred inputs are not zero."""
_NUMBERS = ("values", "inputs", "summary")


class OptionReader(nn.Module):
    """Reads a run, or the runs that options lead to, by one layer, in any layout but ``flat``."""

    def __init__(self, space: spaces.Dict, width: int, inputs: int) -> None:
        """``inputs``: how many there are where only those are shown that are not zero."""
        super().__init__()
        self.name = next(name for name in _NUMBERS if f"state_{name}" in space.spaces)
        (shown,) = space[f"state_{self.name}"].shape or (0,)
        self.sparse = self.name == "values"
        self.first = nn.EmbeddingBag(inputs if self.sparse else shown, width, mode="sum")
        nn.init.normal_(self.first.weight, std=FIRST_SPREAD)
        self.bias = nn.Parameter(torch.zeros(width))

    def run(self, shown: Mapping[str, Tensor]) -> Tensor:
        """Return ``[N, width]`` for the runs that are decided about."""
        return self._read(shown, "state", shown["action_mask"].new_ones(len(shown["action_mask"])) > 0)

    def options(self, shown: Mapping[str, Tensor], mask: Tensor) -> Tensor:
        """Return ``[options, width]`` for the options that the mask ``[N, K]`` names, row by row."""
        return self._read(shown, "option", mask)

    def _read(self, shown: Mapping[str, Tensor], of: str, mask: Tensor) -> Tensor:
        values = shown[f"{of}_{self.name}"][mask].to(self.bias.dtype)
        if not self.sparse:
            return nn.functional.relu(values @ self.first.weight + self.bias)
        used = values != 0
        counts = used.sum(dim=1)
        indices = shown[f"{of}_indices"][mask][used].long()
        return nn.functional.relu(self.first(indices, counts.cumsum(0) - counts, values[used]) + self.bias)
