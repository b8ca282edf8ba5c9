"""The game's own save, ``save.jkr``: where it lies, how it is unpacked, and what a player may know of the run in it."""

from jimbo.wire.saves.places import find_save
from jimbo.wire.saves.read import Saved, read_save
from jimbo.wire.saves.table import MAX_FILE, BadSave

__all__ = ["MAX_FILE", "BadSave", "Saved", "find_save", "read_save"]
