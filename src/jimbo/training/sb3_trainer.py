"""PPO, A2C and DQN of Stable-Baselines3 with masks, and a whole training in a folder with networks that play."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import is_masking_supported
from stable_baselines3.common.callbacks import BaseCallback, CallbackList, ConvertCallback

from jimbo.data.record import versions
from jimbo.env.factories import create_balatro_env, create_campaign_env
from jimbo.extras import check_installed
from jimbo.files import write_text
from jimbo.pace import PACE
from jimbo.run_folder import check_empty_or_ours, locked
from jimbo.train.core.curves import EVENTS, PICTURE
from jimbo.train.core.log import LOG, LogFile
from jimbo.train.core.machine import prepare
from jimbo.train.core.pace import TrainingPace
from jimbo.train.core.watching import TrainingBar, Watcher, Watchers
from jimbo.training.algorithms import KINDS, OUT_OF_MEMORY, make_model, updates_made, warnings_before
from jimbo.training.config import TrainerConfig
from jimbo.training.environments import evaluate_model, training_env
from jimbo.training.framework import CONFIG, CheckpointManager, RLTrainer, check_algorithm, kept_in
from jimbo.training.metrics import BalatroMetrics, plot_training_curves
from jimbo.training.policies import export_policy, plays_candidates
from jimbo.training.resume import RESUME, check_same, read_model, read_state, restore_state, write_model
from jimbo.training.sb3_callbacks import EpisodeCallback, GivenCallbacks, KeeperCallback, Stopped, WandbCallback

__all__ = ["SB3Trainer", "TrainingResult"]

STOPPED = "A callback stopped the training after {:,} steps; restore() and train() resume it."


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """The result of a training."""

    algorithm: str
    asked_timesteps: int
    total_timesteps: int
    """Steps that were made; rollouts are whole."""
    updates: int
    """Passes over a rollout (PPO, A2C) or steps of the optimizer (DQN)."""
    warnings: list[str]
    """Remarks that these numbers do not show."""
    seconds: float
    episodes: int
    summary: dict[str, float]
    """Means of the episodes that were learnt from."""
    history: list[dict[str, float]]
    """One row for each evaluation on the fixed games."""
    save_path: str

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


class SB3Trainer(RLTrainer):
    """Trains PPO, A2C or DQN on environments like ``env``.

    >>> trainer = SB3Trainer(create_balatro_env(seed=42), get_default_config("PPO"))
    >>> trainer.train()
    >>> mean, std = trainer.evaluate(n_episodes=10)
    >>> trainer.save_model()
    >>> trainer.close()

    ``vec_env`` holds the games that it plays, see ``training_env``; ``save_path`` is where everything is kept.
    """

    def __init__(self, env: Any, config: TrainerConfig, *, watcher: Watcher | None = None) -> None:
        super().__init__(env, config)
        check_algorithm(config.algorithm)
        if config.algorithm not in KINDS:
            raise ValueError(f"SB3Trainer trains {', '.join(KINDS)}: make {config.algorithm} with create_trainer")
        if config.use_wandb:
            check_installed(["wandb"], "track")
        if config.tensorboard:
            check_installed(["tensorboard"], "train")
        self.device: torch.device = prepare(self.config.device)
        torch.set_num_threads(self.config.torch_threads)
        self.vec_env = training_env(env, self.config)
        self.checkpoints = CheckpointManager(self.save_path, self.config.checkpoints_kept)
        self._seen_by = self.watcher = watcher or (TrainingBar() if config.verbose else Watcher())
        self.name = config.run_name or config.algorithm
        self._asked = 0
        self.judged = BalatroMetrics()
        """The games of the last ``evaluate``."""
        self.keeper = KeeperCallback(self)
        self._restored = False

    # --- The interface of trainers ------------------------------------------------------------------------------------

    def create_model(self) -> Any:
        """Make the model; with ``use_behavioral_cloning`` it starts as a clone of the recorded player."""
        self._make_model()
        if self.config.use_behavioral_cloning:
            from jimbo.training.behavioral_cloning import BehavioralCloning, TrajectoryCollector

            games = TrajectoryCollector(self.config.bc_data)
            BehavioralCloning(self, seed=self.config.seed).pretrain(games, epochs=self.config.bc_epochs)
        return self.model

    def train(self, total_timesteps: int | None = None, callback: Any = None) -> TrainingResult:
        """Learn for so many steps, ``config.total_timesteps`` by default; after ``restore`` for so many in all.

        ``callback`` is one of Stable-Baselines3: a ``BaseCallback``, a list of them, or a function. One that returns
        False stops the training at the end of the rollout; ``restore`` and ``train`` resume it as if it had never
        stopped.
        """
        total = self.config.total_timesteps if total_timesteps is None else total_timesteps
        if total < 1:
            raise ValueError(f"total_timesteps must be at least 1, not {total}")
        if self.model is None:
            self.create_model()
        with locked(self.save_path, "training"):
            return self.train_alone(total, callback)

    def train_alone(self, total: int, callback: Any = None) -> TrainingResult:
        """Learn as ``train`` does. The caller holds the lock of ``save_path``."""
        if not self._restored and not self.model.num_timesteps:
            self.checkpoints.forget()
            (self.save_path / RESUME).unlink(missing_ok=True)
        self.save_config()
        left = total - self.model.num_timesteps if self._restored else total
        self._asked = self.model.num_timesteps + left
        self._restored = False
        if left > 0:  # nothing is left if the training was over
            files = LogFile(self.save_path / LOG), TrainingPace(self.save_path / PACE)
            self.watcher = Watchers(self._seen_by, *files)
            self._learn(left, [] if callback is None else callback if isinstance(callback, list) else [callback])
        self.save_model()
        if self.config.verbose:
            self.watcher.say(kept_in(self.save_path))
        return self.result()

    def evaluate(self, n_episodes: int = 10, deterministic: bool = True) -> tuple[float, float]:
        """Return mean and standard deviation of the rewards of games that are always the same; none is learnt from."""
        if self.model is None:
            raise ValueError("there is no model to evaluate yet: call train() or create_model() first")
        self.judged = evaluate_model(self.model, self.env, self.config, n_episodes, deterministic=deterministic)
        summary = self.judged.get_summary()
        return summary["mean_reward"], summary["std_reward"]

    def write_model(self, path: str) -> None:
        """Write the model with the statistics of its normalization; ``load_model`` reads it again."""
        write_model(self.model, path)

    def load_model(self, path: Path | str) -> None:
        """Take weights and statistics from a file that ``save_model`` or a checkpoint wrote."""
        if self.model is None:
            self.create_model()
        read_model(self.model, Path(path))

    def close(self) -> None:
        self.vec_env.close()
        super().close()

    # --- Resuming -----------------------------------------------------------------------------------------------------

    def can_resume(self) -> bool:
        return (self.save_path / RESUME).is_file()

    def restore(self) -> None:
        """Go to the last saved state in ``save_path``; ``train`` then continues as if it had never stopped."""
        state = read_state(self.save_path)
        check_same(self, state)
        self._make_model()
        restore_state(self, state)
        self.keeper.set_state(state["more"])
        self._restored = True

    def result(self) -> TrainingResult:
        """Return the result so far."""
        return TrainingResult(
            algorithm=self.config.algorithm,
            asked_timesteps=self._asked,
            total_timesteps=self.total_timesteps,
            updates=updates_made(self.model),
            warnings=self.warnings,
            seconds=round(self.keeper.seconds, 1),
            episodes=len(self.metrics),
            summary=self.metrics.get_summary(),
            history=list(self.keeper.history),
            save_path=str(self.save_path),
        )

    # --- Learning -----------------------------------------------------------------------------------------------------

    def _make_model(self) -> None:
        log = str(self.save_path / EVENTS) if self.config.tensorboard else None
        self.model = make_model(self.vec_env, self.config, device=self.device, tensorboard=log)

    def _learn(self, steps: int, given: list[Any]) -> None:
        model = self.model
        self.watcher.say(self.name)
        if model.num_timesteps:
            self.watcher.say(f"Resuming after {model.num_timesteps:,} steps.")
        self._warn(*warnings_before(model, steps, self.config.algorithm))
        callbacks = [one if isinstance(one, BaseCallback) else ConvertCallback(one) for one in given]
        logs = [WandbCallback(self)] if self.config.use_wandb else []
        # The keeper is the last: it keeps what the others have done.
        parts = [EpisodeCallback(self), GivenCallbacks([*logs, *callbacks], self.keeper), self.keeper]
        masks = {"use_masking": is_masking_supported(self.vec_env)} if isinstance(model, MaskablePPO) else {}
        made = CallbackList(parts)
        try:
            model.learn(
                steps,
                callback=made,
                reset_num_timesteps=not model.num_timesteps,
                tb_log_name=self.config.algorithm,
                **masks,
            )
            self.keeper.finish()
        except Stopped:
            made.on_training_end()
            self._warn(STOPPED.format(model.num_timesteps))
        except torch.cuda.OutOfMemoryError:
            raise ValueError(OUT_OF_MEMORY) from None
        finally:
            self.total_timesteps, self.updates = model.num_timesteps, updates_made(model)
            self.watcher.close()
            self.watcher = self._seen_by
            for log in logs:
                log.finish()

    def _warn(self, *sentences: str) -> None:
        self.warnings = list(sentences)
        for sentence in sentences:
            self.watcher.say(sentence)


# --- A training in a folder -------------------------------------------------------------------------------------------

START, BEST, LAST = "start.onnx", "best.onnx", "last.onnx"
SUMMARY = "sb3_train_summary.json"


def run_job(
    config: TrainerConfig, out: Path, *, game: Mapping[str, Any], watcher: Watcher, resume: bool = True
) -> TrainingResult:
    """Train in ``out``, or resume the training there; ``game`` has options of the environment."""
    config.save_dir, config.run_name = str(out.parent), out.name
    config.verbose = 0  # the watcher shows how it goes, and the caller says where the files are
    if config.env == "campaign":
        env = create_campaign_env(config.seed, hands=config.hands, **game)
    else:
        env = create_balatro_env(config.seed, **game)
    trainer = SB3Trainer(env, config, watcher=watcher)
    try:
        check_free(out, resume)
        with locked(out, "training"):
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
    result = trainer.train_alone(trainer.config.total_timesteps)
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


def _export(trainer: SB3Trainer, name: str) -> None:
    """Export the policy if it plays candidates; others play in Stable-Baselines3 only."""
    if plays_candidates(trainer.model):
        about = {"timesteps": trainer.model.num_timesteps, "seed": trainer.config.seed}
        export_policy(trainer.model, trainer.config.algorithm, trainer.save_path / name, about)
