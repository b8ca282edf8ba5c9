"""Distillation: a small network learns what larger ones, or a search, would choose and expect.

The teachers look at recorded decisions once; the student then learns their mean probabilities instead of the one action
that was taken, and their expectations instead of how the game happened to end. Without teachers the values that the
recorded search found for its candidates are the target.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import binary_cross_entropy_with_logits

from jimbo.data.samples import MEASURES, Samples
from jimbo.models.inputs import padded
from jimbo.models.network import Judgement
from jimbo.models.runtime import Policy, load_policy
from jimbo.processes import usable_cores
from jimbo.train.core.loop import run
from jimbo.train.core.state import training_folder
from jimbo.train.core.watching import Progress, Watcher
from jimbo.train.settings import TrainSettings
from jimbo.train.supervised import (
    LossOf,
    Parts,
    Supervised,
    TrainingData,
    emphasis,
    policy_loss,
    pv_losses,
    read_and_describe,
    value_losses,
    with_value,
)

Array = NDArray[Any]
_BATCH = 256


def run_distill(
    paths: Sequence[Path],
    val: Sequence[Path],
    settings: TrainSettings,
    teachers: Sequence[Path],
    out: Path,
    *,
    device: torch.device,
    watcher: Watcher,
) -> Progress:
    """Train a student in a folder."""
    training_folder(out).check()
    policies = [load_policy(path, threads=usable_cores()) for path in teachers]
    data, about = read_and_describe(paths, val, settings, watcher)
    about["teachers"] = {str(policy.path): policy.hash for policy in policies}
    with training_folder(out) as folder:
        count = len(data.indices)
        data, losses = taught(
            data, policies, lambda done: watcher.progress("Asking the teachers", done, count, "decisions")
        )
        return run(Supervised(data, settings, device, about, losses), folder, watcher)


def taught(
    data: TrainingData, teachers: Sequence[Policy], progress: Callable[[int], None]
) -> tuple[TrainingData, LossOf]:
    """Return the data with the teachers' choices in place of the player's values, and the loss to learn them by."""
    if not teachers:
        return data, _from_search
    samples, win, clear = _asked(data.samples, data.indices, teachers, progress)

    def losses(judgement: Judgement, samples: Samples, indices: Array, settings: TrainSettings) -> Parts:
        policy = policy_loss(judgement, samples, indices, 1.0, emphasis(samples, indices, settings))
        wins, clears = (torch.from_numpy(part[indices]).to(judgement.win.device) for part in (win, clear))
        value = {
            "win": binary_cross_entropy_with_logits(judgement.win, wins),
            "clear": binary_cross_entropy_with_logits(judgement.clear, clears),
            "ante": value_losses(judgement, samples, indices)["ante"],
        }
        return with_value(policy, value, settings)

    return replace(data, samples=samples), losses


def _from_search(judgement: Judgement, samples: Samples, indices: Array, settings: TrainSettings) -> Parts:
    return pv_losses(judgement, samples, indices, replace(settings, softness=1.0))


def _asked(
    samples: Samples, indices: Array, teachers: Sequence[Policy], progress: Callable[[int], None]
) -> tuple[Samples, Array, Array]:
    """Return what the teachers say on average: of the candidates, and of the chances to win and to beat more blinds."""
    values = np.full_like(samples.values, np.nan)
    win = np.zeros(len(samples), np.float32)
    clear: Array | None = None
    for start in range(0, len(indices), _BATCH):
        batch = indices[start : start + _BATCH]
        inputs = padded(samples, batch)
        answers = [teacher.evaluate(*inputs) for teacher in teachers]
        shares = np.mean([answer.probabilities() for answer in answers], axis=0)
        lengths = samples.starts[batch + 1] - samples.starts[batch]
        for place, first, length in zip(range(len(batch)), samples.starts[batch], lengths, strict=True):
            values[first : first + length] = shares[place, :length]
        win[batch] = np.mean([answer.win for answer in answers], axis=0)
        ahead = np.mean([answer.clear for answer in answers], axis=0)
        clear = np.zeros((len(samples), ahead.shape[1]), np.float32) if clear is None else clear
        clear[batch] = ahead
        progress(start + len(batch))
    assert clear is not None
    measures = np.full_like(samples.measures, MEASURES.index("choice"))
    return replace(samples, values=values, measures=measures), win, clear
