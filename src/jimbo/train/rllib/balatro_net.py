"""BalatroNet: the entity network as an RLModule, with a value head; and its files for play without Ray."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModule
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import Tensor, nn

from jimbo.data.record import versions
from jimbo.engine import observation_dtype
from jimbo.files import reason
from jimbo.models.checkpoint import config_of, save_network
from jimbo.models.export import example_decisions, export_network
from jimbo.models.inputs import CANDIDATES, list_names, network_inputs
from jimbo.models.network import NOWHERE, EntityNetwork
from jimbo.rollout.ray_cluster import quiet_ray
from jimbo.train.rllib.checkpoints import Checkpoint
from jimbo.train.rllib.config import RllibConfig

PIECE = 256
"""Decisions in one pass: those with about as many actions go together, so that little is spent on padding."""
GRAPH = "graph_embedding"
"""The entry of an observation by which a knowledge graph of your own replaces the package's."""
_MODULE = Path("learner_group/learner/rl_module/default_policy")
"""Where a checkpoint keeps the network."""


class _Output(NamedTuple):
    """Results for decisions, ``[N, ...]``."""

    logits: Tensor
    known: Tensor
    """The state, and the best of the candidates: what the value is computed from."""
    memory: dict[str, Tensor]
    """After the last decision of each run; empty without an LSTM."""

    def columns(self) -> dict[str, Any]:
        state = {Columns.STATE_OUT: self.memory} if self.memory else {}
        return {Columns.ACTION_DIST_INPUTS: self.logits, **state}


class BalatroNet(TorchRLModule, ValueFunctionAPI):
    """Encoders of cards, jokers..., a shared trunk, scores of the listed actions, and the value of the state.

    ``model_config`` has the fields of ``ModelConfig``. It reads observations of the layout "packed" with candidates;
    actions that are not listed have a score of minus a billion, so they are never chosen.
    """

    def setup(self) -> None:
        config = self.model_config
        dim = config["graph_embedding_dim"]
        self.network = EntityNetwork(replace(config_of(config["size"]), graph_dim=dim))
        # These heads learn from whole games, not by PPO; several learners refuse weights without gradients.
        self.network.outlook.requires_grad_(False)
        width = self.network.config.width
        self.value_head = nn.Sequential(nn.Linear(2 * width, width), nn.GELU(), nn.Linear(width, 1))
        self.memory = nn.LSTM(width, width, batch_first=True) if config["lstm"] else None

    def get_initial_state(self) -> dict[str, Any]:
        if self.memory is None:
            return {}
        return {name: np.zeros(self.memory.hidden_size, np.float32) for name in ("h", "c")}

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        return self._outputs(batch).columns()

    def _forward_train(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        output = self._outputs(batch)
        return {**output.columns(), Columns.EMBEDDINGS: output.known}

    def compute_values(self, batch: dict[str, Any], embeddings: Tensor | None = None) -> Tensor:
        """Return values; without embeddings they have no gradient: they say what a batch is worth before an update."""
        if embeddings is None:
            with torch.no_grad():
                return self.compute_values(batch, self._outputs(batch).known)
        values: Tensor = self.value_head(embeddings).squeeze(-1)
        return values

    def _outputs(self, batch: Mapping[str, Any]) -> _Output:
        """Return the output for decisions ``[N, ...]``, or with an LSTM ``[runs, decisions, ...]``."""
        shown = batch[Columns.OBS]
        shape = shown["action_mask"].shape[:-1]
        if self.memory is None:
            return self._in_pieces(shown)
        flat = {name: value.flatten(0, 1) for name, value in shown.items()}
        output = self._at_once(flat, batch[Columns.STATE_IN], shape)
        return _Output(output.logits.reshape(*shape, -1), output.known.reshape(*shape, -1), output.memory)

    def _in_pieces(self, shown: Mapping[str, Tensor]) -> _Output:
        mask = shown["action_mask"]
        if len(mask) < 2 * PIECE:
            return self._at_once(shown, {}, mask.shape[:-1])
        order = mask.sum(dim=-1).argsort()
        outputs = [
            self._at_once({name: value[piece] for name, value in shown.items()}, {}, piece.shape)
            for piece in order.tensor_split(len(order) // PIECE)
        ]
        back = order.argsort()
        logits, known, _ = zip(*outputs, strict=True)
        return _Output(torch.cat(logits)[back], torch.cat(known)[back], {})

    def _at_once(self, shown: Mapping[str, Tensor], memory: Mapping[str, Tensor], shape: torch.Size) -> _Output:
        device = self.network.names.weight.device
        inputs = {name: torch.from_numpy(array).to(device) for name, array in _inputs_of(shown).items()}
        network = self.network
        lists = {name: inputs[name] for name in list_names()}
        graph = shown[GRAPH].to(device) if GRAPH in shown and network.graph is not None else None
        state, cards = network.look(inputs["state_ids"], inputs["state_numbers"], lists, graph)
        after: dict[str, Tensor] = {}
        if self.memory is not None:
            before = (memory["h"].unsqueeze(0).contiguous(), memory["c"].unsqueeze(0).contiguous())
            remembered, (h, c) = self.memory(state.reshape(*shape, -1), before)
            state, after = state + remembered.flatten(0, 1), {"h": h.squeeze(0), "c": c.squeeze(0)}
        descriptions, which, named, numbers, mask = (inputs[name] for name in CANDIDATES)
        described = network.candidates.told(network.names, cards, descriptions, which, named)
        logits, best = network.candidates(state, described, numbers, mask)
        missing = shown["action_mask"].shape[-1] - logits.shape[-1]
        logits = nn.functional.pad(logits, (0, missing), value=NOWHERE)
        return _Output(logits, torch.cat([state, best], dim=-1), after)


def _inputs_of(shown: Mapping[str, Tensor]) -> dict[str, Any]:
    """Return the network's inputs for packed observations ``[N, ...]``, no wider than the longest list of actions."""
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


# --- Without a cluster, and without Ray -------------------------------------------------------------------------------


def load_module(checkpoint: Checkpoint) -> BalatroNet:
    """Return the network of a checkpoint, without a cluster."""
    folder = checkpoint.path / _MODULE
    if not folder.is_dir():
        raise ValueError(f"{checkpoint.path} is not whole: it has no {_MODULE}.")
    quiet_ray()
    module: BalatroNet = RLModule.from_checkpoint(str(folder.resolve()))
    module.eval()
    return module


def export_module(module: BalatroNet, stem: Path, config: RllibConfig, training: Mapping[str, Any]) -> float:
    """Write ``stem.safetensors``, ``.json`` and ``.onnx``; return the largest difference between the two networks.

    ``training`` is kept with them: what is known about how the network was made. A network with a graph embedding plays
    by that of the package. ValueError with a sentence for a network with an LSTM.
    """
    if config.env_config.env == "campaign":
        raise ValueError("A network for jimbo/Campaign-v0 plays in RLlib only: the format holds networks over actions.")
    if module.memory is not None:
        raise ValueError(
            "A network with an LSTM cannot be exported: the format holds networks that see one observation and "
            "nothing else. Train one without it, with --config default_ppo for example."
        )
    network, games = module.network, config.env_config
    compared = example_decisions(games.candidates, games.deck, games.stake)
    about = {
        "method": "rllib",
        "candidates": games.candidates,
        "training": dict(training),
        "settings": config.to_data(),
        "versions": dict(versions()),
    }
    try:
        stem.parent.mkdir(parents=True, exist_ok=True)
        was_training = network.training
        save_network(network, stem, about)
        with torch.no_grad():
            difference = export_network(network, stem.with_suffix(".onnx"), about, compared)
        network.train(was_training)
    except OSError as error:
        raise ValueError(f"{stem} cannot be written: {reason(error)}.") from None
    return difference
