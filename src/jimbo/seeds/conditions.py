"""What a seed must hold, as typed conditions, and whether one makes sense. ``parse`` reads them from text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from jimbo.engine.catalog import DECKS, EDITIONS, ENHANCEMENTS, JOKERS, SEALS, STICKERS, fact
from jimbo.seeds.never import start_name, why_never, why_never_cards, why_never_sought

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
MAX_ANTE = 39
"""Which reports and searches go up to."""


@dataclass(frozen=True, slots=True)
class Thing:
    """A joker, consumable, voucher, pack, tag or boss."""

    key: str
    edition: str | None = None
    """Only of a joker: ``e_foil``, ``e_holo``, ``e_polychrome`` or ``e_negative``."""
    stickers: tuple[str, ...] = ()
    """Only of a joker: those that it must have, of ``eternal``, ``perishable`` and ``rental``."""


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
class Within:
    """Which places count, by their numbers from 1; None is all of them."""

    antes: tuple[int, ...] | None = None
    shop: tuple[int, ...] | None = None
    """Cards of each ante's queue."""
    packs: tuple[int, ...] | None = None
    """Packs of each ante, and what Souls in them give."""
    tags: tuple[int, ...] | None = None
    """1 for skipping the small blind, 2 for the big blind."""


@dataclass(frozen=True, slots=True)
class Has:
    """One of these turns up in these antes, both included; None is every ante up to the search's ``by_ante``."""

    any_of: tuple[Thing | PlayingCard, ...]
    antes: tuple[int, int] | None = None
    within: Within = Within()


@dataclass(frozen=True, slots=True)
class Lacks:
    """None of these turns up in these antes."""

    any_of: tuple[Thing | PlayingCard, ...]
    antes: tuple[int, int] | None = None
    within: Within = Within()


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


# --- Whether a condition makes sense ----------------------------------------------------------------------------------


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
    for sticker in thing.stickers:
        if thing.key not in JOKERS:
            raise ValueError(f"{fact(thing.key).name} ({thing.key}) has no stickers; only jokers have them.")
        _check_choice("sticker", sticker, STICKERS)


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


def listed(names: Iterable[str], word: str = "or") -> str:
    """``a, b or c``."""
    *others, last = names
    return f"{', '.join(others)} {word} {last}" if others else last
