"""Jokers, consumables, the shop and open packs of a gamestate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jimbo.engine.catalog import BOOSTERS
from jimbo.wire.gamestate import Json, cards_of
from jimbo.wire.reading import marks
from jimbo.wire.reading.joker_text import set_numbers, targets_in
from jimbo.wire.reading.pairing import Pair, Pairing, Uids

_PACKS = {"TAROT": "Arcana", "PLANET": "Celestial", "SPECTRAL": "Spectral", "JOKER": "Buffoon"}


def lay_jokers(data: Json, state: Mapping[str, Any], pairing: Pairing, uids: Uids) -> None:
    told = cards_of(state, "jokers")
    pairs = pairing.pairs(told, data["jokers"], _told_key, lambda joker: joker["joker_id"], uids)
    data["jokers"] = [_joker(pair, data["memory"]["hands_played"]) for pair in pairs]


def _told_key(card: Mapping[str, Any]) -> Any:
    return card.get("key")


def _joker(pair: Pair, run_hands: int) -> Json:
    told, believed = pair.told, pair.believed
    key = marks.known_key(told)
    joker = dict(believed) if believed and believed["joker_id"] == key else _new_joker(key, pair.uid)
    left = marks.sticker(told, "perishable")
    joker |= {
        "edition": marks.edition(told),
        "eternal": bool(marks.sticker(told, "eternal")),
        "rental": bool(marks.sticker(told, "rental")),
        # Nothing is written of one whose rounds are over.
        "perishable": bool(left) or joker["perishable"],
        "perish_left": int(left) if left else 0 if joker["perishable"] else joker["perish_left"],
        "disabled": marks.shows(told, "debuff"),
        "face_down": marks.shows(told, "hidden"),
    }
    joker.pop("counters", None)
    set_numbers(joker, marks.effect(told), run_hands)
    return joker


def _new_joker(key: str, uid: int) -> Json:
    numbers = {"uid": uid, "perish_left": 5, "count": 0, "x_mult": 1.0, "sell_bonus": 0}
    marks_off = dict.fromkeys(("perishable", "debuffed_by_blind", "pinned"), False)
    return {"joker_id": key, **numbers, **marks_off}


def lay_consumables(data: Json, state: Mapping[str, Any], pairing: Pairing, uids: Uids) -> None:
    told = cards_of(state, "consumables")
    pairs = pairing.pairs(told, data["consumables"], _told_key, lambda card: card["key"], uids)
    data["consumables"] = [
        {
            "key": marks.known_key(card),
            "uid": uid,
            "edition": marks.edition(card),
            "sell_bonus": believed["sell_bonus"] if believed else 0,
        }
        for card, uid, believed in pairs
    ]


def lay_shop(data: Json, state: Mapping[str, Any], uids: Uids) -> None:
    shop, phase = data["shop"], data["phase"]
    if phase == "game_over":
        return
    if not (phase == "shop" or (phase == "pack_opening" and data["pack"]["opened_from"] == "shop")):
        shop |= {"cards": [], "vouchers": [], "boosters": []}
        return
    offers = [entry["offer"] for entry in shop["cards"]]
    shop["cards"] = [
        {"offer": offer, "free": shop["cards"][place]["free"] if place < len(offers) else False}
        for place, offer in enumerate(_offers(cards_of(state, "shop"), offers, uids))
    ]
    shop["vouchers"] = _vouchers(cards_of(state, "vouchers"), shop["vouchers"])
    shop["boosters"] = [
        {"key": marks.known_key(card), "free": _kept(shop["boosters"], place, "free", False)}
        for place, card in enumerate(cards_of(state, "packs"))
    ]
    shop["first_booster_made"] = True
    data["round"]["voucher"] = next((entry["key"] for entry in shop["vouchers"] if not entry["from_tag"]), None)


def _vouchers(told: Sequence[Json], believed: Sequence[Json]) -> list[Json]:
    """A Voucher Tag puts its voucher beside the ante's own."""
    tagged = {entry["key"]: entry["from_tag"] for entry in believed}
    return [
        {
            "key": marks.known_key(card),
            "free": _kept(believed, place, "free", False),
            "from_tag": tagged.get(card["key"], place > 0),
        }
        for place, card in enumerate(told)
    ]


def _kept(believed: Sequence[Json], place: int, name: str, otherwise: Any) -> Any:
    return believed[place][name] if place < len(believed) else otherwise


def _offers(told: Sequence[Json], believed: Sequence[Json], uids: Uids) -> list[Json]:
    """Those that are the same as before keep their uid."""
    laid = []
    for place, card in enumerate(told):
        offer = marks.offered(card, 0)
        known = believed[place] if place < len(believed) and _same(offer, believed[place]) else None
        laid.append(known or marks.offered(card, uids.new()))
    return laid


def _same(offer: Json, believed: Json) -> bool:
    names = ["kind", "eternal", "perishable", "rental"]
    if offer["kind"] == "playing_card":
        card, other = offer["card"], believed["card"]
        looks = ("key", "modifier")
        alike = all(card[name] == other[name] for name in looks) and card.get("bonus", 0) == other.get("bonus", 0)
        return bool(alike and believed["kind"] == "playing_card")
    names += ["edition", offer["kind"]]
    return all(offer[name] == believed[name] for name in names)


def lay_pack(data: Json, state: Mapping[str, Any], uids: Uids) -> None:
    pack = data["pack"]
    if data["phase"] != "pack_opening":
        if data["phase"] != "game_over":
            pack |= {"picks_left": 0, "cards": []}
        return
    told = cards_of(state, "pack")
    if not pack["picks_left"] or not pack["cards"]:
        pack |= _guessed(told)
    # A picked card is gone, and those behind it have moved up.
    believed = list(pack["cards"])
    laid = []
    for card in told:
        offer = marks.offered(card, 0)
        known = next((other for other in believed if _same(offer, other)), None)
        if known is not None:
            believed.remove(known)
        laid.append(known or marks.offered(card, uids.new()))
    pack["cards"] = laid
    pack["picks_left"] = min(pack["picks_left"], len(laid))


def _guessed(told: Sequence[Json]) -> Json:
    """The wire does not name the pack; its kind and size can be seen."""
    kinds = [str(card.get("set")) for card in told]
    kind = next((_PACKS[kind] for kind in kinds if kind in _PACKS), "Standard")
    sizes = [fact for fact in BOOSTERS.values() if fact.kind == kind and fact.cards >= len(told)]
    fact = min(sizes or BOOSTERS.values(), key=lambda fact: (fact.cards, fact.picks, fact.order))
    return {"key": fact.key, "picks_left": fact.picks}


def see_targets(data: Json, state: Mapping[str, Any]) -> None:
    for area in ("jokers", "shop", "pack"):
        for card in cards_of(state, area):
            data["targets"] |= targets_in(str(card.get("key")), marks.effect(card))
