"""The simulator behind the HTTP JSON-RPC of the balatrobot mod: whoever talks to the real game can talk to it."""

from jimbo.serve.balatrobot.game import ServedGame
from jimbo.serve.balatrobot.server import Servers

__all__ = ["ServedGame", "Servers"]
