"""What was trained, recorded and evaluated, kept in a registry, and which of it is the champion."""

from jimbo.league.entry import Entry, StoredFile
from jimbo.league.players import player_of
from jimbo.league.registry import NotRegistered, Problem, Registry

__all__ = ["Entry", "NotRegistered", "Problem", "Registry", "StoredFile", "player_of"]
