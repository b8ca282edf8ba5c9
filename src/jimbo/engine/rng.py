"""The game's randomness, bit for bit: its text hash, its generator and its keyed streams.

    >>> from jimbo.engine.rng import Streams
    >>> streams = Streams("TESTSEED")
    >>> streams.random("cdt1"), streams.random("cdt1")
    (0.3236733177364923, 0.5376134125132599)

Every use of a key advances its stream and no other.
"""

from jimbo.engine._core import (
    Streams,
    advance_state,
    check_seed,
    has_stream,
    pseudohash,
    randint_from,
    random_from,
)

__all__ = [
    "Streams",
    "advance_state",
    "check_seed",
    "has_stream",
    "pseudohash",
    "randint_from",
    "random_from",
]
