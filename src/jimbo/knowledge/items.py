"""The items that the graph knows, and the decks by which jokers are tried: additions of cards that share something."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from jimbo.engine.catalog import CONSUMABLES, ENHANCEMENTS, HANDS, JOKERS, SEALS, VOUCHERS

ITEMS: tuple[str, ...] = (*JOKERS, *VOUCHERS, *CONSUMABLES)
"""What a run owns, by key; the place in this list is the number of an item."""
PLACE: Mapping[str, int] = {key: place for place, key in enumerate(ITEMS)}
JOKER_KEYS: tuple[str, ...] = tuple(JOKERS)
HAND_KEYS: tuple[str, ...] = tuple(HANDS)
_SUITS = {"S": "Spades", "H": "Hearts", "C": "Clubs", "D": "Diamonds"}
_RANKS = {
    "A": "Ace", "K": "King", "Q": "Queen", "J": "Jack", "T": "10", "9": "9", "8": "8", "7": "7", "6": "6", "5": "5",
    "4": "4", "3": "3", "2": "2",
}  # fmt: skip
_CHIPS = {"A": 11, "K": 10, "Q": 10, "J": 10, "T": 10} | {str(rank): rank for rank in range(2, 10)}
_FACES = "KQJ"
_BEFORE, _NOT_AFTER = r"(played|single|each|or|,|of|\()", r"(?!( |%)?(Mult|Chips|less|hands|card|or more|or fewer))"
"""What stands around a number that is a rank, and not an amount."""


@dataclass(frozen=True, slots=True)
class CardKind:
    """Playing cards that share something: a rank, a suit, an enhancement or a seal."""

    key: str
    """Such as ``rank:K`` or ``enhancement:m_steel``."""
    name: str
    """In the plural: Kings, Steel cards."""
    fronts: tuple[str, ...]
    """The cards that are added, again and again: ``H_K`` ..."""
    rank: str = ""
    suit: str = ""
    enhancement: str | None = None
    seal: str | None = None
    chips: int = 0
    words: str = ""
    """What a joker's text says if it is about such cards, as a regular expression."""

    def about(self, joker: str) -> bool:
        """Whether the game's own facts of a joker speak of such cards."""
        fact = JOKERS[joker]
        return fact.gate == self.enhancement is not None or bool(re.search(self.words, fact.text))


def _plural(rank: str) -> str:
    return f"{_RANKS[rank]}s"


@cache
def card_kinds() -> Mapping[str, CardKind]:
    """All kinds of cards, by key."""
    kinds = [
        CardKind(
            f"rank:{rank}", _plural(rank), tuple(f"{suit}_{rank}" for suit in "HSDC"), rank=name, chips=_CHIPS[rank],
            words=rf"\b{name}s?\b" if rank in "AKQJ" else rf"{_BEFORE} {name}\b{_NOT_AFTER}",
        )
        for rank, name in _RANKS.items()
    ]  # fmt: skip
    faces = tuple(f"{suit}_{rank}" for rank in _FACES for suit in "HSDC")
    kinds.append(CardKind("rank:face", "face cards", faces, rank="face", chips=10, words=r"\bface cards?\b"))
    ranks = "A85K39Q4T62J7"
    kinds += [
        CardKind(
            f"suit:{name}", name, tuple(f"{suit}_{rank}" for rank in ranks), suit=name,
            words=rf"\b{name[:-1]}s?\b|\bsuit\b|\bFlush\b",
        )
        for suit, name in _SUITS.items()
    ]  # fmt: skip
    mixed = tuple(f"{suit}_{rank}" for rank, suit in zip(ranks, "HSDCHSDCHSDCH", strict=True))
    kinds += [
        CardKind(
            f"enhancement:{key}", f"{fact.word} cards", mixed, enhancement=key,
            words=rf"\b{fact.word} cards?\b|\b[Ee]nhance",
        )
        for key, fact in ENHANCEMENTS.items()
    ]  # fmt: skip
    kinds += [
        CardKind(f"seal:{key}", f"cards with a {fact.name}", mixed, seal=key, words=r"\bseal\b")
        for key, fact in SEALS.items()
    ]
    return {kind.key: kind for kind in kinds}


_ANYWHERE = r"[Rr]etriggers?|[Cc]opies|held in hand|full deck|listed chances"
"""In texts of jokers that add to what other jokers and cards do."""


@cache
def jokers_about(kind: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The jokers whose facts speak of a kind of cards, and those that add to whatever cards do."""
    own = tuple(key for key in JOKER_KEYS if card_kinds()[kind].about(key))
    rest = tuple(key for key in JOKER_KEYS if key not in own and re.search(_ANYWHERE, JOKERS[key].text))
    return own, rest
