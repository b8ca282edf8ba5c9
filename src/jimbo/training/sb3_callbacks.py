"""Callbacks of a training: episodes are counted, models evaluated and kept, states written, logs sent."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from stable_baselines3.common.callbacks import BaseCallback, CallbackList

from jimbo.extras import require
from jimbo.training.algorithms import planned_steps, updates_made
from jimbo.training.environments import evaluate_model
from jimbo.training.resume import save_state

if TYPE_CHECKING:
    from jimbo.training.sb3_trainer import SB3Trainer

EVERY = 1000
"""Steps between two logs of the episodes; rollouts of A2C and DQN are shorter."""
_MEASURED = ("mean_reward", "std_reward", "mean_ante", "win_rate", "mean_length", "illegal_actions")
_KEPT = ("history", "last_evaluated", "last_kept")
"""State of a KeeperCallback."""
_HEADS = f"{'steps':>12} {'seconds':>8} {'mean ante':>10} {'reward':>8} {'won':>6}"


class Stopped(Exception):
    """A training that a callback has stopped, between two rollouts."""


class GivenCallbacks(CallbackList):
    """The user's callbacks. If one returns False, the training ends after learning from this rollout.

    A training can be resumed exactly only from between two rollouts.
    """

    def __init__(self, callbacks: list[BaseCallback], keeper: KeeperCallback) -> None:
        super().__init__(callbacks)
        self._keeper = keeper

    def _on_step(self) -> bool:
        if not self._keeper.stops:
            self._keeper.stops = not super()._on_step()
        return True


class TrainerCallback(BaseCallback):
    """A callback that knows its trainer."""

    def __init__(self, trainer: SB3Trainer) -> None:
        super().__init__()
        self._trainer = trainer

    def _on_step(self) -> bool:
        return True


class EpisodeCallback(TrainerCallback):
    """Collects the episodes that ended, shows how far the training is, and logs recent episodes for TensorBoard."""

    def _on_training_start(self) -> None:
        self._began, self._first = time.perf_counter(), self.num_timesteps
        self._total = self._first + planned_steps(self.model, self.locals["total_timesteps"] - self._first)
        self._show()

    def _on_step(self) -> bool:
        for info in self.locals["infos"]:
            if "episode" in info:
                self._trainer.watcher.count(games=1)
                self._trainer.metrics.add_result(info, self.num_timesteps)
        self._show()
        return True

    def _show(self) -> None:
        rate = (self.num_timesteps - self._first) / max(time.perf_counter() - self._began, 1e-9)
        phase = f"Learning, {self._trainer.name}"
        self._trainer.watcher.progress(phase, self.num_timesteps, self._total, "steps", f"{rate:,.0f} steps/s")

    def _on_rollout_end(self) -> None:
        for name, value in self._trainer.metrics.get_recent().items():
            self.logger.record(f"balatro/{name}", value)


class KeeperCallback(TrainerCallback):
    """Evaluates the model on fixed games before a rollout, when it is time, keeps the best, and saves the state.

    Between two rollouts the model does not change, so this is often enough; and there a training can be resumed
    exactly.
    """

    def __init__(self, trainer: SB3Trainer) -> None:
        super().__init__(trainer)
        self.history: list[dict[str, float]] = []
        """One row for each evaluation."""
        self.last_evaluated = -1
        self.last_kept = 0
        self.stops = False
        """Whether the training ends with this rollout."""
        self._has_heads = False
        self._began = time.perf_counter()
        self.spent = 0.0
        """Seconds before an interruption."""

    def save(self) -> None:
        kept = {name: getattr(self, name) for name in _KEPT}
        save_state(self._trainer, {**kept, "spent": self.seconds})

    def set_state(self, state: dict[str, Any]) -> None:
        for name in (*_KEPT, "spent"):
            setattr(self, name, state[name])

    @property
    def seconds(self) -> float:
        """Seconds of training, including those before an interruption."""
        return self.spent + time.perf_counter() - self._began

    def _on_training_start(self) -> None:
        self._began = time.perf_counter()
        self.stops = False

    def _on_rollout_start(self) -> None:
        config, step = self._trainer.config, self.model.num_timesteps
        if config.eval_freq and (self.last_evaluated < 0 or step - self.last_evaluated >= config.eval_freq):
            self.evaluate()
        if config.checkpoint_freq and step - self.last_kept >= config.checkpoint_freq:
            self.keep()
        if self.stops:
            self.save()
            raise Stopped

    def finish(self) -> None:
        """Evaluate the last model if that has not happened, and save the last state."""
        if self._trainer.config.eval_freq and self.last_evaluated != self.model.num_timesteps:
            self.evaluate()
        self.keep()

    def evaluate(self) -> None:
        """Add a row to the history, and keep the model if it is the best so far."""
        trainer, step = self._trainer, self.model.num_timesteps
        found = evaluate_model(trainer.model, trainer.env, trainer.config, trainer.config.eval_episodes).get_summary()
        row = {"timesteps": step, "seconds": round(self.seconds, 1), **{name: found[name] for name in _MEASURED}}
        self.history.append(row)
        self.last_evaluated = step
        for name in _MEASURED:
            self.logger.record(f"eval/{name}", row[name])
        is_best = trainer.checkpoints.save_best(trainer.write_model, step, row["mean_reward"])
        self._show(row, is_best and updates_made(trainer.model) > 0)

    def _show(self, row: dict[str, float], is_best: bool) -> None:
        watcher = self._trainer.watcher
        if not self._has_heads:
            watcher.say(_HEADS)
            self._has_heads = True
        watcher.say(
            f"{row['timesteps']:>12,} {row['seconds']:>8,.0f} {row['mean_ante']:>10.2f} {row['mean_reward']:>8.3f} "
            f"{row['win_rate']:>6.1%}{'  the best so far' if is_best else ''}"
        )
        watcher.row(row, is_best)

    def keep(self) -> None:
        """Write a checkpoint, and the state from which the training can be resumed."""
        self.last_kept = self.model.num_timesteps
        self._trainer.checkpoints.save(self._trainer.write_model, self.last_kept)
        self.save()


class WandbCallback(TrainerCallback):
    """Logs the recent episodes now and then, and every evaluation once."""

    _run: Any = None
    _logged = 0
    """Evaluations that were logged."""
    _last = -EVERY

    def _on_training_start(self) -> None:
        config = self._trainer.config
        self._logged = len(self._trainer.keeper.history)
        self._run = require("wandb", "track").init(
            project=config.wandb_project,
            name=self._trainer.save_path.name,
            tags=list(config.wandb_tags),
            config=config.to_dict(),
            dir=str(self._trainer.save_path),
            mode=config.wandb_mode,
        )

    def _on_rollout_end(self) -> None:
        if self.num_timesteps - self._last >= EVERY:
            self._last = self.num_timesteps
            recent = self._trainer.metrics.get_recent()
            self._run.log({f"train/{name}": value for name, value in recent.items()}, step=self.num_timesteps)
        self._log_evaluations()

    def _log_evaluations(self) -> None:
        history = self._trainer.keeper.history
        for row in history[self._logged :]:
            self._run.log({f"eval/{name}": value for name, value in row.items()})
        self._logged = len(history)

    def finish(self) -> None:
        """End the log. Call it after the last evaluation, which comes after the training."""
        if self._run is not None:
            self._log_evaluations()
            self._run.finish()
