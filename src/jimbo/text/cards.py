"""Playing cards in words, what the player knows of the deck, and what shops and packs offer."""

from __future__ import annotations

from jimbo.engine import PublicCard, PublicOffer, PublicState
from jimbo.engine.catalog import CONSUMABLES, EDITIONS, ENHANCEMENTS, JOKERS, SEALS

SUIT_SYMBOLS = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}
SUIT_NAMES = {"S": "Spades", "H": "Hearts", "C": "Clubs", "D": "Diamonds"}
RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")
RANK_NAMES = {"A": "Ace", "K": "King", "Q": "Queen", "J": "Jack"}
FACE_DOWN = "a face-down card"


def is_stone(card: PublicCard) -> bool:
    """It shows neither rank nor suit."""
    return card.enhancement == "m_stone"


def rank_and_suit(card: PublicCard) -> tuple[str, str]:
    """Rank and suit of a card that lies face up."""
    if card.rank is None or card.suit is None:
        raise ValueError("a card that lies face down shows neither rank nor suit")
    return card.rank, card.suit


def front(card: PublicCard) -> str:
    """The key of its front: ``H_T``."""
    rank, suit = rank_and_suit(card)
    return f"{suit}_{'T' if rank == '10' else rank}"


def card_short(card: PublicCard) -> str:
    """``A♥``; also for a card that lies face down."""
    if card.face_down:
        return FACE_DOWN
    rank, suit = rank_and_suit(card)
    return "Stone" if is_stone(card) else f"{rank}{SUIT_SYMBOLS[suit]}"


def card_name(card: PublicCard) -> str:
    """A card with everything on it: ``Steel K♠ Foil Red Seal``."""
    words = [card_short(card)]
    if card.enhancement and not is_stone(card):
        words.insert(0, ENHANCEMENTS[card.enhancement].word)
    if card.edition:
        words.append(EDITIONS[card.edition].name)
    if card.seal:
        words.append(SEALS[card.seal].name)
    return " ".join(words)


def full_deck(state: PublicState) -> list[PublicCard]:
    """All cards in creation order, by which events name them. A face-down card of the hand is among the unseen."""
    seen = [card for card in state.hand if not card.face_down]
    return sorted([*state.unseen, *seen, *state.played, *state.discarded], key=lambda card: card.id)


def offer_name(offer: PublicOffer) -> str:
    """A joker's or consumable's name, or a playing card with everything on it."""
    return card_name(offer.card) if offer.card else offer.name


def offer_text(offer: PublicOffer) -> str:
    """What it does."""
    if offer.joker:
        return JOKERS[offer.joker].text
    return CONSUMABLES[offer.consumable].text if offer.consumable else "A playing card for your deck."
