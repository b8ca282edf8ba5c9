"""The compiled tools that look into seeds; ``jimbo.seeds`` is made of them."""

from jimbo.engine._core import (
    MADE_SEED_COUNT,
    Conventions,
    SeedReports,
    SeedSearch,
    blocked_at_start,
    challenge_key,
    check_seed,
    deck_key,
    made_seed,
    pack_queue,
    seed_number,
    seed_report,
    source_queue,
    stake_key,
    starting_deck,
)

__all__ = [
    "MADE_SEED_COUNT",
    "Conventions",
    "SeedReports",
    "SeedSearch",
    "blocked_at_start",
    "challenge_key",
    "check_seed",
    "deck_key",
    "made_seed",
    "pack_queue",
    "seed_number",
    "seed_report",
    "source_queue",
    "stake_key",
    "starting_deck",
]
