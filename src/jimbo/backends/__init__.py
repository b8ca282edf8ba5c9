"""Worlds in which an agent can play, behind one small protocol: the simulator, the real game, recorded runs."""

from jimbo.backends.protocol import Applied, Backend, RewindableBackend
from jimbo.backends.real import RealBackend
from jimbo.backends.replayed import ReplayBackend, WentOtherwise
from jimbo.backends.sim import RevealedState, SimBackend

__all__ = [
    "Applied",
    "Backend",
    "RealBackend",
    "ReplayBackend",
    "RevealedState",
    "RewindableBackend",
    "SimBackend",
    "WentOtherwise",
]
