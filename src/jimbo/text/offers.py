"""What shops and packs offer, in words."""

from __future__ import annotations

from jimbo.engine import PublicOffer
from jimbo.engine.catalog import CONSUMABLES, JOKERS
from jimbo.text.cards import card_name


def offer_name(offer: PublicOffer) -> str:
    """A joker's or consumable's name, or a playing card with everything on it."""
    return card_name(offer.card) if offer.card else offer.name


def offer_text(offer: PublicOffer) -> str:
    """What it does."""
    if offer.joker:
        return JOKERS[offer.joker].text
    return CONSUMABLES[offer.consumable].text if offer.consumable else "A playing card for your deck."
