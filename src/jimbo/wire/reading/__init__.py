"""What a gamestate tells of a run, in the engine's words."""

from jimbo.wire.reading.following import Difference, Follower, differences
from jimbo.wire.reading.language import in_english
from jimbo.wire.reading.overlay import deck_of, stake_of

__all__ = ["Difference", "Follower", "deck_of", "differences", "in_english", "stake_of"]
