"""The areas of a gamestate laid into a run: playing cards, jokers, consumables, the shop and open packs.

The game numbers cards by its own run, the engine by creation. Which is which may not depend on where a card lies: the
order of the draw pile and of what lies face down would show in the numbers, which anybody may see.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, NamedTuple

from jimbo.engine.catalog import BOOSTERS
from jimbo.wire.codec import marks
from jimbo.wire.codec.marks import set_numbers, targets_in
from jimbo.wire.gamestate import Json, cards_of

_ZONES = ("deck", "hand", "discard", "played")
_KEPT = ("played_this_ante", "worn")
"""What the wire does not tell of a card."""
_PACKS = {"TAROT": "Arcana", "PLANET": "Celestial", "SPECTRAL": "Spectral", "JOKER": "Buffoon"}
Key = Callable[[Mapping[str, Any]], Any]

# --- Which card is which ----------------------------------------------------------------------------------------------


class Uids:
    """New ones, where the engine knows nothing of a card."""

    def __init__(self, following: int) -> None:
        self.next = following

    def new(self) -> int:
        self.next += 1
        return self.next - 1


class Pair(NamedTuple):
    told: Json
    uid: int
    believed: Json | None
    """None for a card that the engine has not heard of."""


class Pairing:
    """The engine's uid for each id of the game that has been seen."""

    def __init__(self) -> None:
        self._uids: dict[Any, int] = {}

    def copy(self) -> Pairing:
        other = Pairing()
        other._uids = dict(self._uids)
        return other

    def pairs(
        self, told: Sequence[Json], believed: Sequence[Json], told_key: Key, believed_key: Key, uids: Uids
    ) -> list[Pair]:
        """What is told in its order. One that is not known yet is the oldest that looks the same, or a new one."""
        by_uid = {item["uid"]: item for item in believed}
        spoken_for = {*self._uids.values()}
        alike: dict[Any, list[int]] = {}
        for uid in sorted(by_uid.keys() - spoken_for, reverse=True):
            alike.setdefault(believed_key(by_uid[uid]), []).append(uid)
        for item in sorted(told, key=lambda item: _age(item, told_key)):
            if item.get("id") not in self._uids:
                others = alike.get(told_key(item))
                self._uids[item.get("id")] = others.pop() if others else uids.new()
        return [Pair(item, uid, by_uid.get(uid)) for item in told for uid in (self._uids[item.get("id")],)]


def _age(item: Mapping[str, Any], key: Key) -> tuple[int, str]:
    """Ids are given in the order of creation."""
    return int(item.get("id") or 0), str(key(item))


# --- Playing cards ----------------------------------------------------------------------------------------------------


def lay_cards(data: Json, state: Mapping[str, Any], pairing: Pairing, uids: Uids, seen: Container[int] | None) -> None:
    """Puts the cards of a gamestate into the zones. Cards that are nowhere lie in the discard pile, or are gone.

    ``seen`` are those that were there before, where others that the engine believes in may have never been.
    """
    pile, hand = cards_of(state, "cards"), cards_of(state, "hand")
    believed = [card for zone in _ZONES for card in data["zones"][zone]]
    pairs = pairing.pairs([*pile, *hand], believed, marks.front_key, lambda card: card["key"], uids)
    bell = _bell_rings(data) and any(marks.shows(card, "highlight") for card in hand)
    laid = [_playing_card(pair, place >= len(pile), bell) for place, pair in enumerate(pairs)]
    there = {card["uid"] for card in laid}
    left = [card for zone in ("discard", "hand", "deck") for card in data["zones"][zone] if card["uid"] not in there]
    nowhere = [card for card in left if seen is None or card["uid"] in seen]
    discard = map(_let_go, nowhere) if data["phase"] in ("selecting_hand", "game_over") else ()
    data["zones"] = {"deck": laid[: len(pile)], "hand": laid[len(pile) :], "played": [], "discard": list(discard)}


def _bell_rings(data: Json) -> bool:
    return bool(data["round"]["blind"]["key"] == "bl_final_bell" and data["phase"] == "selecting_hand")


def _playing_card(pair: Pair, in_hand: bool, bell: bool) -> Json:
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


# --- Jokers, consumables, goods ---------------------------------------------------------------------------------------


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
        {"offer": offer, "free": _kept(shop["cards"], place, "free", False)}
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
    """Offers as the engine writes them; those that are the same as before keep their uid."""
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
