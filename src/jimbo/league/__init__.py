"""What was trained, recorded and evaluated, kept in a registry, and which of it is the champion."""

from jimbo.league.registry import Entry, NotRegistered, Registry, StoredFile

__all__ = ["Entry", "NotRegistered", "Registry", "StoredFile"]
