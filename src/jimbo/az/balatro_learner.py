"""What learns Balatro: the network of the package, from the one that it brings. The same calls as ``Learner``.

The heads learn how runs ended, as outcomes tell it: 1 for a win, else the blinds passed as a share of all, less 1. The
head of the blinds just ahead is left as it is, since a row does not tell how many had been passed before.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from jimbo.az.balatro_model import start_file
from jimbo.az.batches import Batch
from jimbo.az.learner_file import load_state, save_state
from jimbo.az.loss import Losses, is_usable
from jimbo.az.schema import GameMetadata
from jimbo.az.settings import TrainerConfig
from jimbo.engine import LAST_ANTE
from jimbo.engine.az.balatro import BLINDS, network_arrays, value_of
from jimbo.models.export import export_network
from jimbo.models.from_onnx import network_of_onnx
from jimbo.models.inputs import network_inputs
from jimbo.models.network import EntityNetwork, Judgement
from jimbo.models.outputs import outputs_of
from jimbo.train.rl.examples import examples
from jimbo.train.rl.settings import RlSettings

Array = NDArray[Any]
METHOD = "az"
_BLINDS_OF_ANTE = BLINDS // LAST_ANTE


class BalatroLearner:
    def __init__(self, game: GameMetadata, config: TrainerConfig, device: torch.device) -> None:
        torch.manual_seed(config.seed)
        self._game, self._config, self._device = game, config, device
        start = network_of_onnx(start_file())
        self.network = EntityNetwork(replace(start.config, dropout=0.0)).to(device)
        self.network.load_state_dict(start.state_dict())
        self._optimizer = torch.optim.Adam(
            self.network.parameters(), lr=config.lr, weight_decay=config.weight_decay, fused=device.type == "cuda"
        )
        self._examples = examples(RlSettings(candidates=game.num_actions))

    def learn(self, batch: Batch, rate: float, random: np.random.Generator) -> Losses | None:
        """One step; None, and nothing changed, where the loss is not a number."""
        judgement = self._judge(batch.observations)
        wanted = torch.from_numpy(batch.policies).to(self._device)
        policy = -(wanted * judgement.logits.float().log_softmax(dim=1).clamp(min=-30)).sum(dim=1).mean()
        value = self._value_loss(judgement, batch.outcomes)
        found = Losses(policy + self._config.value_weight * value, policy, value)
        if not is_usable(found):
            return None
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.zero_grad(set_to_none=True)
        found.total.backward()  # type: ignore[no-untyped-call]
        if self._config.grad_clip:
            nn.utils.clip_grad_norm_(self.network.parameters(), self._config.grad_clip)
        self._optimizer.step()
        return Losses(*(part.detach() for part in found))

    def _judge(self, observations: Array) -> Judgement:
        inputs = network_inputs(*network_arrays(observations))
        return self.network.judge({name: torch.from_numpy(part).to(self._device) for name, part in inputs.items()})

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
            judgement = self._judge(observations)
        mask = network_arrays(observations).mask
        logits, win, _, ante = outputs_of(*(part.float().cpu().numpy() for part in judgement), mask)  # type: ignore[call-arg]
        return logits, value_of(win, ante)

    def export(self, path: Path) -> None:
        about = {"method": METHOD, "candidates": self._game.num_actions}
        export_network(self.network, path, about, self._examples)
        self.network.to(self._device)

    def save(self, folder: Path, step: int, samples: int) -> None:
        save_state(folder, self._game.env_id, "entity", step, samples, self.network, self._optimizer)

    def load(self, folder: Path) -> tuple[int, int] | None:
        return load_state(folder, self._game.env_id, "entity", self.network, self._optimizer, self._device)
