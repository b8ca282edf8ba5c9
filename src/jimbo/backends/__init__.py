"""Worlds in which an agent can play, behind one small protocol: the simulator, the real game, recorded runs."""

from jimbo.lazy import lazily

_MODULES = {
    "jimbo.backends.protocol": ("Applied", "Backend", "RewindableBackend", "UnsupportedAction"),
    "jimbo.backends.real": ("NotSupportedByMod", "RealBackend"),
    "jimbo.backends.replayed": ("ReplayBackend", "ReplayDiverged"),
    "jimbo.backends.sim": ("RevealedState", "SimBackend"),
}
__all__, __getattr__, __dir__ = lazily(__name__, _MODULES)
