"""Balatro's learner: it starts from the weights of the package's network.

The heads learn how runs ended: outcomes are 1 for a win, else the blinds passed as a share of all, minus 1. The head of
the blinds just ahead stays as it is, because a row does not say how many had been passed before.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from jimbo.az.learner import PolicyValueLosses, SelfPlayLearner, policy_loss, weighed
from jimbo.az.models import start_file
from jimbo.az.schema import MoveBatch
from jimbo.az.settings import TrainConfig
from jimbo.engine import LAST_ANTE
from jimbo.engine.az import GameSpec
from jimbo.engine.az.balatro import BLINDS, network_arrays, value_of
from jimbo.engine.az.games import Array
from jimbo.models.export import example_decisions, export_network, network_of_onnx
from jimbo.models.inputs import network_inputs
from jimbo.models.network import EntityNetwork, Judgement
from jimbo.models.outputs import outputs_of

METHOD = "az"
_BLINDS_OF_ANTE = BLINDS // LAST_ANTE


class EntityLearner(SelfPlayLearner):
    def __init__(self, game: GameSpec, config: TrainConfig, device: torch.device) -> None:
        torch.manual_seed(config.seed)
        start = network_of_onnx(start_file())
        network = EntityNetwork(replace(start.config, dropout=0.0))
        network.load_state_dict(start.state_dict())
        super().__init__(game, config, device, network, "entity")
        self._examples = example_decisions(game.num_actions)

    def _losses(self, batch: MoveBatch, random: np.random.Generator) -> PolicyValueLosses:
        judgement = self._outputs(self.network, batch.observations)
        wanted = torch.from_numpy(batch.policies).to(self._device)
        policy = policy_loss(judgement.logits, wanted)
        value = self._value_loss(judgement, batch.outcomes)
        return weighed(policy, value, self._config.policy_weight, self._config.value_weight)

    def _outputs(self, network: Any, observations: Array) -> Judgement:
        inputs = network_inputs(*network_arrays(observations))
        tensors = {name: torch.from_numpy(part).to(self._device) for name, part in inputs.items()}
        judgement: Judgement = network.judge(tensors)
        return judgement

    def _value_loss(self, judgement: Judgement, outcomes: Array) -> torch.Tensor:
        ended = torch.from_numpy(outcomes).to(self._device)
        won = (ended > 1 - 1e-3).float()
        passed = ((ended + 1) * BLINDS + 0.5).floor()
        ante = torch.where(won > 0, LAST_ANTE - 1, (passed / _BLINDS_OF_ANTE).floor()).clamp(0, LAST_ANTE - 1).long()
        return binary_cross_entropy_with_logits(judgement.win.float(), won) + cross_entropy(
            judgement.ante.float(), ante
        )

    def evaluate(self, observations: Array) -> tuple[Array, Array]:
        with torch.inference_mode():
            judgement = self._outputs(self.published, observations)
        mask = network_arrays(observations).mask
        logits, win, _, ante = outputs_of(*(part.float().cpu().numpy() for part in judgement), mask)  # type: ignore[call-arg]
        return logits, value_of(win, ante)

    def export(self, path: Path) -> None:
        about = {"method": METHOD, "candidates": self._game.num_actions}
        export_network(self.published, path, about, self._examples)
        self.published.to(self._device)
