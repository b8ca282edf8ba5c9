"""DAgger: the student plays, the teacher corrects, and the student learns from all corrections so far.

A network that only ever saw the teacher's games has not seen what follows its own mistakes. So in each round it plays
itself; where it is not sure the teacher says what it would have done; these decisions are added to all earlier ones,
and a new network learns from all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from jimbo.agents import make_agent
from jimbo.data.samples import Game
from jimbo.files import file_hash, write_bytes
from jimbo.seeds.seed_sets import train_seeds
from jimbo.train.networks.corrections import Lesson, Start, collect
from jimbo.train.networks.curves import PICTURE
from jimbo.train.networks.folder import METRICS, training_folder
from jimbo.train.networks.job import config_data, describe_data, read_data, run_files
from jimbo.train.networks.loop import BEST, LAST
from jimbo.train.networks.settings import TrainSettings
from jimbo.train.networks.watching import Progress, Watcher

ROUND = "round_{}"
TEACHERS_SHARE = 0.5
"""Of the corrections, half are played in the first round, a quarter in the second, ..."""
_OF_THE_LAST_ROUND = (
    *(f"{epoch}.{suffix}" for epoch in (BEST, LAST) for suffix in ("safetensors", "json", "onnx")),
    METRICS,
    PICTURE,
)


@dataclass(frozen=True, slots=True)
class DaggerPlan:
    rounds: int
    games: int
    """In each round."""
    teacher: str = "expert"
    options: Mapping[str, Any] | None = None
    """The teacher's."""


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
    _check_teacher(plan)
    training_folder(folder).check()
    watcher.reading(paths)
    about, played = _described(paths, val, settings)
    files = list(paths)
    with training_folder(folder) as own:
        own.begin(config_data(settings, about, plan=asdict(plan)))
        for number in range(plan.rounds + 1):
            watcher.round_began(number, plan.rounds)
            home = folder / ROUND.format(number)
            if number:
                student = folder / ROUND.format(number - 1) / f"{BEST}.onnx"
                lesson = _lesson(plan, student, number, starts(played, plan.games))
                data = home.with_suffix(".parquet")
                collect(lesson, data, workers=workers, progress=lambda games: watcher.collected(games, plan.games))
                files.append(data)
            progress = run_files(files, val, settings, home, device=device, watcher=watcher)
        for name in _OF_THE_LAST_ROUND:
            write_bytes(own.path(name), (home / name).read_bytes())
    return progress


def _check_teacher(plan: DaggerPlan) -> None:
    if make_agent(plan.teacher, **(plan.options or {})).clairvoyant:
        raise ValueError(
            f"The teacher {plan.teacher} must not see what is hidden: the student, which does not see it, cannot "
            "learn from that. Choose another teacher, or other options."
        )


def _described(
    paths: Sequence[Path], val: Sequence[Path], settings: TrainSettings
) -> tuple[dict[str, Any], tuple[Game, ...]]:
    """What there is to learn from in the beginning; the decisions themselves are not kept while games are played."""
    data = read_data(paths, val, settings)
    return describe_data(data, paths, val), data.learnt.played


def starts(played: Sequence[Game], games: int) -> tuple[Start, ...]:
    """Decks, stakes and challenges of new games, in the shares that they have among those played."""
    known = sorted(((game.deck, game.stake, game.challenge) for game in played), key=repr)
    return tuple(known[number * len(known) // games] for number in range(games))


def _lesson(plan: DaggerPlan, model: Path, number: int, starts: tuple[Start, ...]) -> Lesson:
    seeds = tuple(islice(train_seeds(f"dagger-{number}"), plan.games))
    return Lesson(str(model), file_hash(model)[:16], seeds, starts, plan.teacher, plan.options, TEACHERS_SHARE**number)
