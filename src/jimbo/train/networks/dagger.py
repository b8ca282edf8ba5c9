"""DAgger: the student plays, the teacher corrects, and the student learns from all corrections so far.

A network that only ever saw the teacher's games has not seen what follows its own mistakes. So in each round it plays
itself; at every decision the teacher says what it would have done; these decisions are added to all earlier ones, and
the network learns on.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from jimbo.models.checkpoint import load_network
from jimbo.seeds.seed_sets import train_seeds
from jimbo.train.networks import pv
from jimbo.train.networks.corrections import Lesson, collect
from jimbo.train.networks.folder import TrainingFolder
from jimbo.train.networks.job import describe_data, file_hash, read_data, run_training
from jimbo.train.networks.loop import BEST, Watcher
from jimbo.train.networks.settings import TrainSettings

ROUND = "round_{}"


@dataclass(frozen=True, slots=True)
class DaggerPlan:
    rounds: int
    games: int
    """In each round."""
    teacher: str = "expert"
    options: Mapping[str, Any] | None = None
    """The teacher's."""
    later_epochs: int = 2
    """Epochs of the rounds after the first training: each goes on from the network before it."""


class DaggerWatcher:
    """Is told how it goes. ``training`` gives the watcher of one training."""

    def training(self, round_: int) -> Watcher:
        return Watcher()

    def collecting(self, round_: int) -> Callable[[int], None]:
        return lambda done: None


def run_dagger(
    paths: Sequence[Path],
    val: Sequence[Path],
    settings: TrainSettings,
    plan: DaggerPlan,
    folder: Path,
    *,
    device: torch.device,
    workers: int,
    watcher: DaggerWatcher,
) -> list[Path]:
    """The models of all rounds, the first of which is a plain clone of the teacher. What is there already is kept."""
    files = list(paths)
    models: list[Path] = []
    for number in range(plan.rounds + 1):
        home = folder / ROUND.format(number)
        if number:
            data = folder / f"{ROUND.format(number)}.parquet"
            collect(_lesson(plan, models[-1], number), data, workers=workers, progress=watcher.collecting(number))
            files.append(data)
        _train_round(number, files, val, settings, plan, home, device, watcher.training(number))
        models.append(home / f"{BEST}.onnx")
    for suffix in (".safetensors", ".json", ".onnx"):
        shutil.copyfile(models[-1].with_suffix(suffix), folder / f"{BEST}{suffix}")
    return models


def _lesson(plan: DaggerPlan, model: Path, number: int) -> Lesson:
    seeds = tuple(islice(train_seeds(f"dagger-{number}"), plan.games))
    return Lesson(str(model), file_hash(model), seeds, plan.teacher, plan.options)


def _train_round(
    number: int,
    files: Sequence[Path],
    val: Sequence[Path],
    settings: TrainSettings,
    plan: DaggerPlan,
    home: Path,
    device: torch.device,
    watcher: Watcher,
) -> None:
    start = load_network(home.parent / ROUND.format(number - 1) / BEST)[0] if number else None
    epochs = plan.later_epochs if number else settings.epochs
    settings = replace(settings, method="dagger", epochs=epochs, patience=max(epochs, settings.patience))
    data = read_data(files, val, settings)
    with TrainingFolder(home) as folder:
        run_training(
            data,
            settings,
            folder,
            device=device,
            about_data=describe_data(data, files, val),
            watcher=watcher,
            loss_of=pv.losses,
            start=start,
        )
