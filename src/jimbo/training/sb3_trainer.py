"""PPO, A2C and DQN with masks."""

from jimbo.extras import require

require("sb3_contrib", "train")

from jimbo.train.sb3.sb3_trainer import SB3Trainer, TrainingResult  # noqa: E402

__all__ = ["SB3Trainer", "TrainingResult"]
