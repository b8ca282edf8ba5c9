"""The one episode loop, with observers, and rollouts: many games written to a file."""

from jimbo.lazy import lazily

_MODULES = {
    "jimbo.rollout.loop": ("MAX_STEPS", "AgentFailed", "Moment", "Observer", "Recorder", "Rollout"),
    "jimbo.rollout.runner": ("RolloutPlan", "RolloutResult", "roll_out"),
}
__all__, __getattr__, __dir__ = lazily(__name__, _MODULES)
