"""Everything there is in the game, as typed facts: jokers, consumables, vouchers, packs, tags, blinds and so on.

Each set is a dict from the game's key to a fact, in the game's own order, which is also the order of its pools::

    >>> from jimbo.engine.catalog import JOKERS, fact
    >>> JOKERS["j_greedy_joker"].cost
    5
    >>> fact("bl_hook").name
    'The Hook'

The facts are rows of the compiled core, whose field lists make their classes; this module holds none of its own. Facts
name each other by key, such as the prerequisite of a voucher. ``order`` counts from 0 within its set and equals the
core's enum value.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Protocol, TypeVar

from jimbo.engine import _core
from jimbo.engine._core import (
    BlindFact,
    BoosterFact,
    ChallengeCard,
    ChallengeFact,
    ChallengeJoker,
    ConsumableFact,
    DeckFact,
    EditionFact,
    EnhancementFact,
    HandFact,
    JokerFact,
    RunStart,
    SealFact,
    StakeFact,
    StickerFact,
    TagFact,
    VoucherFact,
)

__all__ = [
    "BLINDS",
    "BOOSTERS",
    "CHALLENGES",
    "CONSUMABLES",
    "DECKS",
    "EDITIONS",
    "ENHANCEMENTS",
    "GAME_VERSION",
    "HANDS",
    "JOKERS",
    "SEALS",
    "STAKES",
    "STICKERS",
    "TAGS",
    "VOUCHERS",
    "BlindFact",
    "BoosterFact",
    "ChallengeCard",
    "ChallengeFact",
    "ChallengeJoker",
    "ConsumableFact",
    "DeckFact",
    "EditionFact",
    "EnhancementFact",
    "Fact",
    "HandFact",
    "JokerFact",
    "RunStart",
    "SealFact",
    "StakeFact",
    "StickerFact",
    "TagFact",
    "VoucherFact",
    "fact",
]


GAME_VERSION = "1.0.1o"
"""The version of the game that these facts, and the rules of the engine, are those of."""


class Fact(Protocol):
    """What every fact has."""

    @property
    def key(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def order(self) -> int: ...
    @property
    def text(self) -> str: ...


_F = TypeVar("_F", bound=Fact)


def _by_keys(facts: Iterable[_F]) -> dict[str, _F]:
    return {fact.key: fact for fact in facts}


JOKERS = _by_keys(_core.joker_facts())
CONSUMABLES = _by_keys(_core.consumable_facts())
VOUCHERS = _by_keys(_core.voucher_facts())
BOOSTERS = _by_keys(_core.booster_facts())
TAGS = _by_keys(_core.tag_facts())
BLINDS = _by_keys(_core.blind_facts())
DECKS = _by_keys(_core.deck_facts())
STAKES = _by_keys(_core.stake_facts())
CHALLENGES = _by_keys(_core.challenge_facts())
ENHANCEMENTS = _by_keys(_core.enhancement_facts())
EDITIONS = _by_keys(_core.edition_facts())
SEALS = _by_keys(_core.seal_facts())
STICKERS = _by_keys(_core.sticker_facts())
HANDS = _by_keys(_core.hand_facts())

_by_key: dict[str, Fact] = {
    **JOKERS,
    **CONSUMABLES,
    **VOUCHERS,
    **BOOSTERS,
    **TAGS,
    **BLINDS,
    **DECKS,
    **STAKES,
    **CHALLENGES,
    **ENHANCEMENTS,
    **EDITIONS,
    **SEALS,
    **STICKERS,
    **HANDS,
}


def fact(key: str) -> Fact:
    """The fact of any item by its key. Raises KeyError, naming similar keys, when there is none."""
    found = _by_key.get(key)
    if found is not None:
        return found
    # A display name is the likeliest mistake, so names are offered with their keys.
    by_name = {item.name.lower(): item.key for item in reversed(_by_key.values())}
    folded = {known.lower(): known for known in _by_key} | by_name
    close = dict.fromkeys(folded[match] for match in difflib.get_close_matches(key.lower(), folded, n=3, cutoff=0.7))
    hint = f"Did you mean {' or '.join(close)}?" if close else "Keys look like j_joker, c_fool, v_blank, bl_hook."
    raise KeyError(f"No item of the game has the key {key!r}. {hint}")
