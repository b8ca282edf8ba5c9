"""All about one item on the table: what it does, what is on it, what it is worth."""

from __future__ import annotations

from collections.abc import Sequence

from jimbo.engine import (
    PublicBooster,
    PublicCard,
    PublicConsumable,
    PublicJoker,
    PublicOffer,
    PublicState,
    PublicTag,
    PublicVoucherOffer,
)
from jimbo.engine.catalog import BOOSTERS, CONSUMABLES, EDITIONS, ENHANCEMENTS, JOKERS, SEALS, STICKERS, VOUCHERS
from jimbo.text.blinds import tag_text
from jimbo.text.cards import RANK_NAMES, SUIT_NAMES, is_stone, rank_and_suit
from jimbo.text.jokers import joker_name, joker_now, stickers
from jimbo.text.numbers import counted

Item = PublicCard | PublicJoker | PublicOffer | PublicConsumable | PublicVoucherOffer | PublicBooster | PublicTag


def item_lines(item: Item, state: PublicState) -> list[str]:
    """Return sentences about an item, what it does first; none about what lies face down."""
    match item:
        case PublicCard():
            return _card(item)
        case PublicJoker():
            return _joker(item, state)
        case PublicOffer():
            return _offer(item)
        case PublicConsumable():
            sells = [f"Sells for ${item.sell_value}."] if item.sell_value else []
            return [CONSUMABLES[item.key].text, *_extras(item.edition), *sells]
        case PublicVoucherOffer():
            return [VOUCHERS[item.key].text, f"Costs ${item.price}."]
        case PublicBooster():
            return [BOOSTERS[item.key].text, f"Costs ${item.price}."]
    return [tag_text(item)]


def _offer(item: PublicOffer) -> list[str]:
    if item.card:
        return _card(item.card)
    text = CONSUMABLES[item.consumable].text if item.consumable else JOKERS[item.joker or ""].text
    return [text, *_extras(item.edition, stickers(item))]


def _joker(joker: PublicJoker, state: PublicState) -> list[str]:
    if not joker.key:
        return []
    lines = [JOKERS[joker.key].text]
    copied = [joker_name(state.jokers[part.copied]) for part in joker.shown if part.copied is not None]
    if now := joker_now(joker, state):
        lines.append(f"Now it is {copied[0]}." if copied else f"Now {now}.")
    if joker.debuffed:
        lines.append("Debuffed: it does nothing.")
    elif joker.perishable:
        lines.append(f"{counted(joker.perish_left, 'round')} left.")
    if joker.pinned:
        lines.append("Pinned to the left.")
    lines.append(f"Sells for ${joker.sell_value}.")
    return [*lines, *_extras(joker.edition, stickers(joker))]


def _card(card: PublicCard) -> list[str]:
    if card.face_down:
        return []
    rank, suit = rank_and_suit(card)
    lines = [] if is_stone(card) else [f"{RANK_NAMES.get(rank, rank)} of {SUIT_NAMES[suit]}."]
    if card.enhancement:
        lines.append(f"{ENHANCEMENTS[card.enhancement].name}: {ENHANCEMENTS[card.enhancement].text}")
    if card.bonus:
        lines.append(f"+{card.bonus} Chips gained for good.")
    if card.debuffed:
        lines.append("Debuffed: it counts for the hand but scores nothing.")
    if card.forced:
        lines.append("Always selected.")
    lines += _extras(card.edition)
    if card.seal:
        lines.append(f"{SEALS[card.seal].name}: {SEALS[card.seal].text}")
    return lines


def _extras(edition: str | None, stuck: Sequence[str] = ()) -> list[str]:
    lines = [f"{EDITIONS[edition].name}: {EDITIONS[edition].text}"] if edition else []
    return lines + [f"{STICKERS[key].name}: {STICKERS[key].text}" for key in stuck]
