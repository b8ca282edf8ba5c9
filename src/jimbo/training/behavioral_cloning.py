"""A policy that begins as a clone of a recorded player."""

from jimbo.extras import require

require("sb3_contrib", "train")

from jimbo.train.sb3.cloning import BehavioralCloning, TrajectoryCollector  # noqa: E402

__all__ = ["BehavioralCloning", "TrajectoryCollector"]
