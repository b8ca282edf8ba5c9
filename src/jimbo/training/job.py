"""A whole training in a folder with networks that play, and the games that compare them with random play."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from stable_baselines3.common.base_class import BaseAlgorithm

from jimbo.data import versions
from jimbo.env import create_balatro_env
from jimbo.eval.statistics import Paired, compare
from jimbo.eval.summary import Summary, summarize
from jimbo.files import write_text
from jimbo.models.export import export_network
from jimbo.models.network import EntityNetwork
from jimbo.run_folder import check_empty_or_ours
from jimbo.seeds.seed_sets import fresh_seeds
from jimbo.train.core.curves import PICTURE
from jimbo.train.core.evaluation import GAMES, evaluate_player
from jimbo.train.core.watching import Watcher
from jimbo.train.rl.examples import examples
from jimbo.train.rl.settings import RlSettings
from jimbo.training.config import TrainerConfig
from jimbo.training.framework import CONFIG, CheckpointManager
from jimbo.training.metrics import plot_training_curves
from jimbo.training.policies import PolicyNetwork, plays_candidates
from jimbo.training.resume import RESUME
from jimbo.training.sb3_trainer import SB3Trainer, TrainingResult

START, BEST, LAST = "start.onnx", "best.onnx", "last.onnx"
SUMMARY = "sb3_train_summary.json"


def run_job(
    config: TrainerConfig, out: Path, *, game: Mapping[str, Any], watcher: Watcher, resume: bool = True
) -> TrainingResult:
    """Train in ``out``, or resume the training there; ``game`` has options of the environment."""
    config.save_dir, config.run_name = str(out.parent), out.name
    config.verbose = 0  # the watcher shows how it goes, and the caller says where the files are
    trainer = SB3Trainer(create_balatro_env(config.seed, **game), config, watcher=watcher)
    try:
        check_free(out, resume)
        with trainer.alone():
            return _trained(trainer, out, game, resume)
    finally:
        trainer.close()


def _trained(trainer: SB3Trainer, out: Path, game: Mapping[str, Any], resume: bool) -> TrainingResult:
    if resume and trainer.can_resume():
        trainer.restore()
    else:
        trainer.save_config()
        trainer.create_model()
        _export(trainer, START)
    result = trainer.train()
    _export(trainer, LAST)
    best = trainer.checkpoints.best()
    if best is not None:  # nothing was evaluated otherwise, and the last one counts as the best
        trainer.load_model(best)
    _export(trainer, BEST)
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
            f"{out} holds checkpoints, but no {RESUME} to resume from: choose another --out, or start over "
            "(--no-resume), which deletes them"
        )


# --- Networks ---------------------------------------------------------------------------------------------------------


def _export(trainer: SB3Trainer, name: str) -> None:
    """Export the policy if it plays candidates; others play in Stable-Baselines3 only."""
    if plays_candidates(trainer.model):
        about = {"timesteps": trainer.model.num_timesteps, "seed": trainer.config.seed}
        export_policy(trainer.model, trainer.config, trainer.save_path / name, about)


def export_policy(model: BaseAlgorithm, config: TrainerConfig, path: Path, about: Mapping[str, Any]) -> None:
    """Write an ONNX file that ``--agent network --set model=FILE`` plays."""
    if not plays_candidates(model):
        raise ValueError(
            'only policies over candidates can be exported: use feature_extractor_type="balatro" and '
            'actions="candidates"'
        )
    network = copy.deepcopy(PolicyNetwork(model))
    listed = network.extractor.parts.actions
    card = {"method": "sb3", "algorithm": config.algorithm, "candidates": listed, **about}
    path.parent.mkdir(parents=True, exist_ok=True)
    export_network(cast(EntityNetwork, network), path, card, examples(RlSettings(candidates=min(listed, 128))))


@dataclass(frozen=True, slots=True)
class PlayerComparison:
    """How several players did on the same seeds, and how the last of them compares with each of the others."""

    summaries: dict[str, Summary]
    against: dict[str, Paired]


def compare_players(
    players: Mapping[str, Path | None], folder: Path, games: int, workers: int, watcher: Watcher
) -> PlayerComparison:
    """Let ONNX files, or random play for None, play the same fresh seeds; the games are kept in ``folder/games``."""
    seeds = fresh_seeds(games)
    episodes = {}
    for name, network in players.items():
        home = folder / GAMES / f"{name}_{seeds.hash}"
        episodes[name] = evaluate_player(network, seeds, home, workers, name, watcher).episodes
        watcher.say(f"{games} games played by {name}.")
    *others, last = episodes
    return PlayerComparison(
        {name: summarize(rows) for name, rows in episodes.items()},
        {name: compare(episodes[last], episodes[name]) for name in others},
    )
