"""How the seed tools write what the engine reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jimbo.engine.catalog import BOOSTERS, DECKS, EDITIONS, ENHANCEMENTS, SEALS, STAKES, STICKERS, Fact

Card = Mapping[str, Any]
"""A card as the engine's JSON has it."""

MAIL_IN = {"Mail-In Rebate": "Mail In Rebate"}
NO_APOSTROPHE = MAIL_IN | {"Driver's License": "Drivers License"}


class Writer:
    """Writes cards as one tool does: stickers, seal, edition and enhancement come before the name."""

    def __init__(self, spellings: Mapping[str, str], *, fronts_by_key: bool) -> None:
        self._spellings = spellings
        self._fronts_by_key = fronts_by_key

    def card(self, card: Card) -> str:
        words = [STICKERS[sticker].name for sticker in card.get("stickers", ())]
        if "seal" in card:
            words.append(SEALS[card["seal"]].name)
        if "edition" in card:
            words.append(EDITIONS[card["edition"]].name)
        if "enhancement" in card:
            words.append(ENHANCEMENTS[card["enhancement"]].word)
        words.append(self._name(card))
        return " ".join(words)

    def cards(self, cards: Sequence[Card]) -> list[str]:
        return [self.card(card) for card in cards]

    def pack(self, pack: Card) -> list[str]:
        """The pack's name and its cards."""
        return [pack["name"], *self.cards(pack["cards"])]

    def _name(self, card: Card) -> str:
        if self._fronts_by_key and is_front(card["key"]):
            return str(card["key"])
        return self._spellings.get(card["name"], card["name"])


def is_front(key: str) -> bool:
    """Keys of playing cards are a suit and a rank, such as ``S_T``; those of all other cards are longer."""
    return len(key) == 3


def pack_names(keys: Sequence[str]) -> list[str]:
    return [BOOSTERS[key].name for key in keys]


def deck_key(text: str) -> str:
    """The key of a deck that a corpus calls ``red``, ``RED``, ``b_red`` or ``Red Deck``."""
    return _key_of(text, "deck", DECKS)


def stake_key(text: str | int) -> str:
    """The key of a stake that a corpus calls ``white``, ``WHITE``, ``White Stake`` or 1."""
    if isinstance(text, int):
        return list(STAKES)[text - 1]
    return _key_of(text, "stake", STAKES)


def _key_of(text: str, kind: str, facts: Mapping[str, Fact]) -> str:
    for key, item in facts.items():
        if text.lower() in (key, key.split("_", 1)[1], item.name.lower()):
            return key
    raise ValueError(f'there is no {kind} "{text}"')
