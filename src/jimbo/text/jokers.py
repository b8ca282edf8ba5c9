"""Jokers in words: what they are called, and what they are worth at the moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jimbo.engine import PublicJoker, PublicOffer, PublicShown, PublicState, ShownKind
from jimbo.text.cards import SUIT_SYMBOLS
from jimbo.text.numbers import counted, money_text, number_text


def joker_name(joker: PublicJoker) -> str:
    return "a face-down joker" if joker.face_down else joker.name


def stickers(joker: PublicJoker | PublicOffer) -> tuple[str, ...]:
    """``eternal``, ``perishable``, ``rental``: those it has."""
    there = (("eternal", joker.eternal), ("perishable", joker.perishable), ("rental", joker.rental))
    return tuple(name for name, has in there if has)


def joker_now(joker: PublicJoker, state: PublicState) -> str:
    """Its present number or target as the game writes it under the joker's text, such as ``+30 Chips`` or ``K♠``;
    empty for a joker that has none."""
    return ", ".join(_WORDS[part.kind](part, state.jokers) for part in joker.shown)


def chips_text(amount: float) -> str:
    return f"+{number_text(amount)} Chips"


def mult_text(amount: float) -> str:
    return f"+{number_text(amount)} Mult"


def x_mult_text(factor: float) -> str:
    return f"X{number_text(factor)} Mult"


_Jokers = Sequence[PublicJoker]


def _hands_to_go(part: PublicShown, _jokers: _Jokers) -> str:
    return f"{counted(round(part.number), 'hand')} to go" if part.number else "next hand"


def _rounds_done(part: PublicShown, _jokers: _Jokers) -> str:
    return "ready" if part.number >= part.of else f"{part.number:.0f} of {counted(part.of, 'round')}"


def _suit(part: PublicShown, _jokers: _Jokers) -> str:
    return SUIT_SYMBOLS[part.suit] if part.suit else ""


def _card(part: PublicShown, jokers: _Jokers) -> str:
    return f"{part.rank}{_suit(part, jokers)}"


def _copies(part: PublicShown, jokers: _Jokers) -> str:
    return "copies nothing" if part.copied is None else f"= {joker_name(jokers[part.copied])}"


_WORDS: dict[ShownKind, Callable[[PublicShown, _Jokers], str]] = {
    ShownKind.chips: lambda part, _: chips_text(part.number),
    ShownKind.mult: lambda part, _: mult_text(part.number),
    ShownKind.x_mult: lambda part, _: x_mult_text(part.number),
    ShownKind.dollars: lambda part, _: money_text(part.number),
    ShownKind.hand_size: lambda part, _: f"+{part.number:.0f} hand size",
    ShownKind.hands_left: lambda part, _: f"{counted(round(part.number), 'hand')} left",
    ShownKind.hands_to_go: _hands_to_go,
    ShownKind.cards_to_go: lambda part, _: f"{part.number:.0f} to go",
    ShownKind.rounds_done: _rounds_done,
    ShownKind.cards_found: lambda part, _: f"{part.number:.0f} of {part.of}",
    ShownKind.poker_hand: lambda part, _: part.hand or "",
    ShownKind.card: _card,
    ShownKind.rank: lambda part, _: part.rank or "",
    ShownKind.suit: _suit,
    ShownKind.copies: _copies,
}
