"""A whole training, from files of decisions to a network that plays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch

from jimbo.data import versions
from jimbo.data.samples import Samples, check_named_once, read_samples
from jimbo.files import file_hash
from jimbo.models import input_schema
from jimbo.models.checkpoint import load_network
from jimbo.models.export import export_network
from jimbo.run_folder import RunFolder
from jimbo.train.networks import bc, pv
from jimbo.train.networks.batches import split
from jimbo.train.networks.curves import Curves
from jimbo.train.networks.folder import METRICS, training_folder
from jimbo.train.networks.loop import BEST, LAST, Data, LossOf, train
from jimbo.train.networks.settings import TrainSettings
from jimbo.train.networks.watching import Progress, Watcher

LOSSES: dict[str, LossOf] = {"bc": bc.losses, "pv": pv.losses, "dagger": pv.losses}
_CHECKED = 1000
"""Recorded decisions on which the exported network must say what the network says."""


class Watchers(Watcher):
    """Several at once."""

    def __init__(self, *watchers: Watcher) -> None:
        self._watchers = watchers

    def began(self, progress: Progress, steps: int) -> None:
        for watcher in self._watchers:
            watcher.began(progress, steps)

    def exporting(self) -> None:
        for watcher in self._watchers:
            watcher.exporting()

    def stepped(self, loss: float) -> None:
        for watcher in self._watchers:
            watcher.stepped(loss)

    def epoch_ended(self, progress: Progress) -> None:
        for watcher in self._watchers:
            watcher.epoch_ended(progress)


class _Metrics(Watcher):
    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder

    def epoch_ended(self, progress: Progress) -> None:
        self._folder.write_json(METRICS, metrics(progress))


def metrics(progress: Progress, **more: Any) -> dict[str, Any]:
    return {
        "best_epoch": progress.best_epoch,
        "best_policy_loss": progress.best,
        **more,
        "epochs": list(progress.history),
    }


def read_data(paths: Sequence[Path], val: Sequence[Path], settings: TrainSettings) -> Data:
    """Without data for judging, a share of the games is kept for it. BadData where there is nothing to learn from."""
    check_named_once([*paths, *val])
    learnt = read_samples(paths)
    if val:
        judged = read_samples(val)
        data = Data(learnt, split(learnt, 0.0)[0], judged, split(judged, 0.0)[0])
    else:
        data = Data(learnt, *_pair(split(learnt, settings.val_share), learnt))
    data.check()
    if settings.batch_size > len(data.learnt_from):
        raise ValueError(
            f"batch_size is {settings.batch_size:,}, but there are only {len(data.learnt_from):,} decisions to learn "
            "from: lower it, or add games"
        )
    return data


def _pair(parts: tuple[Any, Any], samples: Samples) -> tuple[Any, Samples, Any]:
    return parts[0], samples, parts[1]


def describe_data(data: Data, paths: Sequence[Path], val: Sequence[Path]) -> dict[str, Any]:
    """What decides, beside the settings, what comes of a training; it is kept with the network."""
    return {
        "files": {str(path): file_hash(path)[:16] for path in (*paths, *val)},
        "games": len(data.learnt.played),
        "decisions": len(data.learnt_from),
        "judged_by": len(data.judged_by),
        "players": sorted({game.agent for game in data.learnt.played}),
    }


def config_data(settings: TrainSettings, about_data: dict[str, Any], **more: Any) -> dict[str, Any]:
    """All that must be the same for a training to go on."""
    return {
        "settings": asdict(settings),
        **more,
        "data": about_data,
        "schema_hash": input_schema(),
        "versions": dict(versions()),
    }


def run_files(
    paths: Sequence[Path],
    val: Sequence[Path],
    settings: TrainSettings,
    out: Path,
    *,
    device: torch.device,
    watcher: Watcher,
) -> Progress:
    """A training on recorded games in a folder of its own."""
    training_folder(out).check()
    watcher.reading(paths)
    data = read_data(paths, val, settings)
    about = describe_data(data, paths, val)
    with training_folder(out) as folder:
        return run_training(data, settings, folder, device=device, about_data=about, watcher=watcher)


def run_training(
    data: Data,
    settings: TrainSettings,
    folder: RunFolder,
    *,
    device: torch.device,
    about_data: dict[str, Any],
    watcher: Watcher,
    loss_of: LossOf | None = None,
) -> Progress:
    """Train, export the best and the last epoch, and write everything that is known of them beside them."""
    config = config_data(settings, about_data)
    folder.begin(config)
    title = f"{settings.method}, size {settings.size}, {about_data['games']:,} games"
    watchers = Watchers(watcher, _Metrics(folder), Curves(folder.folder, title))
    progress = train(
        data,
        settings,
        loss_of or LOSSES[settings.method],
        folder=folder.folder,
        about={"method": settings.method, **config},
        device=device,
        watcher=watchers,
    )
    watchers.exporting()
    folder.write_json(METRICS, metrics(progress, onnx_difference=_export(folder.path(BEST), data)))
    _export(folder.path(LAST), data)
    return progress


def _export(stem: Path, data: Data) -> float:
    network, card = load_network(stem)
    about = {name: value for name, value in card.items() if name not in ("format", "schema_hash", "config")}
    chosen = data.judged_by[np.linspace(0, len(data.judged_by) - 1, min(_CHECKED, len(data.judged_by)), dtype=int)]
    return export_network(network, stem.with_suffix(".onnx"), about, data.judged.take(chosen))
