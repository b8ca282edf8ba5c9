"""What the compiled core knows of seeds: the game's randomness, bit for bit, and the tools ``jimbo.seeds`` is made of.

    >>> from jimbo.engine.seed_tools import Streams
    >>> streams = Streams("TESTSEED")
    >>> streams.random("cdt1"), streams.random("cdt1")
    (0.3236733177364923, 0.5376134125132599)

Every use of a key advances its stream and no other.
"""

from jimbo.engine._core import (
    GROS_MICHEL_EXTINCT,
    MADE_SEED_COUNT,
    Conventions,
    SeedReports,
    SeedSearch,
    Streams,
    advance_state,
    blocked_at_start,
    challenge_key,
    check_seed,
    deck_key,
    edition_chance,
    has_stream,
    made_seed,
    pack_queue,
    pseudohash,
    randint_from,
    random_from,
    rest_report,
    rest_voucher,
    seed_number,
    seed_report,
    source_queue,
    stake_key,
    starting_deck,
)

__all__ = [
    "GROS_MICHEL_EXTINCT",
    "MADE_SEED_COUNT",
    "Conventions",
    "SeedReports",
    "SeedSearch",
    "Streams",
    "advance_state",
    "blocked_at_start",
    "challenge_key",
    "check_seed",
    "deck_key",
    "edition_chance",
    "has_stream",
    "made_seed",
    "pack_queue",
    "pseudohash",
    "randint_from",
    "random_from",
    "rest_report",
    "rest_voucher",
    "seed_number",
    "seed_report",
    "source_queue",
    "stake_key",
    "starting_deck",
]
