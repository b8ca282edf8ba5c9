"""Which seeds are played.

A named set is a rule, not a file: seed number i of set S, version V, is made from the SHA-256 of the text
``jimbo-seeds/S/vV/i``, read as one whole number whose last 8 digits to base 34 choose among the characters that the
game uses for seeds of its own. A seed that came before in the same set is left out. Sets of different names share seeds
only by chance, and training sets leave out every seed that is used for measuring.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, count, islice

ALPHABET = "123456789ABCDEFGHIJKLMNPQRSTUVWXYZ"
SEED_LENGTH = 8
VERSION = 1
FRESH = "fresh"
_DEV_SIZES = {"dev-100": 100, "dev-1000": 1000}


@dataclass(frozen=True, slots=True)
class SeedSet:
    """Seeds with the name they are known by."""

    name: str
    version: int
    seeds: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<SeedSet {self.name}, version {self.version}: {len(self.seeds)} seeds>"

    @property
    def hash(self) -> str:
        """Tells lists of seeds apart."""
        return hashlib.sha256("\n".join(self.seeds).encode()).hexdigest()[:16]


def seed_set_names() -> tuple[str, ...]:
    return (*_DEV_SIZES, FRESH)


def seed_set(name: str | None = None, size: int | None = None) -> SeedSet:
    """The first ``size`` seeds of a set, all of it by default. ValueError says what is allowed.

    Without a name it is the smallest development set that holds that many. ``fresh`` draws new seeds every time.
    """
    if size is not None and size < 1:
        raise ValueError("At least one seed is needed.")
    if name == FRESH:
        return fresh_seeds(size or min(_DEV_SIZES.values()))
    if name is None:
        name = next((known for known, held in _DEV_SIZES.items() if held >= (size or 1)), "dev-1000")
    if name not in _DEV_SIZES:
        raise ValueError(f'There is no seed set "{name}". Choose one of {", ".join(seed_set_names())}.')
    if size is not None and size > _DEV_SIZES[name]:
        raise ValueError(f"The seed set {name} holds {_DEV_SIZES[name]} seeds. For more, choose {FRESH}.")
    return SeedSet(name, VERSION, _dev_seeds(name)[:size])


def fresh_seeds(size: int, drawn: Sequence[str] = ()) -> SeedSet:
    """Seeds that nobody has seen, from the system's randomness; those that were drawn before come first."""
    more = (_seed_text(secrets.randbelow(len(ALPHABET) ** SEED_LENGTH)) for _ in count())
    return SeedSet(FRESH, VERSION, tuple(islice(_distinct(chain(drawn, more)), size)))


def train_seeds(name: str, *, version: int = VERSION) -> Iterator[str]:
    """The endless seeds of a set for training; none of them is in a set for measuring."""
    measured = {seed for dev in _DEV_SIZES for seed in _dev_seeds(dev)}
    return (seed for seed in _sequence(f"train-{name}", version) if seed not in measured)


def rollout_seeds(prefix: str) -> Iterator[str]:
    """Return the endless seeds of the games of ``jimbo rollout --seed-prefix``, in their order."""
    return train_seeds(f"rollout-{prefix}")


def gate_seeds(panel: str) -> Iterator[str]:
    """Return the endless seeds of the games of a gate; the name of the panel is drawn when it begins."""
    return train_seeds(f"gate-{panel}")


@cache
def _dev_seeds(name: str) -> tuple[str, ...]:
    return tuple(islice(_sequence(name, VERSION), _DEV_SIZES[name]))


def _sequence(name: str, version: int) -> Iterator[str]:
    digests = (hashlib.sha256(f"jimbo-seeds/{name}/v{version}/{i}".encode()).hexdigest() for i in count())
    return _distinct(_seed_text(int(digest, 16)) for digest in digests)


def _distinct(seeds: Iterator[str]) -> Iterator[str]:
    known: set[str] = set()
    for seed in seeds:
        if seed not in known:
            known.add(seed)
            yield seed


def _seed_text(number: int) -> str:
    text = ""
    for _ in range(SEED_LENGTH):
        number, digit = divmod(number, len(ALPHABET))
        text = ALPHABET[digit] + text
    return text
