"""DAgger: the student plays, the teacher corrects, and the student learns from all corrections so far.

A network that only ever saw the teacher's games has not seen what follows its own mistakes. So in each round it plays
itself; where it is not sure the teacher says what it would have done; these decisions are added to all earlier ones,
and the network learns on.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from jimbo.models.checkpoint import load_network
from jimbo.seeds.seed_sets import train_seeds
from jimbo.train.networks.corrections import Lesson, collect
from jimbo.train.networks.job import file_hash, run_files
from jimbo.train.networks.loop import BEST
from jimbo.train.networks.settings import TrainSettings
from jimbo.train.networks.watching import Progress, Watcher

ROUND = "round_{}"
TEACHERS_SHARE = 0.5
"""Of the corrections, half are played in the first round, a quarter in the second, ..."""


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


def run_dagger(
    paths: Sequence[Path],
    val: Sequence[Path],
    settings: TrainSettings,
    plan: DaggerPlan,
    folder: Path,
    *,
    device: torch.device,
    workers: int,
    watcher: Watcher,
) -> Progress:
    """Trains in ``folder/round_0``, the clone of the teacher, ``round_1`` ...; the last network is also the folder's.

    What is there already is kept.
    """
    files = list(paths)
    models: list[Path] = []
    for number in range(plan.rounds + 1):
        watcher.round_began(number, plan.rounds)
        home = folder / ROUND.format(number)
        start = None
        if number:
            data = folder / f"{ROUND.format(number)}.parquet"
            lesson = _lesson(plan, models[-1], number)
            collect(lesson, data, workers=workers, progress=lambda games: watcher.collected(games, plan.games))
            files.append(data)
            start = load_network(models[-1])[0]
        epochs = plan.later_epochs if number else settings.epochs
        round_settings = replace(settings, epochs=epochs, patience=max(epochs, settings.patience))
        progress = run_files(files, val, round_settings, home, device=device, watcher=watcher, start=start)
        models.append(home / f"{BEST}.onnx")
    for suffix in (".safetensors", ".json", ".onnx"):
        shutil.copyfile(models[-1].with_suffix(suffix), folder / f"{BEST}{suffix}")
    return progress


def _lesson(plan: DaggerPlan, model: Path, number: int) -> Lesson:
    seeds = tuple(islice(train_seeds(f"dagger-{number}"), plan.games))
    return Lesson(str(model), file_hash(model), seeds, plan.teacher, plan.options, TEACHERS_SHARE**number)
