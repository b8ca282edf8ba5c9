"""The learning rate."""

from __future__ import annotations

import math
from dataclasses import dataclass

from jimbo.az.settings import TrainerConfig


@dataclass(frozen=True, slots=True)
class Schedule:
    """Rises to ``lr``, then falls along half a cosine; a function of the step alone, so that it needs no memory."""

    lr: float
    first: int
    """The step before the first one."""
    steps: int
    min_ratio: float
    warmup_steps: int
    warmup_ratio: float
    falls: bool = True

    def at(self, step: int) -> float:
        """The rate of the step after ``step``."""
        done = step - self.first
        if done < self.warmup_steps:
            return self.lr * (self.warmup_ratio + (1 - self.warmup_ratio) * done / self.warmup_steps)
        if not self.falls:
            return self.lr
        left = max(1, self.steps - self.warmup_steps)
        share = min(1.0, (done - self.warmup_steps) / left)
        return self.lr * (self.min_ratio + (1 - self.min_ratio) * 0.5 * (1 + math.cos(math.pi * share)))


def schedule_of(config: TrainerConfig, *, resumed: bool) -> Schedule:
    """With ``lr_total_steps`` the rate falls over all trainings of a loop, from step 0 on."""
    whole = config.lr_total_steps > 0
    return Schedule(
        lr=config.lr,
        first=0 if whole else config.start_step,
        steps=config.lr_total_steps if whole else config.steps,
        min_ratio=config.lr_min_ratio,
        warmup_steps=0 if resumed or not config.lr_schedule else config.lr_warmup_steps,
        warmup_ratio=config.lr_warmup_start_ratio,
        falls=config.lr_schedule,
    )
