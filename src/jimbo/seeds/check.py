"""Whether a condition makes sense; if not, a sentence says why."""

from __future__ import annotations

from collections.abc import Iterable

from jimbo.engine.catalog import DECKS, EDITIONS, ENHANCEMENTS, JOKERS, SEALS, fact
from jimbo.seeds.conditions import (
    DECK_SIZE,
    RANKS,
    SUITS,
    CardCount,
    Condition,
    DeckHas,
    Has,
    PlayingCard,
    Thing,
)
from jimbo.seeds.names import listed
from jimbo.seeds.never import start_name, why_never, why_never_cards, why_never_sought

MAX_ANTE = 39
"""Which reports and searches go up to."""


def check_condition(condition: Condition, by_ante: int, deck: str, challenge: str | None) -> None:
    """Raises ValueError with a sentence if the condition makes no sense, or asks for what cannot turn up."""
    if not condition.any_of:
        raise ValueError("A condition needs at least one thing to look for.")
    if isinstance(condition, DeckHas):
        for count in condition.any_of:
            _check_count(count, deck, challenge)
        return
    first, last = condition.antes or (1, by_ante)
    if not 1 <= first <= last <= MAX_ANTE:
        raise ValueError(f"Antes {first}-{last} do not exist: allowed are 1 to {MAX_ANTE}.")
    for thing in condition.any_of:
        if isinstance(thing, PlayingCard):
            _check_card(thing)
            why = why_never_cards(deck, challenge)
        else:
            _check_thing(thing)
            why = why_never(thing.key, deck, last, challenge, first_ante=first)
        if why and isinstance(condition, Has):
            raise ValueError(why)


def _check_thing(thing: Thing) -> None:
    if why := why_never_sought(thing.key):
        raise ValueError(why)
    if thing.edition and thing.key not in JOKERS:
        raise ValueError(
            f"{fact(thing.key).name} ({thing.key}) has no editions; only jokers and playing cards have them."
        )
    _check_choice("edition", thing.edition, EDITIONS)


def _check_card(card: PlayingCard) -> None:
    if card == PlayingCard():
        raise ValueError('Say what the playing card must be, such as "red seal king" or "glass card".')
    _check_choice("rank", card.rank, RANKS)
    _check_choice("suit", card.suit, SUITS)
    _check_choice("enhancement", card.enhancement, ENHANCEMENTS)
    _check_choice("seal", card.seal, SEALS)
    _check_choice("edition", card.edition, EDITIONS)
    if card.edition == "e_negative":
        raise ValueError("Playing cards are never Negative; only jokers are.")
    if card.enhancement == "m_stone" and (card.rank or card.suit):
        raise ValueError('A Stone card shows no rank and no suit. Write for example "red seal stone card".')


def _check_choice(kind: str, choice: str | None, allowed: Iterable[str]) -> None:
    keys = [key for key in allowed if key != "e_base"]
    if choice is not None and choice not in keys:
        raise ValueError(f'There is no {kind} "{choice}". Allowed are {listed(keys, "and")}.')


def _check_count(count: CardCount, deck: str, challenge: str | None) -> None:
    if not DECKS[deck].erratic:
        raise ValueError(
            f"In every seed {start_name(deck, challenge)} starts with the same cards; only the Erratic Deck does not."
        )
    card = count.card
    if card.enhancement or card.seal or card.edition:
        raise ValueError('The cards of the starting deck are plain. Ask for a rank or a suit, such as "12 hearts".')
    _check_card(card)
    if not 0 <= count.min <= count.max <= DECK_SIZE:
        raise ValueError(f"A deck has {DECK_SIZE} cards: counts go from 0 to {DECK_SIZE}, the smaller one first.")
    if (count.min, count.max) == (0, DECK_SIZE):
        raise ValueError('Every deck holds 0 or more cards of a kind. Write "0-0 clubs" for none, "0-3 clubs" for few.')
