"""Worlds in which an agent can play, behind one small protocol: the simulator, the real game, recorded runs, the
game's own save."""

from jimbo.lazy import lazily

_MODULES = {
    "jimbo.backends.protocol": ("Applied", "Backend", "RewindableBackend", "UnsupportedAction"),
    "jimbo.backends.real": ("NotSupportedByMod", "RealBackend"),
    "jimbo.backends.replayed": ("ReplayBackend", "ReplayDiverged"),
    "jimbo.backends.saved": ("SaveBackend", "load_save"),
    "jimbo.backends.sim": ("RevealedState", "SimBackend"),
}
__all__, __getattr__, __dir__ = lazily(__name__, _MODULES)
