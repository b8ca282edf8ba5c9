"""The one episode loop: decisions on a backend, told to whoever observes."""

from jimbo.rollout.loop import MAX_STEPS, AgentFailed, Moment, Observer, Recorder, Rollout

__all__ = ["MAX_STEPS", "AgentFailed", "Moment", "Observer", "Recorder", "Rollout"]
