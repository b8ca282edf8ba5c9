"""A policy that begins as a clone of a recorded player."""

from jimbo.extras import check_installed

check_installed(["sb3_contrib"], "train")  # without importing it: torch must be told first to rest

from jimbo.train.sb3.cloning import BehavioralCloning, TrajectoryCollector  # noqa: E402

__all__ = ["BehavioralCloning", "TrajectoryCollector"]
