"""Typed positions, read: ``hand: As Kd 10h(steel); jokers: Baron, Ride the Bus (mult 12)``.

A position is a list of parts with semicolons or line ends between them; a part is a name, a colon and what it holds. An
item of a part can have marks in parentheses. ``jimbo.data.position`` makes a state of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from jimbo.data.notation_items import CARD, cards, consumables, jokers, levels, shop
from jimbo.data.notation_words import (
    Json,
    NamedItem,
    Word,
    check_length,
    items,
    key_of,
    listed,
    number,
    parts,
)
from jimbo.engine.catalog import BLINDS, BOOSTERS, CHALLENGES, DECKS, STAKES, TAGS, VOUCHERS
from jimbo.text.spellings import (
    BLIND_WORDS,
    BOOSTER_WORDS,
    CHALLENGE_WORDS,
    DECK_WORDS,
    STAKE_WORDS,
    TAG_WORDS,
    VOUCHER_WORDS,
    fold,
)


def _goods(words: Mapping[str, str], facts: Mapping[str, Any], kind: str) -> Callable[[Word], list[Json]]:
    def read(held: Word) -> list[Json]:
        told = []
        for item in items(held):
            for mark in item.marks:
                if fold(mark.text) != "free":
                    raise mark.refused("is no mark of something on sale. It takes free.")
            told.append({"key": key_of(words, facts, item.word, kind), **({"free": True} if item.marks else {})})
        return told

    return read


def _keys(words: Mapping[str, str], facts: Mapping[str, Any], kind: str) -> Callable[[Word], list[str]]:
    return lambda held: [key_of(words, facts, _unmarked(item), kind) for item in items(held)]


def _vouchers(held: Word) -> list[str]:
    told: list[str] = []
    for item in items(held):
        key = key_of(VOUCHER_WORDS, VOUCHERS, _unmarked(item), "voucher")
        if key in told:
            raise item.word.refused("stands there twice.")
        told.append(key)
    return told


def _unmarked(item: NamedItem) -> Word:
    if item.marks:
        raise item.marks[0].refused("stands where no mark can.")
    return item.word


def _one(words: Mapping[str, str], facts: Mapping[str, Any], kind: str) -> Callable[[Word], str]:
    return lambda held: key_of(words, facts, held, kind)


def _blind(held: Word) -> str:
    """``small``, ``big``, ``boss`` or the key of a boss."""
    slot = fold(held.text).removesuffix("blind")
    return slot if slot in ("small", "big", "boss") else _boss(held)


def _boss(held: Word) -> str:
    key = key_of(BLIND_WORDS, BLINDS, held, "blind")
    if not BLINDS[key].boss:
        raise held.refused("is no boss blind.")
    return key


def _between(low: int, high: int, *, whole: bool = True) -> Callable[[Word], float]:
    return lambda held: number(held, low, high, whole=whole)


_MOST = 10**9
PARTS: Mapping[str, Callable[[Word], Any]] = {
    "hand": cards,
    "jokers": jokers,
    "consumables": consumables,
    "blind": _blind,
    "boss": _boss,
    "needs": _between(0, 10**300, whole=False),
    "scored": _between(0, 10**300, whole=False),
    "hands": _between(0, 99),
    "discards": _between(0, 99),
    "money": _between(-_MOST, _MOST),
    "ante": _between(-99, 99),
    "round": _between(0, 999),
    "deck": _one(DECK_WORDS, DECKS, "deck"),
    "stake": _one(STAKE_WORDS, STAKES, "stake"),
    "challenge": _one(CHALLENGE_WORDS, CHALLENGES, "challenge"),
    "vouchers": _vouchers,
    "tags": _keys(TAG_WORDS, TAGS, "tag"),
    "levels": levels,
    "hand size": _between(1, 50),
    "joker slots": _between(0, 30),
    "consumable slots": _between(0, 30),
    "tarots": _between(0, 9999),
    "skips": _between(0, 999),
    "shop": shop,
    "packs": _goods(BOOSTER_WORDS, BOOSTERS, "pack"),
    "for sale": _goods(VOUCHER_WORDS, VOUCHERS, "voucher"),
    "reroll": _between(0, 999),
    "left": cards,
    "gone": cards,
}
"""The parts of a position in their order, and what reads them."""
_ALIASES = {
    "joker": "jokers",
    "dollars": "money",
    "consumable": "consumables",
    "voucher": "vouchers",
    "chips": "scored",
}
_PART_WORDS = {fold(name): name for name in PARTS} | {"handsize": "hand size"} | _ALIASES


_LISTS = ("hand", "jokers", "consumables", "vouchers", "tags", "shop", "packs", "for sale", "left", "gone")
"""Those that may be empty."""


@dataclass(frozen=True, slots=True)
class PositionPart:
    value: Any
    word: Word
    """Its name, where it stands."""


def read_parts(text: str) -> dict[str, PositionPart]:
    """What the parts of a position hold; BadPosition for anything else."""
    told: dict[str, PositionPart] = {}
    for word, held in parts(text, PARTS):
        name = _PART_WORDS.get(fold(word.text))
        check_length(word)
        if name is None:
            near = get_close_matches(fold(word.text), _PART_WORDS, n=1, cutoff=0.6)
            hint = f"Did you mean {_PART_WORDS[near[0]]}?" if near else f"The names are {listed(PARTS)}."
            raise word.refused(f"is no part of a position. {hint}")
        if name in told:
            raise word.refused("stands there twice.")
        if name == "deck" and any(CARD.fullmatch(item.word.text) for item in items(held, ", ")):
            raise held.refused("are cards. deck takes a deck such as Blue Deck; the cards left to draw stand in left.")
        if not held.text:
            if name in _LISTS:
                told[name] = PositionPart([], word)
                continue
            raise word.refused("holds nothing. Leave it out, or say what it is.")
        told[name] = PositionPart(PARTS[name](held), word)
    return told
