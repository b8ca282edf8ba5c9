"""A whole training in a folder, and the trained model, its start and random play on the same seeds."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from jimbo.data import versions
from jimbo.env import create_balatro_env
from jimbo.eval.runner import Evaluation, Settings, evaluate
from jimbo.eval.statistics import Paired, compare
from jimbo.eval.store import Store
from jimbo.eval.summary import Summary, summarize
from jimbo.files import write_text
from jimbo.run_folder import check_empty_or_ours
from jimbo.seeds.seed_sets import SeedSet, fresh_seeds
from jimbo.training.config import TrainerConfig
from jimbo.training.framework import CONFIG, CheckpointManager
from jimbo.training.metrics import plot_training_curves
from jimbo.training.playing import export_policy, plays_candidates
from jimbo.training.resume import RESUME
from jimbo.training.sb3_trainer import SB3Trainer, TrainingResult
from jimbo.training.watching import Watcher

GAMES = "games"
START, BEST, LAST = "start.onnx", "best.onnx", "last.onnx"
SUMMARY = "sb3_train_summary.json"
PICTURE = "training.png"


@dataclass(frozen=True, slots=True)
class Verdict:
    """How the players did, and how the last of them compares with each of the others."""

    summaries: dict[str, Summary]
    against: dict[str, Paired]


def judge_players(
    players: Mapping[str, Path | None],
    folder: Path,
    games: int,
    workers: int,
    progress: Callable[[str, int, int], None],
    seeds: SeedSet | None = None,
) -> Verdict:
    """All players on the same seeds, fresh ones by default. A player is an ONNX file, or None for random play.

    The games are kept in ``folder/games``.
    """
    played_on = seeds or fresh_seeds(games)
    done = {
        name: _evaluated(
            model, folder / GAMES / f"{name}_{played_on.hash}", played_on, workers, partial(progress, name)
        )
        for name, model in players.items()
    }
    *others, last = done
    return Verdict(
        {name: summarize(one.episodes) for name, one in done.items()},
        {name: compare(done[last].episodes, done[name].episodes) for name in others},
    )


def _evaluated(
    model: Path | None, home: Path, seeds: SeedSet, workers: int, progress: Callable[[int, int], None]
) -> Evaluation:
    options: dict[str, Any] = {} if model is None else {"model": str(model)}
    settings = Settings(agent="random" if model is None else "network", options=options, seeds=seeds)
    count = 0
    progress(0, len(seeds.seeds))

    def show(_: object) -> None:
        nonlocal count
        count += 1
        progress(count, len(seeds.seeds))

    with Store(home) as store:
        found = evaluate(settings, workers=workers, store=store, progress=show)
    if found.stopped:
        raise KeyboardInterrupt
    if found.trouble:
        raise ValueError(found.trouble)
    return found


def run_job(
    config: TrainerConfig, out: Path, *, game: Mapping[str, Any], watcher: Watcher, resume: bool = True
) -> TrainingResult:
    """Trains in ``out``; ``game``: options of the environment. What is there already is resumed, or refused."""
    config.save_dir, config.run_name = str(out.parent), out.name
    config.verbose = 0  # the watcher shows how it goes, and whoever asked for it says where the files are
    trainer = SB3Trainer(create_balatro_env(config.seed, **game), config, watcher=watcher)
    try:
        return _trained(trainer, out, game, resume)
    finally:
        trainer.close()


def _trained(trainer: SB3Trainer, out: Path, game: Mapping[str, Any], resume: bool) -> TrainingResult:
    check_free(out, resume)
    with trainer.alone():
        if resume and trainer.can_resume():
            trainer.restore()
        else:
            trainer.save_config()
            trainer.create_model()
            _export(trainer, START)
        result = trainer.train()
        _export(trainer, LAST)
        _export_best(trainer)
        if len(trainer.metrics):
            plot_training_curves(trainer.get_metrics(), out / PICTURE)
        config = trainer.config.to_dict()
        about = {**result.to_dict(), "game": dict(game), "config": config, "versions": dict(versions())}
        write_text(out / SUMMARY, json.dumps(about, indent=2, default=str) + "\n")
        return result


def check_free(out: Path, resume: bool) -> None:
    """ValueError for a folder that is used for something else, or whose checkpoints would be lost."""
    check_empty_or_ours(out, CONFIG)
    if resume and not (out / RESUME).is_file() and CheckpointManager(out).checkpoints():
        raise ValueError(
            f"{out} holds checkpoints, but no {RESUME} to go on from: choose another --out, or begin anew "
            "(--no-resume), which deletes them"
        )


def _export(trainer: SB3Trainer, name: str) -> None:
    """Policies over steps, or on flat observations, play only here: they are not networks of the spine."""
    if plays_candidates(trainer.model):
        about = {"timesteps": trainer.model.num_timesteps, "seed": trainer.config.seed}
        export_policy(trainer.model, trainer.config, trainer.save_path / name, about)


def _export_best(trainer: SB3Trainer) -> None:
    """The best of the evaluations; the last one where nothing was evaluated."""
    best = trainer.checkpoints.best()
    if best is None:
        _export(trainer, BEST)
        return
    last = trainer.save_path / "model.zip"
    trainer.load_model(best)
    _export(trainer, BEST)
    trainer.load_model(last)
