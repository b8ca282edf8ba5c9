"""Callbacks of a training: episodes are counted, models judged and kept, states written, logs sent."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from stable_baselines3.common.callbacks import BaseCallback, CallbackList

from jimbo.extras import require
from jimbo.training.algorithms import updates_made
from jimbo.training.evaluation import evaluate_model
from jimbo.training.resume import save_state

EVERY = 1000
"""Steps between two logs of the episodes; rollouts of A2C and DQN are shorter."""

if TYPE_CHECKING:
    from jimbo.training.sb3_trainer import SB3Trainer


class Stopped(Exception):
    """A training that a callback has stopped, between two rollouts."""


class GivenCallbacks(CallbackList):
    """The user's callbacks. Where one returns False, the training ends with the rollout, which is still learnt from.

    A training can go on exactly only from between two rollouts.
    """

    def __init__(self, callbacks: list[BaseCallback], keeper: KeeperCallback) -> None:
        super().__init__(callbacks)
        self._keeper = keeper

    def _on_step(self) -> bool:
        if not self._keeper.stops:
            self._keeper.stops = not super()._on_step()
        return True


class EpisodeCallback(BaseCallback):
    """Collects the episodes that ended, and tells TensorBoard of the recent ones."""

    def __init__(self, trainer: SB3Trainer) -> None:
        super().__init__()
        self._trainer = trainer

    def _on_step(self) -> bool:
        for info in self.locals["infos"]:
            if "episode" in info:
                self._trainer.metrics.add_result(info, self.num_timesteps)
        return True

    def _on_rollout_end(self) -> None:
        for name, value in self._trainer.metrics.get_recent().items():
            self.logger.record(f"balatro/{name}", value)


class KeeperCallback(BaseCallback):
    """Before a rollout, when it is time: judges the model on fixed games, keeps the best, keeps where it all stands.

    Between two rollouts the model does not change, so this is often enough; and there a training can go on exactly.
    """

    def __init__(self, trainer: SB3Trainer) -> None:
        super().__init__()
        self._trainer = trainer
        self.history: list[dict[str, float]] = []
        """One row for each evaluation."""
        self.last_evaluated = -1
        self.last_kept = 0
        self.stops = False
        """Whether the training ends with this rollout."""
        self._began = time.perf_counter()
        self._spent = 0.0

    def state(self) -> dict[str, Any]:
        return {
            "history": self.history,
            "last_evaluated": self.last_evaluated,
            "last_kept": self.last_kept,
            "spent": self.seconds,
        }

    def set_state(self, state: dict[str, Any]) -> None:
        self.history, self._spent = state["history"], state["spent"]
        self.last_evaluated, self.last_kept = state["last_evaluated"], state["last_kept"]

    @property
    def seconds(self) -> float:
        """Of training, those before an interruption included."""
        return self._spent + time.perf_counter() - self._began

    def _on_training_start(self) -> None:
        self._began = time.perf_counter()
        self.stops = False

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        config, step = self._trainer.config, self.model.num_timesteps
        if config.eval_freq and (self.last_evaluated < 0 or step - self.last_evaluated >= config.eval_freq):
            self.judge()
        if config.checkpoint_freq and step - self.last_kept >= config.checkpoint_freq:
            self.keep()
        if self.stops:
            save_state(self._trainer, self.state())
            raise Stopped

    def judge(self) -> None:
        """One more row of the history; the best model so far is kept."""
        trainer, step = self._trainer, self.model.num_timesteps
        found = evaluate_model(trainer.model, trainer.env, trainer.config, trainer.config.eval_episodes).get_summary()
        names = ("mean_reward", "std_reward", "mean_ante", "win_rate", "mean_length", "illegal_actions")
        row = {"timesteps": step, "seconds": round(self.seconds, 1), **{name: found[name] for name in names}}
        self.history.append(row)
        self.last_evaluated = step
        for name in names:
            self.logger.record(f"eval/{name}", row[name])
        best = trainer.checkpoints.save_best(trainer.write_model, step, row["mean_reward"])
        trainer.watcher.evaluated(row, best and updates_made(trainer.model) > 0)

    def keep(self) -> None:
        """A checkpoint, and the state to go on from."""
        trainer = self._trainer
        self.last_kept = self.model.num_timesteps
        trainer.checkpoints.save(trainer.write_model, self.last_kept)
        save_state(trainer, self.state())


class WatcherCallback(BaseCallback):
    """Tells how far it is."""

    def __init__(self, trainer: SB3Trainer) -> None:
        super().__init__()
        self._trainer = trainer

    def _on_step(self) -> bool:
        self._trainer.watcher.stepped(self.num_timesteps)
        return True


class WandbCallback(BaseCallback):
    """Logs the recent episodes now and then, and every evaluation once."""

    def __init__(self, trainer: SB3Trainer) -> None:
        super().__init__()
        self._trainer = trainer
        self._run: Any = None
        self._told = 0
        self._last = -EVERY

    def _on_training_start(self) -> None:
        config = self._trainer.config
        self._told = len(self._trainer.keeper.history)
        self._run = require("wandb", "track").init(
            project=config.wandb_project,
            name=self._trainer.save_path.name,
            tags=list(config.wandb_tags),
            config=config.to_dict(),
            dir=str(self._trainer.save_path),
            mode=config.wandb_mode,
        )

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        if self.num_timesteps - self._last >= EVERY:
            self._last = self.num_timesteps
            recent = self._trainer.metrics.get_recent()
            self._run.log({f"train/{name}": value for name, value in recent.items()}, step=self.num_timesteps)
        self._tell_evaluations()

    def _tell_evaluations(self) -> None:
        for row in self._trainer.keeper.history[self._told :]:
            self._run.log({f"eval/{name}": value for name, value in row.items()})
        self._told = len(self._trainer.keeper.history)

    def finish(self) -> None:
        """When the last evaluation is over, which comes after the training."""
        if self._run is not None:
            self._tell_evaluations()
            self._run.finish()
