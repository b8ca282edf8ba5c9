"""What a run starts with: seed, deck, stake and challenge, read from text."""

from __future__ import annotations

import random

from jimbo.engine import seed_tools

FIRST_MADE_SEED = "11111111"
CHALLENGE_DECK = "b_challenge"


def deck_key(text: str) -> str:
    """The key of a deck given as ``b_red``, ``red`` or ``Red Deck``; ValueError says what is allowed."""
    return seed_tools.deck_key(text)


def stake_key(text: str) -> str:
    """The key of a stake given as ``stake_white``, ``white`` or ``White Stake``."""
    return seed_tools.stake_key(text)


def challenge_key(text: str) -> str:
    """The key of a challenge given as ``c_omelette_1``, ``omelette`` or ``The Omelette``."""
    return seed_tools.challenge_key(text)


def deck_and_challenge(deck: str | None, challenge: str | None) -> tuple[str, str | None]:
    """Their keys; ValueError for what does not exist, and for a deck together with a challenge."""
    if challenge is None:
        return deck_key("b_red" if deck is None else deck), None
    if deck not in (None, CHALLENGE_DECK):
        raise ValueError("A challenge brings its own deck; choose either a challenge or a deck.")
    return CHALLENGE_DECK, challenge_key(challenge)


def checked_seed(text: str) -> str:
    """A seed as it is, from a file or over the wire; ValueError for one that no game can be played on."""
    try:
        seed_tools.check_seed(text)
    except ValueError as error:
        raise ValueError(f"{error}.") from None
    return text


def typed_seed(text: str, *, as_in_game: bool = False) -> str:
    """A seed that somebody typed: in upper case; ``as_in_game`` also turns 0 into O, as the game's input field does."""
    seed = text.strip().upper()
    return checked_seed(seed.replace("0", "O") if as_in_game else seed)


def after(seed: str) -> str | None:
    """The next of the seeds that the game itself makes; None after the last."""
    number = made_seed_number(seed) + 1
    return seed_tools.made_seed(number) if number < seed_tools.MADE_SEED_COUNT else None


def random_start() -> str:
    return seed_tools.made_seed(random.randrange(seed_tools.MADE_SEED_COUNT))


def made_seed_number(seed: str) -> int:
    """Its place among the seeds that the game itself makes; ValueError for any other seed."""
    number = seed_tools.seed_number(typed_seed(seed))
    if number is None:
        raise ValueError(f'A search cannot start at "{seed}": it needs 8 characters from 1-9 and A-Z without O.')
    return number
