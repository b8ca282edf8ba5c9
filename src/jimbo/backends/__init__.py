"""Worlds in which an agent can play: one small protocol, the simulator as its first implementation."""

from jimbo.backends.protocol import Applied, Backend, RewindableBackend
from jimbo.backends.sim import RevealedState, SimBackend

__all__ = ["Applied", "Backend", "RevealedState", "RewindableBackend", "SimBackend"]
