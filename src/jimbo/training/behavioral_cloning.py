"""Behavioural cloning before reinforcement: a policy starts by choosing as a recorded player did."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
import torch
from torch import nn

from jimbo.data.samples import Samples, read_samples
from jimbo.models.network import EntityNetwork
from jimbo.train.supervised import batches, judgement_of, policy_loss, split
from jimbo.training.environments import NormalizedVecEnv
from jimbo.training.policies import PolicyNetwork, plays_candidates

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
        """Return the number of decisions that can be learnt from."""
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
        """Train, and return the mean loss of each epoch."""
        self._learn_statistics(games.samples)
        network = PolicyNetwork(self._trainer.model)
        chosen = [weight for name, weight in network.named_parameters() if "value_net" not in name]
        optimizer = torch.optim.Adam(chosen, self._learning_rate)
        network.train()
        losses = [
            [
                self._step(network, optimizer, games.samples, indices)
                for indices in batches(games.samples, games.useful, self._batch_size, [self._seed, epoch])
            ]
            for epoch in range(epochs)
        ]
        return [float(np.mean(found)) for found in losses]

    def _step(
        self, network: PolicyNetwork, optimizer: torch.optim.Adam, samples: Samples, indices: np.ndarray
    ) -> float:
        judgement = judgement_of(cast(EntityNetwork, network), samples, indices)
        loss = policy_loss(judgement, samples, indices, softness=0.0)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(network.parameters(), self._trainer.config.hyper.max_grad_norm)
        optimizer.step()
        return float(loss.detach())

    def _learn_statistics(self, samples: Samples) -> None:
        """Normalize numbers by mean and standard deviation of the recorded games; the training continues from these."""
        normalize = self._trainer.model.get_vec_normalize_env()
        if isinstance(normalize, NormalizedVecEnv) and normalize.norm_obs and isinstance(normalize.obs_rms, dict):
            normalize.obs_rms["candidate_rows"].update(samples.candidate_rows)
