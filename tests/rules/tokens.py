"""Short writing for cards and jokers.

A playing card is ``<rank><suit>[<created suit][~id][/enhancement][*edition][#seal][+chips][!][^][@][&][%]``, such as
``KH`` or ``TS/glass*poly#Red+10!``: rank 23456789TJQKA, suit SHCD, ``<C`` created as a Club, ``!`` debuffed, ``^`` face
down, ``@`` forced (Cerulean Bell), ``&`` played this ante (The Pillar), ``%`` debuffed for good (Double or Nothing). A
joker is ``j_wee`` or ``j_wee:count=16,e_foil,eternal``.
"""

import re
from typing import Any

EDITIONS = {"foil": "e_foil", "holo": "e_holo", "poly": "e_polychrome", "neg": "e_negative"}
MARKS = {"!": "debuffed", "^": "face_down", "@": "forced", "&": "played_this_ante", "%": "worn"}
RANKS = "23456789AJKQT"
"""In the order of the game's keys, which is the order in which a deck is created."""
FRONTS = [f"{suit}_{rank}" for suit in "CDHS" for rank in RANKS]
"""Creation order: the first has id 1."""

_CARD = re.compile(
    r"(?P<rank>[2-9TJQKA])(?P<suit>[SHCD])(<(?P<created>[SHCD]))?(~(?P<id>\d+))?(/(?P<enhancement>[a-z]+))?(\*(?P<edition>[a-z]+))?"
    r"(#(?P<seal>[A-Z][a-z]+))?(\+(?P<bonus>\d+))?(?P<marks>[!^@&%]*)"
)


def card_json(token: str) -> dict[str, Any]:
    """The card as the state's JSON has it; without a uid unless the token names one."""
    found = _CARD.fullmatch(token)
    if not found:
        raise ValueError(f"{token!r} is not a playing card")
    modifiers = []
    if found["edition"]:
        modifiers.append(EDITIONS[found["edition"]])
    if found["enhancement"]:
        modifiers.append("m_" + found["enhancement"])
    if found["seal"]:
        modifiers.append("seal_" + found["seal"].lower())
    card: dict[str, Any] = {"key": f"{found['suit']}_{found['rank']}", "modifier": modifiers}
    card["state"] = [MARKS[mark] for mark in found["marks"]]
    if found["bonus"]:
        card["bonus"] = int(found["bonus"])
    if found["created"]:
        card["created_suit"] = found["created"]
    if found["id"]:
        card["uid"] = int(found["id"])
    return card


def card_token(card: dict[str, Any]) -> str:
    """The token of a card of the state, without its created suit and id."""
    suit, rank = card["key"].split("_")
    text = rank + suit
    names = {value: name for name, value in EDITIONS.items()}
    for modifier in sorted(card["modifier"], key=lambda m: ("mes".index(m[0]), m)):
        if modifier.startswith("m_"):
            text += "/" + modifier[2:]
        elif modifier.startswith("e_"):
            text += "*" + names[modifier]
        else:
            text += "#" + modifier.removeprefix("seal_").capitalize()
    if card.get("bonus"):
        text += f"+{card['bonus']}"
    return text + "".join(mark for mark, name in MARKS.items() if name in card["state"])


def tokens(cards: list[dict[str, Any]]) -> str:
    return " ".join(card_token(card) for card in cards)


def number_cards(zones: list[list[dict[str, Any]]], next_id: int) -> int:
    """Gives every card its creation id: that of the standard deck, a later one for a second such card.

    Takes and returns the next free id.
    """
    cards = [card for zone in zones for card in zone]
    taken = {card["uid"] for card in cards if "uid" in card}
    later = []
    for card in cards:
        if "uid" in card:
            continue
        uid = FRONTS.index(card.get("created_suit", card["key"][0]) + card["key"][1:]) + 1
        if uid in taken:
            later.append(card)
        else:
            card["uid"] = uid
            taken.add(uid)
    next_id = max([next_id, *(uid + 1 for uid in taken)])
    for uid, card in enumerate(later, next_id):
        card["uid"] = uid
    return next_id + len(later)


def fields_of(spec: str) -> tuple[str, dict[str, Any]]:
    """``key:word,name=value,...`` as the key and its fields; an edition key and a plain word are fields too."""
    key, _, rest = spec.partition(":")
    fields: dict[str, Any] = {}
    for part in filter(None, rest.split(",")):
        name, given, value = part.partition("=")
        if name.startswith("e_"):
            fields["edition"] = name
        else:
            fields[name] = _value(value) if given else True
    return key, fields


def _value(text: str) -> Any:
    try:
        return float(text) if "." in text else int(text)
    except ValueError:
        return text
