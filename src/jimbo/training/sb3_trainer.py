"""PPO, A2C and DQN of Stable-Baselines3, all of which choose among allowed actions only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import is_masking_supported
from stable_baselines3.common.callbacks import BaseCallback, CallbackList, ConvertCallback

from jimbo.extras import check_installed
from jimbo.run_folder import locked
from jimbo.train.core.machine import prepare
from jimbo.training.algorithms import KINDS, OUT_OF_MEMORY, make_model, planned_steps, updates_made, warnings_before
from jimbo.training.config import TrainerConfig
from jimbo.training.environments import training_env
from jimbo.training.evaluation import evaluate_model
from jimbo.training.framework import CheckpointManager, RLTrainer, check_algorithm
from jimbo.training.metrics import BalatroMetrics
from jimbo.training.model_files import read_model, write_model
from jimbo.training.resume import RESUME, check_same, read_state, restore_state
from jimbo.training.sb3_callbacks import (
    EpisodeCallback,
    GivenCallbacks,
    KeeperCallback,
    Stopped,
    WandbCallback,
    WatcherCallback,
)
from jimbo.training.watching import Bar, Watcher

__all__ = ["SB3Trainer", "TrainingResult"]

TENSORBOARD = "tensorboard"
STOPPED = "A callback stopped the training after {:,} steps; restore() and train() go on from there."


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """What a training came to."""

    algorithm: str
    asked_timesteps: int
    total_timesteps: int
    """Steps that were made: rollouts are whole."""
    updates: int
    """Passes over a rollout (PPO, A2C) or steps of the optimizer (DQN)."""
    warnings: list[str]
    """What these numbers do not show by themselves."""
    seconds: float
    episodes: int
    summary: dict[str, float]
    """Of the episodes that were learnt from."""
    history: list[dict[str, float]]
    """One row for each evaluation on the fixed games."""
    save_path: str

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


class SB3Trainer(RLTrainer):
    """Trains PPO, A2C or DQN on environments like ``env``.

    >>> trainer = SB3Trainer(create_balatro_env(seed=42), get_default_config("PPO"))
    >>> trainer.train()
    >>> mean, spread = trainer.evaluate(n_episodes=10)
    >>> trainer.save_model()
    >>> trainer.close()

    ``vec_env`` is what it plays, see ``training_env``; ``save_path`` is where everything is kept.
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
        self.watcher = watcher or (Bar(config.run_name or config.algorithm) if config.verbose else Watcher())
        self._asked = 0
        self.tensorboard_log = str(self.save_path / TENSORBOARD) if self.config.tensorboard else None
        self.judged = BalatroMetrics()
        """The games of the last ``evaluate``."""
        self.keeper = KeeperCallback(self)
        self._restored = self._is_alone = False

    # --- The interface of trainers ------------------------------------------------------------------------------------

    def create_model(self) -> Any:
        """Makes the model; with ``use_behavioral_cloning`` it begins as a clone of the recorded player."""
        self.model = make_model(self.vec_env, self.config, device=self.device, tensorboard=self.tensorboard_log)
        if self.config.use_behavioral_cloning:
            from jimbo.training.behavioral_cloning import BehavioralCloning, TrajectoryCollector

            games = TrajectoryCollector(self.config.bc_data)
            BehavioralCloning(self, seed=self.config.seed).pretrain(games, epochs=self.config.bc_epochs)
        return self.model

    def train(self, total_timesteps: int | None = None, callback: Any = None) -> TrainingResult:
        """Learns for so many steps, ``config.total_timesteps`` by default; after ``restore``, on to so many in all.

        ``callback`` is one of Stable-Baselines3: a ``BaseCallback``, a list of them, or a function. One that returns
        False stops the training at the end of the rollout; ``restore`` and ``train`` go on as if it had never stopped.
        """
        total = self.config.total_timesteps if total_timesteps is None else total_timesteps
        if total < 1:
            raise ValueError(f"total_timesteps must be at least 1, not {total}")
        if self.model is None:
            self.create_model()
        with self.alone():
            if not self._restored and not self.model.num_timesteps:
                self.checkpoints.forget()
                (self.save_path / RESUME).unlink(missing_ok=True)
            self.save_config()
            left = total - self.model.num_timesteps if self._restored else total
            self._asked = total if self._restored else self.model.num_timesteps + total
            self._restored = False
            if left > 0:  # nothing is left where a training that ended is resumed
                with self._wandb() as logs:
                    if self._learn(left, [*logs, *_listed(callback)]):
                        self._finish()
            self.save_model()
        if self.config.verbose:
            self.watcher.kept(self.save_path)
        return self.result()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keeps every other training out of ``save_path``; ValueError if one is there."""
        if self._is_alone:
            yield
            return
        with locked(self.save_path, "training"):
            self._is_alone = True
            try:
                yield
            finally:
                self._is_alone = False

    def evaluate(self, n_episodes: int = 10, deterministic: bool = True) -> tuple[float, float]:
        """Mean and spread of the rewards of games that are the same each time; nothing is learnt from them."""
        if self.model is None:
            raise ValueError("there is no model to evaluate yet: call train() or create_model() first")
        self.judged = evaluate_model(self.model, self.env, self.config, n_episodes, deterministic=deterministic)
        summary = self.judged.get_summary()
        return summary["mean_reward"], summary["std_reward"]

    def load_model(self, path: Path | str) -> None:
        """Takes over the weights and statistics of a file that ``save_model`` or a checkpoint wrote."""
        if self.model is None:
            self.create_model()
        read_model(self.model, Path(path))

    def close(self) -> None:
        self.vec_env.close()
        super().close()

    # --- Going on -----------------------------------------------------------------------------------------------------

    def can_resume(self) -> bool:
        return (self.save_path / RESUME).is_file()

    def restore(self) -> None:
        """Goes to where the training in ``save_path`` was kept last; ``train`` then goes on as if never stopped."""
        state = read_state(self.save_path)
        check_same(self, state)
        self.model = make_model(self.vec_env, self.config, device=self.device, tensorboard=self.tensorboard_log)
        restore_state(self, state)
        self.keeper.set_state(state["more"])
        self._restored = True

    def write_model(self, path: str) -> None:
        """With the statistics of its normalization; ``load_model`` reads it again."""
        write_model(self.model, path)

    def result(self) -> TrainingResult:
        """What came of it so far."""
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

    @contextmanager
    def _wandb(self) -> Iterator[list[BaseCallback]]:
        """Who writes to Weights & Biases, if anyone; its log ends after the last evaluation, whatever happens."""
        if not self.config.use_wandb:
            yield []
            return
        log = WandbCallback(self)
        try:
            yield [log]
        finally:
            log.finish()

    def _learn(self, steps: int, given: list[Any]) -> bool:
        """Whether it went to its end; no callback stopped it."""
        self.save_path.mkdir(parents=True, exist_ok=True)
        model = self.model
        self.warnings = list(warnings_before(model, steps, self.config.algorithm))
        self.watcher.began(model.num_timesteps, model.num_timesteps + planned_steps(model, steps))
        for sentence in self.warnings:
            self.watcher.warned(sentence)
        callbacks = self._callbacks(given)
        masks = {"use_masking": is_masking_supported(self.vec_env)} if isinstance(model, MaskablePPO) else {}
        try:
            model.learn(
                steps,
                callback=callbacks,
                reset_num_timesteps=not model.num_timesteps,
                tb_log_name=self.config.algorithm,
                **masks,
            )
        except Stopped:
            callbacks.on_training_end()
            self.warnings = [STOPPED.format(model.num_timesteps)]
            self.watcher.warned(self.warnings[0])
            return False
        except torch.cuda.OutOfMemoryError:
            raise ValueError(OUT_OF_MEMORY) from None
        finally:
            self.total_timesteps, self.updates = model.num_timesteps, updates_made(model)
            self.watcher.ended()
        return True

    def _callbacks(self, given: list[Any]) -> CallbackList:
        made = [one if isinstance(one, BaseCallback) else ConvertCallback(one) for one in given]
        parts = [EpisodeCallback(self), WatcherCallback(self), GivenCallbacks(made, self.keeper)]
        return CallbackList([*parts, self.keeper])  # last: it keeps what the others have done

    def _finish(self) -> None:
        """The last evaluation, and the last state."""
        config, step = self.config, self.model.num_timesteps
        if config.eval_freq and self.keeper.last_evaluated != step:
            self.keeper.judge()
        self.keeper.keep()


def _listed(callback: Any) -> list[Any]:
    if callback is None:
        return []
    return callback if isinstance(callback, list) else [callback]
