"""Networks of the package as the models of self-play: they judge candidates, and say how a run will end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.engine.az.balatro import network_arrays, value_of
from jimbo.models.runtime import OnnxPolicy, model_file

Array = NDArray[Any]
_NOWHERE = np.float32(-1e9)


class BalatroModel:
    """A network in a file; BadModel says why it cannot be used."""

    def __init__(self, path: Path, *, threads: int = 1) -> None:
        self.path = path
        self._policy = OnnxPolicy(path, threads=threads)

    def evaluate(self, observations: Array) -> tuple[Array, Array]:
        """float32[B, obs_size] -> logits float32[B, num_actions], values float32[B]"""
        arrays = network_arrays(observations)
        found = self._policy.evaluate(*arrays)
        return np.where(arrays.mask, found.logits, _NOWHERE).astype(np.float32), value_of(found.win, found.ante)


def start_file() -> Path:
    """The network that the package brings: where self-play begins."""
    return model_file(None)
