"""The one episode loop, with observers, and rollouts: many games written to a file."""

from jimbo.rollout.loop import MAX_STEPS, AgentFailed, Moment, Observer, Recorder, Rollout
from jimbo.rollout.runner import RolloutPlan, RolloutResult, roll_out

__all__ = [
    "MAX_STEPS",
    "AgentFailed",
    "Moment",
    "Observer",
    "Recorder",
    "Rollout",
    "RolloutPlan",
    "RolloutResult",
    "roll_out",
]
