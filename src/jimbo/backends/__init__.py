"""Worlds in which an agent can play, behind one small protocol: the simulator, the real game, recorded runs, the
game's own save."""

from jimbo.backends.protocol import Applied, Backend, RewindableBackend, UnsupportedAction
from jimbo.backends.real import NotSupportedByMod, RealBackend
from jimbo.backends.replayed import ReplayBackend, ReplayDiverged
from jimbo.backends.saved import SaveBackend, load_save
from jimbo.backends.sim import RevealedState, SimBackend

__all__ = [
    "Applied",
    "Backend",
    "NotSupportedByMod",
    "RealBackend",
    "ReplayBackend",
    "ReplayDiverged",
    "RevealedState",
    "RewindableBackend",
    "SaveBackend",
    "SimBackend",
    "UnsupportedAction",
    "load_save",
]
