"""BalatroNet: the entity network as an RLModule, with a value head; it may remember, and read a graph embedding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import Tensor, nn

from jimbo.engine import observation_dtype
from jimbo.models import config_of
from jimbo.models.inputs import CANDIDATES, list_names, network_inputs
from jimbo.models.network import NOWHERE, EntityNetwork

VALUED = 1024
"""Decisions that are valued at once: a whole batch would need gigabytes."""
PIECE = 256
"""Decisions that are looked at together: those with about as many actions, so that little is computed about nothing."""
GRAPH = "graph_embedding"
"""The entry of an observation that a knowledge graph may fill; where it is missing there are zeros."""


class _Seen(NamedTuple):
    """What the network makes of decisions, ``[N, ...]``."""

    logits: Tensor
    known: Tensor
    """The state, and the best of the candidates: what the value is made of."""
    memory: dict[str, Tensor]
    """After the last decision of each run; empty without an LSTM."""


class BalatroNet(TorchRLModule, ValueFunctionAPI):
    """Encoders of cards, jokers..., a shared trunk, scores of the listed actions, and the value of the state.

    ``model_config`` has the fields of ``ModelConfig``. It reads observations of the layout "packed" with candidates;
    actions that are not listed have a score of minus a billion, so they are never chosen.
    """

    def setup(self) -> None:
        config = self.model_config
        self.network = EntityNetwork(config_of(config["size"]))
        # What these heads tell is learnt from whole games, not by PPO; learners side by side refuse idle weights.
        self.network.outlook.requires_grad_(False)
        width = self.network.config.width
        self.value_head = nn.Sequential(nn.Linear(2 * width, width), nn.GELU(), nn.Linear(width, 1))
        dim = config["graph_embedding_dim"]
        self.graph = nn.Linear(dim, width, bias=False) if dim else None
        self.memory = nn.LSTM(width, width, batch_first=True) if config["lstm"] else None

    def get_initial_state(self) -> dict[str, Any]:
        if self.memory is None:
            return {}
        return {name: np.zeros(self.memory.hidden_size, np.float32) for name in ("h", "c")}

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        seen = self._look(batch)
        return {Columns.ACTION_DIST_INPUTS: seen.logits, **self._kept(seen)}

    def _forward_train(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        seen = self._look(batch)
        return {Columns.ACTION_DIST_INPUTS: seen.logits, Columns.EMBEDDINGS: seen.known, **self._kept(seen)}

    def compute_values(self, batch: dict[str, Any], embeddings: Tensor | None = None) -> Tensor:
        """Without embeddings nothing is learnt from the values: they are what a batch is worth before an update."""
        if embeddings is not None:
            values: Tensor = self.value_head(embeddings).squeeze(-1)
            return values
        rows = len(batch[Columns.OBS]["action_mask"])
        with torch.no_grad():
            parts = [self._look(_part(batch, start, VALUED)).known for start in range(0, rows, VALUED)]
            return self.compute_values(batch, torch.cat(parts))

    @staticmethod
    def _kept(seen: _Seen) -> dict[str, Any]:
        return {Columns.STATE_OUT: seen.memory} if seen.memory else {}

    def _look(self, batch: Mapping[str, Any]) -> _Seen:
        """Decisions ``[N, ...]``, or with an LSTM ``[runs, decisions, ...]``."""
        shown = batch[Columns.OBS]
        shape = shown["action_mask"].shape[:-1]
        if self.memory is None:
            return self._judge_in_pieces(shown)
        flat = {name: value.flatten(0, 1) for name, value in shown.items()}
        seen = self._judge(flat, batch[Columns.STATE_IN], shape)
        return _Seen(seen.logits.reshape(*shape, -1), seen.known.reshape(*shape, -1), seen.memory)

    def _judge_in_pieces(self, shown: Mapping[str, Tensor]) -> _Seen:
        mask = shown["action_mask"]
        if len(mask) < 2 * PIECE:
            return self._judge(shown, {}, mask.shape[:-1])
        order = mask.sum(dim=-1).argsort()
        seen = [
            self._judge({name: value[piece] for name, value in shown.items()}, {}, piece.shape)
            for piece in order.tensor_split(len(order) // PIECE)
        ]
        back = order.argsort()
        logits, known, _ = zip(*seen, strict=True)
        return _Seen(torch.cat(logits)[back], torch.cat(known)[back], {})

    def _judge(self, shown: Mapping[str, Tensor], memory: Mapping[str, Tensor], shape: torch.Size) -> _Seen:
        device = self.network.names.weight.device
        inputs = {name: torch.from_numpy(array).to(device) for name, array in inputs_of(shown).items()}
        network = self.network
        lists = {name: inputs[name] for name in list_names()}
        state, cards = network.look(inputs["state_ids"], inputs["state_numbers"], lists)
        if self.graph is not None:
            told_by_graph = shown[GRAPH].to(device) if GRAPH in shown else state.new_zeros(1, self.graph.in_features)
            state = state + self.graph(told_by_graph)
        after: dict[str, Tensor] = {}
        if self.memory is not None:
            before = (memory["h"].unsqueeze(0).contiguous(), memory["c"].unsqueeze(0).contiguous())
            remembered, (h, c) = self.memory(state.reshape(*shape, -1), before)
            state, after = state + remembered.flatten(0, 1), {"h": h.squeeze(0), "c": c.squeeze(0)}
        descriptions, which, named, numbers, mask = (inputs[name] for name in CANDIDATES)
        told = network.candidates.told(network.names, cards, descriptions, which, named)
        logits, best = network.candidates(state, told, numbers, mask)
        missing = shown["action_mask"].shape[-1] - logits.shape[-1]
        logits = nn.functional.pad(logits, (0, missing), value=NOWHERE)
        return _Seen(logits, torch.cat([state, best], dim=-1), after)


def inputs_of(shown: Mapping[str, Tensor]) -> dict[str, Any]:
    """What the network is given of packed observations ``[N, ...]``; no wider than the longest list of actions."""
    arrays = {name: value.detach().cpu().numpy() for name, value in shown.items() if name != GRAPH}
    mask = arrays["action_mask"].astype(np.bool_)
    mask[:, 0] |= ~mask.any(axis=1)  # rows that only fill up a sequence
    width = 1 + int(np.flatnonzero(mask.any(axis=0))[-1])
    observations = np.ascontiguousarray(arrays["observation"].astype(np.uint8, copy=False))
    return network_inputs(
        observations.view(observation_dtype())[:, 0],
        arrays["candidate_ids"][:, :width].astype(np.uint8, copy=False),
        arrays["candidate_rows"][:, :width],
        mask[:, :width],
    )


def _part(batch: Mapping[str, Any], start: int, size: int) -> dict[str, Any]:
    """Some rows of what the network reads of a batch."""
    cut = slice(start, start + size)
    return {
        name: {key: value[cut] for key, value in batch[name].items()}
        for name in (Columns.OBS, Columns.STATE_IN)
        if name in batch
    }
