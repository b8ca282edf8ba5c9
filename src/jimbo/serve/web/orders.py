"""Orders of jokers and cards in which the chosen cards score more, and the steps that lead to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from jimbo.engine import Action, PublicState
from jimbo.serve.assistant.scoring import better_orders, score_selection
from jimbo.serve.game import BadInput
from jimbo.text import number_text

Json = dict[str, Any]
_MOVES = {"jokers": "move_joker", "cards": "move_card"}


def orders_view(state: PublicState, cards: Sequence[int]) -> list[Json]:
    """Return better orders for a play of these cards, and what is expected of it in each."""
    if not cards:
        return []
    try:
        scored = score_selection(state, cards, worlds=0)
    except BadInput:
        return []
    return [
        {"what": one.what, "places": one.places, "words": one.words, "expected": number_text(one.expected)}
        for one in better_orders(state, scored)
    ]


def moves(state: PublicState, what: str, order: Sequence[int]) -> Iterator[Action]:
    """The steps after which what lies at these places stands first, in this order."""
    count = {"jokers": len(state.jokers), "cards": len(state.hand)}.get(what)
    if count is None or len(set(order)) != len(order) or any(place >= count for place in order):
        raise BadInput("An order names jokers or cards by their places, each once.")
    places = list(range(count))
    for to, which in enumerate(order):
        place = places.index(which)
        if place != to:
            places.insert(to, places.pop(place))
            yield Action(_MOVES[what], index=place, to=to)
