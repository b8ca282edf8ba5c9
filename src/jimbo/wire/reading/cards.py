"""Playing cards of a gamestate: which lie where, and how they look."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jimbo.wire.gamestate import Json, cards_of
from jimbo.wire.reading import marks
from jimbo.wire.reading.pairing import Pairing, Uids

_KEPT = ("played_this_ante", "worn")
"""What the wire does not tell of a card."""


def lay_cards(data: Json, state: Mapping[str, Any], pairing: Pairing, uids: Uids) -> None:
    """Puts the cards of a gamestate into the zones. Cards that are nowhere lie in the discard pile, or are gone."""
    zones = data["zones"]
    everything = [card for zone in ("deck", "hand", "discard", "played") for card in zones[zone]]
    taken: set[int] = set()
    pairs = []
    for area, zone in (("cards", "deck"), ("hand", "hand")):
        told = cards_of(state, area)
        # The same place in the same zone is the likeliest; after that any card will do.
        found = pairing.pair(told, zones[zone], marks.front_key, _key, taken)
        pairs.append((zone, told, found))
    bell = any(marks.shows(card, "highlight") for card in cards_of(state, "hand")) and _bell_rings(data)
    laid: Json = {}
    for zone, told, found in pairs:
        missing = [card for card, other in zip(told, found, strict=True) if other is None]
        others = iter(pairing.pair(missing, everything, marks.front_key, _key, taken))
        cards = []
        for card, known in zip(told, found, strict=True):
            cards.append(_card(card, known or next(others), zone == "hand", bell, pairing, uids))
        laid[zone] = cards
    nowhere = [card for zone in ("discard", "hand", "deck") for card in zones[zone] if card["uid"] not in taken]
    discard = map(_let_go, nowhere) if data["phase"] in ("selecting_hand", "game_over") else ()
    data["zones"] = {**laid, "played": [], "discard": list(discard)}


def _bell_rings(data: Json) -> bool:
    return bool(data["round"]["blind"]["key"] == "bl_final_bell" and data["phase"] == "selecting_hand")


def _key(card: Mapping[str, Any]) -> str:
    return str(card["key"])


def _card(told: Json, believed: Json | None, in_hand: bool, bell: bool, pairing: Pairing, uids: Uids) -> Json:
    """``bell``: Cerulean Bell holds a card up, and the wire tells which."""
    uid = believed["uid"] if believed else uids.new()
    pairing.remember(told, uid)
    before = believed["state"] if believed else []
    # A card of the draw pile always lies face down there; the engine means cards in hand.
    there = {
        "debuffed": marks.shows(told, "debuff"),
        "face_down": in_hand and marks.shows(told, "hidden"),
        "forced": in_hand and (marks.shows(told, "highlight") if bell else "forced" in before),
        **{name: name in before for name in _KEPT},
    }
    card = {"uid": uid, "key": marks.front_key(told), "modifier": marks.modifiers(told)}
    bonus = marks.permanent_bonus(told)
    return card | {"state": [name for name, on in there.items() if on]} | ({"bonus": bonus} if bonus else {})


def _let_go(card: Json) -> Json:
    return card | {"state": [name for name in card["state"] if name != "forced"]}
