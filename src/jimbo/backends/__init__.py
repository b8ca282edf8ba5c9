"""Worlds in which an agent can play: one small protocol, the simulator as its first implementation."""

from jimbo.backends.protocol import Backend
from jimbo.backends.public_view import PublicView, taken
from jimbo.backends.sim import SimBackend

__all__ = ["Backend", "PublicView", "SimBackend", "taken"]
