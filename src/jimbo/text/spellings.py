"""Words of recordings and of the mod: one thing has many spellings, such as HOLO, holo, e_holo and Holographic."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from jimbo.engine.catalog import (
    BLINDS,
    BOOSTERS,
    CHALLENGES,
    CONSUMABLES,
    DECKS,
    EDITIONS,
    ENHANCEMENTS,
    HANDS,
    JOKERS,
    SEALS,
    STAKES,
    TAGS,
    VOUCHERS,
)
from jimbo.text.cards import RANK_NAMES, SUIT_NAMES

Spellings = Mapping[str, str]
"""From a folded spelling to the key."""


def fold(text: object) -> str:
    """A text without case, blanks and signs, in which spellings differ."""
    return re.sub(r"[^a-z0-9]", "", str(text).lower())


def _spellings(keys: Mapping[str, Iterable[str]]) -> Spellings:
    return {fold(word): key for key, words in keys.items() for word in (key, *words)}


NOTHING = ("", "none", "null", "base")
EDITION_WORDS = _spellings(
    {key: (key[2:], fact.name, *(NOTHING if key == "e_base" else ())) for key, fact in EDITIONS.items()}
)
ENHANCEMENT_WORDS = _spellings(
    {"": NOTHING} | {key: (key[2:], fact.name, fact.word) for key, fact in ENHANCEMENTS.items()}
)
SEAL_WORDS = _spellings({"": NOTHING} | {key: (seal.name, key.removeprefix("seal_")) for key, seal in SEALS.items()})
SUIT_WORDS = _spellings({letter: (name, name[:-1]) for letter, name in SUIT_NAMES.items()})
RANK_WORDS = _spellings(
    {str(rank): () for rank in range(2, 10)} | {"10": ("T",)} | {k: (v,) for k, v in RANK_NAMES.items()}
)
TAG_WORDS = _spellings({key: (fact.name,) for key, fact in TAGS.items()} | {"tag_skip": ("Skip Tag", "Speed Tag")})
BLIND_WORDS = _spellings({key: (fact.name,) for key, fact in BLINDS.items()})
DECK_WORDS = _spellings({key: (fact.name, key.removeprefix("b_")) for key, fact in DECKS.items()})
STAKE_WORDS = _spellings({key: (fact.name, key.removeprefix("stake_")) for key, fact in STAKES.items()})
VOUCHER_WORDS = _spellings({key: (fact.name,) for key, fact in VOUCHERS.items()})


def _bare(name: str) -> tuple[str, str]:
    """A name, and the same without its article."""
    return name, name.removeprefix("The ")


JOKER_WORDS = _spellings({key: _bare(fact.name) for key, fact in JOKERS.items()})
CONSUMABLE_WORDS = _spellings({key: _bare(fact.name) for key, fact in CONSUMABLES.items()})
CHALLENGE_WORDS = _spellings({key: _bare(fact.name) for key, fact in CHALLENGES.items()})
BOOSTER_WORDS = _spellings({key: (fact.name,) for key, fact in reversed(BOOSTERS.items())})
"""Packs that differ only in their picture share a name: the first of them is meant."""
HAND_WORDS = _spellings(dict.fromkeys(HANDS, ()))
