"""Playing cards of a gamestate: which lie where, and how they look."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from jimbo.wire.gamestate import Json, cards_of
from jimbo.wire.reading import marks
from jimbo.wire.reading.pairing import Pair, Pairing, Uids

_ZONES = ("deck", "hand", "discard", "played")
_KEPT = ("played_this_ante", "worn")
"""What the wire does not tell of a card."""


def lay_cards(data: Json, state: Mapping[str, Any], pairing: Pairing, uids: Uids, seen: Container[int] | None) -> None:
    """Puts the cards of a gamestate into the zones. Cards that are nowhere lie in the discard pile, or are gone.

    ``seen`` are those that were there before, where others that the engine believes in may have never been.
    """
    pile, hand = cards_of(state, "cards"), cards_of(state, "hand")
    believed = [card for zone in _ZONES for card in data["zones"][zone]]
    pairs = pairing.pairs([*pile, *hand], believed, marks.front_key, lambda card: card["key"], uids)
    bell = _bell_rings(data) and any(marks.shows(card, "highlight") for card in hand)
    laid = [_card(pair, place >= len(pile), bell) for place, pair in enumerate(pairs)]
    there = {card["uid"] for card in laid}
    left = [card for zone in ("discard", "hand", "deck") for card in data["zones"][zone] if card["uid"] not in there]
    nowhere = [card for card in left if seen is None or card["uid"] in seen]
    discard = map(_let_go, nowhere) if data["phase"] in ("selecting_hand", "game_over") else ()
    data["zones"] = {"deck": laid[: len(pile)], "hand": laid[len(pile) :], "played": [], "discard": list(discard)}


def _bell_rings(data: Json) -> bool:
    return bool(data["round"]["blind"]["key"] == "bl_final_bell" and data["phase"] == "selecting_hand")


def _card(pair: Pair, in_hand: bool, bell: bool) -> Json:
    """``bell``: Cerulean Bell holds a card up, and the wire tells which."""
    told = pair.told
    before = pair.believed["state"] if pair.believed else []
    # A card of the draw pile always lies face down there; the engine means cards in hand.
    there = {
        "debuffed": marks.shows(told, "debuff"),
        "face_down": in_hand and marks.shows(told, "hidden"),
        "forced": in_hand and (marks.shows(told, "highlight") if bell else "forced" in before),
        **{name: name in before for name in _KEPT},
    }
    card = {"uid": pair.uid, "key": marks.front_key(told), "modifier": marks.modifiers(told)}
    card["state"] = [name for name, on in there.items() if on]
    bonus = marks.permanent_bonus(told)
    if bonus is None and pair.believed:
        bonus = pair.believed.get("bonus")
    if bonus:
        card["bonus"] = bonus
    if pair.believed:
        card["created_suit"] = pair.believed.get("created_suit", pair.believed["suit"])
    return card


def _let_go(card: Json) -> Json:
    return card | {"state": [name for name in card["state"] if name != "forced"]}
