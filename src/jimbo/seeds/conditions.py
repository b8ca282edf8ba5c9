"""What a seed must hold, as typed conditions. ``parse`` reads the same ones from text."""

from __future__ import annotations

from dataclasses import dataclass

RANKS = {
    **{str(n): str(n) for n in range(2, 10)},
    "T": "10",
    "J": "Jack",
    "Q": "Queen",
    "K": "King",
    "A": "Ace",
}
"""Letters of a front's key, such as ``H_T``, and their names."""
SUITS = {"S": "Spades", "H": "Hearts", "C": "Clubs", "D": "Diamonds"}
DECK_SIZE = 52


@dataclass(frozen=True, slots=True)
class Thing:
    """A joker, consumable, voucher, pack, tag or boss."""

    key: str
    edition: str | None = None
    """Only of a joker: ``e_foil``, ``e_holo``, ``e_polychrome`` or ``e_negative``."""


@dataclass(frozen=True, slots=True)
class PlayingCard:
    """A playing card; what is None does not matter. A Stone card shows no rank and no suit."""

    rank: str | None = None
    """Its letter in a front's key: 2 to 9, T, J, Q, K or A."""
    suit: str | None = None
    """S, H, C or D."""
    enhancement: str | None = None
    seal: str | None = None
    edition: str | None = None


@dataclass(frozen=True, slots=True)
class Has:
    """One of these turns up in these antes, both included; None is every ante up to the search's ``by_ante``."""

    any_of: tuple[Thing | PlayingCard, ...]
    antes: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Lacks:
    """None of these turns up in these antes."""

    any_of: tuple[Thing | PlayingCard, ...]
    antes: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class CardCount:
    """From ``min`` to ``max`` cards of a rank, a suit or both."""

    card: PlayingCard
    min: int
    max: int = DECK_SIZE


@dataclass(frozen=True, slots=True)
class DeckHas:
    """The starting deck holds one of these counts of cards."""

    any_of: tuple[CardCount, ...]


Condition = Has | Lacks | DeckHas
