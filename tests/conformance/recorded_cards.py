"""Playing cards as a recording words them: ``S_6``, ``S_6:GOLD``, or an object."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from conformance.recorded_items import SKIP, Field, Item, always, edition_field, price_fields
from jimbo.engine import PublicCard
from jimbo.engine.catalog import ENHANCEMENTS
from jimbo.text.cards import front, rank_and_suit
from jimbo.text.spellings import (
    EDITION_WORDS,
    ENHANCEMENT_WORDS,
    RANK_WORDS,
    SEAL_WORDS,
    SUIT_WORDS,
    fold,
    spelled,
)

SEPARATORS = re.compile(r"[:/|*#+,]")
ABILITIES: Mapping[str | None, Mapping[str, Any]] = {
    "m_bonus": {"bonus": 30},
    "m_mult": {"mult": 4},
    "m_glass": {"x_mult": 2, "extra": 4},
    "m_steel": {"h_x_mult": 1.5},
    "m_stone": {"bonus": 50},
    "m_gold": {"h_dollars": 3},
    "m_lucky": {"mult": 20, "p_dollars": 20},
}
RESTING: Mapping[str, Any] = {"x_mult": 1, "mult": 0, "bonus": 0, "h_x_mult": 0, "h_dollars": 0, "p_dollars": 0}


def card_item(card: PublicCard, *, in_pile: bool = False, price: int | None = None) -> Item:
    """``in_pile`` for the draw pile: its cards lie face down, and their fronts may be all that was read."""
    key, (rank, suit) = front(card), rank_and_suit(card)
    bonus, debuff = always(card.bonus), always(card.debuffed)
    hidden = always(SKIP if in_pile else card.face_down)
    fields: dict[str, Field] = {
        "text": lambda stated: card_text(card, stated, front_is_enough=in_pile),
        "key": always(key),
        "rank": lambda stated: spelled(stated, RANK_WORDS, rank, rank),
        "suit": lambda stated: spelled(stated, SUIT_WORDS, suit, suit),
        "label": always(ENHANCEMENTS[card.enhancement].name if card.enhancement else "Base Card"),
        "set": always("ENHANCED" if card.enhancement else "DEFAULT"),
        "enhancement": lambda stated: spelled(
            stated, ENHANCEMENT_WORDS, card.enhancement or "", _word(card.enhancement)
        ),
        **edition_field(card.edition or "e_base"),
        "seal": lambda stated: spelled(stated, SEAL_WORDS, card.seal or "", _word(card.seal)),
        "perma_bonus": bonus,
        "permanent_bonus": bonus,
        "debuff": debuff,
        "debuffed": debuff,
        "hidden": hidden,
        "face_down": hidden,
        "effect": lambda stated: _effect(card, stated),
        **price_fields(price, None),
    }
    own = {**RESTING, **ABILITIES.get(card.enhancement, {})}
    return Item(key, fields, lambda name: (own[name],) if name in own else ())


def card_text(card: PublicCard, stated: Any, *, front_is_enough: bool) -> Any:
    """The stated text where all of its words are true. Enhancements are always written, other marks not."""
    key, *words = SEPARATORS.split(stated) if isinstance(stated, str) else [""]
    if key != front(card) or (card.enhancement and not words and not front_is_enough):
        return _full_text(card)
    for spellings, mark in (
        (ENHANCEMENT_WORDS, card.enhancement),
        (EDITION_WORDS, card.edition),
        (SEAL_WORDS, card.seal),
    ):
        word = next((word for word in words if mark and spellings.get(fold(word)) == mark), None)
        if word is not None:
            words.remove(word)
    others = {
        "debuff": card.debuffed,
        "debuffed": card.debuffed,
        "hidden": card.face_down,
        str(card.bonus): card.bonus > 0,
    }
    return stated if all(others.get(fold(word)) for word in words) else _full_text(card)


def _full_text(card: PublicCard) -> str:
    return ":".join([front(card), *(_word(mark) for mark in (card.enhancement, card.edition, card.seal) if mark)])


def _word(key: str | None) -> str:
    return (key or "NONE").removeprefix("m_").removeprefix("e_").removeprefix("seal_").upper()


def _effect(card: PublicCard, stated: Any) -> Any:
    """Only what Hiker has added is a number of the card's own."""
    found = re.search(r"\+(\d+) extra chips", stated) if isinstance(stated, str) else None
    return stated[: found.start(1)] + str(card.bonus) + stated[found.end(1) :] if found else SKIP
