"""The language of the balatrobot mod, for those who speak it and those who listen; games that are started from here."""

from jimbo.wire.client import Client
from jimbo.wire.errors import BadReply, NoReply, NotPossible, Refused, Unreachable, WireError

__all__ = ["BadReply", "Client", "NoReply", "NotPossible", "Refused", "Unreachable", "WireError"]
