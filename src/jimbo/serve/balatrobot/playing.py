"""Methods of blinds and hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jimbo.engine import MAX_SELECTED
from jimbo.serve.balatrobot.refused import bad_request, invalid_state, not_allowed
from jimbo.serve.balatrobot.table import Table
from jimbo.wire.gamestate import PACK_OPENED

Params = dict[str, Any]


def select(table: Table, params: Params) -> None:
    table.step("select_blind")


def skip(table: Table, params: Params) -> None:
    if table.seen.on_deck == "boss":
        raise not_allowed("Cannot skip Boss blind. Use `select` to select and play the boss blind.")
    table.step("skip_blind")


def cash_out(table: Table, params: Params) -> None:
    table.step("cash_out")


def play(table: Table, params: Params) -> None:
    table.step("play", cards=_picked(table, params["cards"], "play"))


def discard(table: Table, params: Params) -> None:
    cards = params["cards"]
    if cards and table.seen.discards_left <= 0:
        raise bad_request("No discards left. Play cards using `play` instead.")
    table.step("discard", cards=_picked(table, cards, "discard"))


def _picked(table: Table, cards: Sequence[int], verb: str) -> list[int]:
    """The cards that lie picked up in the end: a click on one that already is puts it down again."""
    if not cards:
        raise bad_request(f"Must provide at least one card to {verb}")
    if len(cards) > MAX_SELECTED:
        raise bad_request(f"You can only {verb} {MAX_SELECTED} cards. Provide fewer card indices.")
    for card in cards:
        if not 0 <= card < len(table.seen.hand):
            raise bad_request(f"Invalid card index: {card}")
    return [card for card in dict.fromkeys(cards) if cards.count(card) % 2]


# --- The order of cards -----------------------------------------------------------------------------------------------

_MOVES = {"hand": "move_card", "jokers": "move_joker", "consumables": "move_consumable"}


def rearrange(table: Table, params: Params) -> None:
    if not params:
        raise bad_request("Must provide exactly one of: hand, jokers, or consumables")
    if len(params) > 1:
        raise bad_request("Can only rearrange one type at a time")
    ((area, order),) = params.items()
    if area == "hand":
        _check_hand(table)
    _check_order(area, order, len(getattr(table.seen, area)))
    now = list(range(len(order)))
    for to, card in enumerate(order):
        place = now.index(card)
        if place != to:
            now.insert(to, now.pop(place))
            table.step(_MOVES[area], place, to)


def _check_hand(table: Table) -> None:
    if table.state not in ("SELECTING_HAND", PACK_OPENED):
        raise invalid_state("Can only rearrange hand during hand selection")
    if not table.seen.hand:
        raise not_allowed("No cards to rearrange. You can only rearrange hand in Arcana and Spectral packs.")


def _check_order(area: str, order: Sequence[int], size: int) -> None:
    if len(order) != size:
        raise bad_request(f"Must provide exactly {size} indices for {area}")
    met: set[int] = set()
    for place in order:
        if not 0 <= place < size:
            raise bad_request(f"Index out of range for {area}: {place}")
        if place in met:
            raise bad_request(f"Duplicate index in {area}: {place}")
        met.add(place)
