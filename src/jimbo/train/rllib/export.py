"""A BalatroNet as a network that plays without Ray: safetensors, a card and ONNX, as all trainings write them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from ray.rllib.core.rl_module.rl_module import RLModule

from jimbo.data import versions
from jimbo.data.samples import Samples
from jimbo.files import reason
from jimbo.models.checkpoint import save_network
from jimbo.models.export import export_network
from jimbo.rollout.games import GamePlayer
from jimbo.rollout.ray_cluster import quiet_ray
from jimbo.rollout.runner import RolloutPlan
from jimbo.train.rllib.balatro_net import BalatroNet
from jimbo.train.rllib.checkpoints import About
from jimbo.train.rllib.config import RllibConfig

MODULE = Path("learner_group/learner/rl_module/default_policy")
"""Where a checkpoint keeps the network."""
_CHECKED = 1000
"""Decisions on which the exported network must say what the network says."""


def load_module(about: About) -> BalatroNet:
    """The network of a checkpoint, without a cluster."""
    folder = about.path / MODULE
    if not folder.is_dir():
        raise ValueError(f"{about.path} is not whole: it has no {MODULE}.")
    quiet_ray()
    module: BalatroNet = RLModule.from_checkpoint(str(folder.resolve()))
    module.eval()
    return module


def export_module(module: BalatroNet, stem: Path, config: RllibConfig, training: Mapping[str, Any]) -> float:
    """Writes ``stem.safetensors``, ``.json`` and ``.onnx``; the largest difference of what they say.

    ``training`` is kept with it: what is known of how it was made.
    The input for a graph embedding is left out: the network plays as it does where there is none.
    ValueError with a sentence for a network that remembers: nothing but Ray can play it.
    """
    if module.memory is not None:
        raise ValueError(
            "A network with an LSTM cannot be exported: the format holds networks that see one observation and "
            "nothing else. Train one without it, with --config default_ppo for example."
        )
    network = module.network
    about = {
        "method": "rllib",
        "candidates": config.env_config.candidates,
        "training": dict(training),
        "settings": config.to_data(),
        "versions": dict(versions()),
    }
    try:
        stem.parent.mkdir(parents=True, exist_ok=True)
        was_training = network.training
        save_network(network, stem, about)
        with torch.no_grad():
            difference = export_network(network, stem.with_suffix(".onnx"), about, recorded_decisions(_CHECKED))
        network.train(was_training)
    except OSError as error:
        raise ValueError(f"{stem} cannot be written: {reason(error)}.") from None
    return difference


@cache
def recorded_decisions(count: int) -> Samples:
    """Decisions of games that a simple player played: blinds, shops and packs of several antes."""
    plan = RolloutPlan(agent="greedy", games=count, format="parquet", seed_prefix="rllib-export")
    player = GamePlayer([plan])
    parts: list[Samples] = []
    while sum(map(len, parts)) < count:
        _, gathered = player((0, len(parts)))
        parts.append(gathered.samples.take(np.arange(len(gathered))))  # a copy: the next game takes its place
    return Samples.joined(parts).take(np.arange(count))
