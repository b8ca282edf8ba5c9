"""One codec of the mod's gamestate: a run is written as one, read from one, and two of them are compared."""

from jimbo.wire.codec.follow import Follower
from jimbo.wire.codec.marks import in_english
from jimbo.wire.codec.read import deck_of, stake_of
from jimbo.wire.codec.write import Memory, Writer, gamestate, open_state
from jimbo.wire.codec.written_cards import Unwritable
from jimbo.wire.gamestate import ValueDifference, differences, same_on_the_wire

__all__ = [
    "Follower",
    "Memory",
    "Unwritable",
    "ValueDifference",
    "Writer",
    "deck_of",
    "differences",
    "gamestate",
    "in_english",
    "open_state",
    "same_on_the_wire",
    "stake_of",
]
