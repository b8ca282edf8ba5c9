"""Which run the options of a command ask for."""

from jimbo.engine.seeds import challenge_key, deck_key
from jimbo.eval.rows import CHALLENGE_DECK

DECK = "b_red"


def deck_and_challenge(deck: str | None, challenge: str | None) -> tuple[str, str | None]:
    """Their keys; ValueError for what does not exist, and for a deck beside a challenge."""
    if challenge is None:
        return deck_key(DECK if deck is None else deck), None
    if deck is not None:
        raise ValueError("A challenge brings its own deck; choose either --challenge or --deck.")
    return CHALLENGE_DECK, challenge_key(challenge)
