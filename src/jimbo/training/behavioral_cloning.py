"""Behavioural cloning before reinforcement: a policy begins by choosing as a recorded player did."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from jimbo.data.samples import Samples, read_samples
from jimbo.models.inputs import network_inputs, padded
from jimbo.train.supervised import batches, split
from jimbo.training.environments import NormalizedVecEnv
from jimbo.training.playing import PolicyNetwork, plays_candidates

if TYPE_CHECKING:
    from jimbo.training.sb3_trainer import SB3Trainer

__all__ = ["BehavioralCloning", "TrajectoryCollector"]


class TrajectoryCollector:
    """Recorded decisions from files that ``jimbo rollout --out FILE.parquet`` writes (.jsonl records, too).

    >>> games = TrajectoryCollector(["expert.parquet"])
    >>> len(games), games.samples.played[0].agent
    """

    def __init__(self, files: Sequence[Path | str]) -> None:
        """ValueError names a file that cannot be used."""
        self.samples: Samples = read_samples([Path(file) for file in files])
        self.useful, _ = split(self.samples, 0.0)
        if not len(self.useful):
            raise ValueError("the recorded games hold no decision with a choice that is listed")

    def __len__(self) -> int:
        """Decisions that can be learnt from."""
        return len(self.useful)

    def __repr__(self) -> str:
        return f"<TrajectoryCollector: {len(self)} decisions of {len(self.samples.played)} games>"


class BehavioralCloning:
    """Trains the policy of a trainer on recorded decisions: the cross-entropy of the recorded choice."""

    def __init__(self, trainer: SB3Trainer, learning_rate: float = 1e-3, batch_size: int = 256, seed: int = 0) -> None:
        if trainer.model is None:
            trainer.create_model()
        if trainer.config.algorithm == "DQN":
            raise ValueError("DQN learns values, which recorded choices do not contain: clone with PPO or A2C")
        if not plays_candidates(trainer.model):
            raise ValueError('cloning needs candidates: use feature_extractor_type="balatro" and actions="candidates"')
        self._trainer, self._seed = trainer, seed
        self._learning_rate, self._batch_size = learning_rate, batch_size

    def pretrain(self, games: TrajectoryCollector, epochs: int = 3) -> list[float]:
        """The mean loss of each epoch."""
        self._learn_statistics(games.samples)
        network = PolicyNetwork(self._trainer.model)
        chosen = [weight for name, weight in network.named_parameters() if "value_net" not in name]
        optimizer = torch.optim.Adam(chosen, self._learning_rate)
        losses = []
        network.train()
        for epoch in range(epochs):
            found = [
                self._step(network, optimizer, games.samples, indices)
                for indices in batches(games.samples, games.useful, self._batch_size, [self._seed, epoch])
            ]
            losses.append(float(np.mean(found)))
        return losses

    def _step(
        self, network: PolicyNetwork, optimizer: torch.optim.Adam, samples: Samples, indices: np.ndarray
    ) -> float:
        device = network.names.weight.device
        inputs = {
            name: torch.from_numpy(array).to(device)
            for name, array in network_inputs(*padded(samples, indices)).items()
        }
        wanted = torch.from_numpy(samples.chosen[indices].astype(np.int64)).to(device)
        loss: Tensor = nn.functional.cross_entropy(network.logits(inputs), wanted)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(network.parameters(), self._trainer.config.hyper.max_grad_norm)
        optimizer.step()
        return float(loss.detach())

    def _learn_statistics(self, samples: Samples) -> None:
        """Numbers are normalized by the recorded games' own mean and spread; the training goes on from these."""
        normalize = self._trainer.model.get_vec_normalize_env()
        if isinstance(normalize, NormalizedVecEnv) and normalize.norm_obs and isinstance(normalize.obs_rms, dict):
            normalize.obs_rms["candidate_rows"].update(samples.candidate_rows)
