"""PPO, A2C and DQN with masks."""

from jimbo.extras import check_installed

check_installed(["sb3_contrib"], "train")  # without importing it: torch must be told first to rest

from jimbo.train.sb3.sb3_trainer import SB3Trainer, TrainingResult  # noqa: E402

__all__ = ["SB3Trainer", "TrainingResult"]
