"""How well a network agrees with decisions it has not learnt from."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from jimbo.data.samples import PHASES, Samples
from jimbo.models.inputs import network_inputs
from jimbo.models.network import EntityNetwork, Judgement, judged
from jimbo.models.padding import padded
from jimbo.train.networks.batches import batches
from jimbo.train.networks.bc import policy_loss
from jimbo.train.networks.pv import value_losses

Array = NDArray[Any]
_BATCH = 512
_TOP = 3


def judgement_of(network: EntityNetwork, samples: Samples, indices: Array) -> Judgement:
    """What the network makes of recorded decisions."""
    return judged(network, network_inputs(*padded(samples, indices)))


@torch.no_grad()
def validate(network: EntityNetwork, samples: Samples, indices: Array) -> dict[str, float]:
    """Means over the decisions: losses against the hard targets, and how often the action taken is among the best."""
    network.eval()
    sums: dict[str, float] = defaultdict(float)
    for batch in batches(samples, indices, _BATCH, [0]):
        judgement = judgement_of(network, samples, batch)
        parts = {"policy": policy_loss(judgement, samples, batch, 0.0), **value_losses(judgement, samples, batch)}
        for name, loss in parts.items():
            sums[name] += float(loss) * len(batch)
        _count_hits(judgement, samples, batch, sums)
    phases = np.bincount(samples.phases[indices], minlength=len(PHASES))
    totals = {f"top1/{phase}": int(count) for phase, count in zip(PHASES, phases, strict=True) if count}
    return {name: value / totals.get(name, len(indices)) for name, value in sums.items()}


def _count_hits(judgement: Judgement, samples: Samples, batch: Array, sums: dict[str, float]) -> None:
    logits = judgement.logits.float().cpu().numpy()
    chosen = logits[np.arange(len(batch)), samples.chosen[batch]]
    better = (logits > chosen[:, None]).sum(axis=1)
    sums["top1"] += int((better < 1).sum())
    sums["top3"] += int((better < _TOP).sum())
    for place in np.unique(samples.phases[batch]):
        sums[f"top1/{PHASES[place]}"] += int(((better < 1) & (samples.phases[batch] == place)).sum())
