"""Conditions and places in words; those of conditions are what ``parse`` reads."""

from __future__ import annotations

from collections.abc import Iterable

from jimbo.engine.catalog import EDITIONS, ENHANCEMENTS, SEALS, STICKERS, fact
from jimbo.seeds.conditions import (
    DECK_SIZE,
    RANKS,
    SUITS,
    CardCount,
    Condition,
    DeckHas,
    Lacks,
    PlayingCard,
    Thing,
    Within,
)

_MOST_NAMED = 6
"""Alternatives that are named; of more, their number is told."""


def condition_words(condition: Condition) -> str:
    """``negative Perkeo @ 1-3``; with ``not`` before what must not turn up."""
    if isinstance(condition, DeckHas):
        return f"in the deck: {' | '.join(map(_count_words, condition.any_of))}"
    names = list(dict.fromkeys(map(thing_words, condition.any_of)))
    shown = " | ".join(names) if len(names) <= _MOST_NAMED else f"any of {len(names)} ({names[0]}, {names[1]} ...)"
    antes = f" @ {_span(condition.antes)}" if condition.antes else ""
    return f"{'not ' if isinstance(condition, Lacks) else ''}{shown}{antes}{_within_words(condition.within)}"


def thing_words(thing: Thing | PlayingCard) -> str:
    if isinstance(thing, Thing):
        words = [STICKERS[one].name for one in thing.stickers]
        words += [EDITIONS[thing.edition].name] if thing.edition else []
        return " ".join([*words, fact(thing.key).name])
    words = [EDITIONS[thing.edition].name] if thing.edition else []
    words += [SEALS[thing.seal].name] if thing.seal else []
    words += [ENHANCEMENTS[thing.enhancement].word] if thing.enhancement else []
    rank, suit = RANKS.get(thing.rank or "", ""), SUITS.get(thing.suit or "", "")
    return " ".join([*words, f"{rank or 'card'} of {suit}" if suit else rank or "card"])


def _count_words(count: CardCount) -> str:
    high = f"-{count.max}" if count.max < DECK_SIZE else " or more"
    return f"{count.min}{high} {thing_words(count.card)}"


def _span(antes: tuple[int, int]) -> str:
    return f"{antes[0]}" if antes[0] == antes[1] else f"{antes[0]}-{antes[1]}"


def _within_words(within: Within) -> str:
    parts = [
        f"{name} {spans_text(places)}"
        for name, places in (
            ("ante", within.antes),
            ("shop", within.shop),
            ("pack", within.packs),
            ("tag", within.tags),
        )
        if places is not None
    ]
    return f" ({', '.join(parts)})" if parts else ""


def spans_text(numbers: Iterable[int]) -> str:
    """``1-3, 5`` for 1, 2, 3 and 5; ``none`` for no number."""
    spans: list[list[int]] = []
    for number in sorted(set(numbers)):
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(_span((first, last)) for first, last in spans) or "none"
