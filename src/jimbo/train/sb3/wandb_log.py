"""Weights & Biases, for those who have it. With ``wandb_mode="offline"`` nothing leaves the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stable_baselines3.common.callbacks import BaseCallback

from jimbo.extras import require

if TYPE_CHECKING:
    from jimbo.train.sb3.sb3_trainer import SB3Trainer

EVERY = 1000
"""Steps between two logs of the episodes; rollouts of A2C and DQN are shorter."""


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
