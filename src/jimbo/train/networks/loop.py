"""The loop that all methods share: epochs of batches, a judgement after each, the best network kept."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import torch
from numpy.typing import NDArray
from torch.optim import AdamW

from jimbo.data.samples import BadData, Samples
from jimbo.models import config_of
from jimbo.models.checkpoint import save_network
from jimbo.models.network import EntityNetwork, Judgement
from jimbo.train.networks.batches import batches
from jimbo.train.networks.bc import Losses
from jimbo.train.networks.judging import judgement_of, validate
from jimbo.train.networks.schedule import rate
from jimbo.train.networks.settings import TrainSettings
from jimbo.train.networks.state import load_state, save_state
from jimbo.train.networks.watching import Progress, Watcher

Array = NDArray[Any]
BEST, LAST = "best", "last"
_MAX_GRADIENT = 1.0


class TrainingFailed(ValueError):
    """It cannot go on; the sentence says why. The last epoch that ended is kept."""


class LossOf(Protocol):
    """What a method makes smaller."""

    def __call__(self, judgement: Judgement, samples: Samples, indices: Array, settings: TrainSettings) -> Losses: ...


@dataclass(frozen=True, slots=True, eq=False)
class Data:
    """What is learnt from and judged by; both may be parts of the same samples."""

    learnt: Samples
    learnt_from: Array
    judged: Samples
    judged_by: Array

    def check(self) -> None:
        if not len(self.learnt_from):
            raise BadData("The data hold no decision to learn from: they need games in which something was chosen.")
        if not len(self.judged_by):
            raise BadData("The data hold no game for validation: record at least 10 games, or name others with --val.")


def train(
    data: Data,
    settings: TrainSettings,
    loss_of: LossOf,
    *,
    folder: Path,
    about: dict[str, Any],
    device: torch.device,
    watcher: Watcher,
) -> Progress:
    """Trains in ``folder``, where a training of the same settings that was stopped goes on."""
    data.check()
    torch.manual_seed(settings.seed)
    network = EntityNetwork(replace(config_of(settings.size), dropout=settings.dropout)).to(device)
    optimizer = AdamW(network.parameters(), lr=settings.lr, weight_decay=settings.weight_decay)
    progress = load_state(folder, network, optimizer) or Progress()
    per_epoch = sum(1 for _ in batches(data.learnt, data.learnt_from, settings.batch_size, [settings.seed, 0]))
    watcher.began(progress, per_epoch * settings.epochs)
    while progress.epoch < settings.epochs and progress.epoch - progress.best_epoch < settings.patience:
        losses = _epoch(network, optimizer, data, settings, loss_of, progress, per_epoch, watcher.stepped)
        judged = validate(network, data.judged, data.judged_by)
        progress = _advanced(progress, per_epoch, losses, judged)
        card = {**about, "epoch": progress.epoch, "metrics": judged}
        save_network(network, folder / LAST, card)
        if progress.best_epoch == progress.epoch:
            save_network(network, folder / BEST, card)
        save_state(folder, network, optimizer, progress)
        watcher.epoch_ended(progress)
    return progress


def _epoch(
    network: EntityNetwork,
    optimizer: AdamW,
    data: Data,
    settings: TrainSettings,
    loss_of: LossOf,
    progress: Progress,
    per_epoch: int,
    stepped: Callable[[float], None],
) -> dict[str, float]:
    """One pass over the decisions. Order and dropout depend on the seed and the epoch alone, so it can be repeated."""
    torch.manual_seed(settings.seed * 1_000_003 + progress.epoch)
    network.train()
    sums: dict[str, float] = defaultdict(float)
    order = batches(data.learnt, data.learnt_from, settings.batch_size, [settings.seed, progress.epoch])
    for number, batch in enumerate(order):
        for group in optimizer.param_groups:
            group["lr"] = settings.lr * rate(progress.step + number, per_epoch * settings.epochs)
        parts = loss_of(judgement_of(network, data.learnt, batch), data.learnt, batch, settings)
        optimizer.zero_grad(set_to_none=True)
        parts["loss"].backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(network.parameters(), _MAX_GRADIENT)
        optimizer.step()
        found = {name: loss.item() for name, loss in parts.items()}
        if not math.isfinite(found["loss"]):
            where = f"in step {progress.step + number + 1}"
            raise TrainingFailed(f"The loss became {found['loss']} {where}. Try a lower --lr, or look at the data.")
        for name, loss in found.items():
            sums[name] += loss / per_epoch
        stepped(found["loss"])
    return sums


def _advanced(progress: Progress, steps: int, losses: dict[str, float], judged: dict[str, float]) -> Progress:
    epoch = progress.epoch + 1
    row = {"epoch": epoch, "train": dict(losses), "val": judged}
    better = judged["policy"] < progress.best
    return Progress(
        epoch=epoch,
        step=progress.step + steps,
        best=judged["policy"] if better else progress.best,
        best_epoch=epoch if better else progress.best_epoch,
        history=(*progress.history, row),
    )
