"""What two states can be compared by, part by part. Ids and wordings are in no part but their own: no seed decides
the one, and nobody has recorded all of the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jimbo.parity.moment import Moment, number_of
from jimbo.wire.codec.marks import is_playing_card, permanent_bonus
from jimbo.wire.gamestate import Json, as_object, cards_of
from jimbo.wire.tooltips import read

Part = Callable[[Moment], Any]
UNCOMPARED = ("id", "effect", "tag_effect")


def _top(name: str) -> Part:
    return lambda moment: moment.state.get(name)


def _round(name: str) -> Part:
    return lambda moment: moment.number(name)


# --- Cards ------------------------------------------------------------------------------------------------------------


def _look(card: Json) -> Json:
    """A playing card with everything on it, and how it lies."""
    marks = as_object(card.get("modifier"))
    lying = as_object(card.get("state"))
    return {"key": card.get("key"), **marks, **{name: on for name, on in lying.items() if name != "highlight"}}


def _looks(area: str) -> Part:
    return lambda moment: [_look(card) for card in moment.cards(area)]


def _keys(area: str) -> Part:
    return lambda moment: [card.get("key") for card in moment.cards(area)]


def _count(area: str) -> Part:
    return lambda moment: len(moment.cards(area))


def _hand_count(moment: Moment) -> int:
    """Only while a hand is chosen from."""
    return len(moment.cards("hand")) if _choosing(moment) else 0


def _played(moment: Moment) -> list[Json]:
    """The cards of the hand that this step played, from left to right."""
    if moment.method != "play" or moment.before is None:
        return []
    hand = cards_of(moment.before, "hand")
    places = (moment.params or {}).get("cards", [])
    return [_look(hand[place]) for place in sorted(places) if place < len(hand)]


def marks(area: str) -> Part:
    return lambda moment: [[card.get("key"), as_object(card.get("modifier"))] for card in moment.cards(area)]


def _minimal(cards: list[Json]) -> list[str]:
    return sorted(str(card["key"]) for card in cards)


def _modified(moment: Moment) -> int:
    return sum(bool(card.get("modifier")) for card in moment.cards("hand"))


# --- Score ------------------------------------------------------------------------------------------------------------


def _delta(moment: Moment) -> float:
    before = number_of(moment.before, "chips") if moment.before and moment.method == "play" else 0
    return moment.number("chips") - before


def _last_hand(moment: Moment) -> Json | None:
    """The poker hand that this step played, and its chips and mult before."""
    if moment.before is None or moment.method != "play":
        return None
    before, after = as_object(moment.before.get("hands")), as_object(moment.state.get("hands"))
    for name, hand in after.items():
        if hand.get("played") != before.get(name, {}).get("played"):
            return {"hand": name, "chips": before[name].get("chips"), "mult": before[name].get("mult")}
    return None


def _blind(moment: Moment) -> Json | None:
    """The one that is played, or can be chosen now."""
    for blind in as_object(moment.state.get("blinds")).values():
        if blind.get("status") in ("CURRENT", "SELECT"):
            return {name: blind.get(name) for name in ("type", "name", "status", "score")}
    return None


def _target(moment: Moment) -> Any:
    blind = _blind(moment)
    return blind["score"] if blind and blind["status"] == "CURRENT" else None


def _blinds(moment: Moment) -> Any:
    blinds = as_object(moment.state.get("blinds"))
    names = ("name", "status", "score", "tag_name")
    return {slot: {name: blind.get(name) for name in names} for slot, blind in blinds.items()}


# --- What is owned and offered ----------------------------------------------------------------------------------------


def _choosing(moment: Moment) -> bool:
    return moment.state.get("state") == "SELECTING_HAND"


def _can(name: str) -> Part:
    return lambda moment: _choosing(moment) and moment.number(name) > 0


def _disabled(moment: Moment) -> list[Any]:
    if not _choosing(moment):
        return []
    return [[card.get("key"), bool(as_object(card.get("state")).get("debuff"))] for card in moment.cards("jokers")]


def _joker_numbers(moment: Moment) -> list[Any]:
    """What jokers have grown to, which only their texts tell."""
    return [
        [card.get("key"), read("jokers", str(card.get("key")), str(card.get("value", {}).get("effect", "")))]
        for card in moment.cards("jokers")
    ]


def _card_bonuses(moment: Moment) -> list[Any]:
    """What Hiker has added to cards, which only their texts tell."""
    return [
        [card.get("key"), bonus]
        for area in ("hand", "cards", "pack", "shop")
        for card in moment.cards(area)
        if is_playing_card(card) and (bonus := permanent_bonus(card))
    ]


def _offers(area: str) -> Part:
    return lambda moment: [
        {"set": card.get("set"), "key": card.get("key"), "cost": card.get("cost", {}).get("buy")}
        for card in moment.cards(area)
    ]


def _levels(moment: Moment) -> Any:
    hands = as_object(moment.state.get("hands"))
    return {name: hand.get("level") for name, hand in hands.items()}


def _used_vouchers(moment: Moment) -> list[str]:
    return sorted(as_object(moment.state.get("used_vouchers")))


# --- All of it --------------------------------------------------------------------------------------------------------


def _everything(moment: Moment) -> Any:
    return _without(moment.state)


def _without(value: Any) -> Any:
    if isinstance(value, list):
        return [_without(part) for part in value]
    if not isinstance(value, dict):
        return value
    there = {name: _without(part) for name, part in value.items() if name not in UNCOMPARED}
    if there.get("set") == "JOKER" and isinstance(there.get("modifier"), dict):
        # The mod takes the kind of a joker's effect for an enhancement.
        there["modifier"] = {name: mark for name, mark in there["modifier"].items() if name != "enhancement"} or []
    return there


def _texts(moment: Moment) -> Any:
    areas = {name: moment.cards(name) for name in moment.state if cards_of(moment.state, name)}
    blinds = as_object(moment.state.get("blinds")).items()
    return {
        "cards": {name: [card.get("value", {}).get("effect") for card in cards] for name, cards in areas.items()},
        "blinds": {slot: [blind.get("effect"), blind.get("tag_effect")] for slot, blind in blinds},
    }


PARTS: Mapping[str, Part] = {
    "phase": _top("state"),
    "ante": _top("ante_num"),
    "round_num": _top("round_num"),
    "money": _top("money"),
    "won": _top("won"),
    "done": lambda moment: moment.state.get("state") == "GAME_OVER",
    "stake": _top("stake"),
    "hands_left": _round("hands_left"),
    "discards_left": _round("discards_left"),
    "reroll_cost": _round("reroll_cost"),
    "chips": _round("chips"),
    "chips_delta": _delta,
    "last_hand": _last_hand,
    "target": _target,
    "blind": _blind,
    "blind_present": lambda moment: _blind(moment) is not None,
    "blinds": _blinds,
    "hand": _looks("hand"),
    "hand_sorted": lambda moment: _minimal(_looks("hand")(moment)),
    "hand_count": _hand_count,
    "hand_modified": _modified,
    "played": _played,
    "played_sorted": lambda moment: _minimal(_played(moment)),
    "draw_pile": _looks("cards"),
    "draw_pile_count": _count("cards"),
    "hand_size": _count("hand"),
    "levels": _levels,
    "jokers": _keys("jokers"),
    "jokers_disabled": _disabled,
    "joker_numbers": _joker_numbers,
    "card_bonuses": _card_bonuses,
    "joker_marks": marks("jokers"),
    "consumables": _keys("consumables"),
    "shop": _offers("shop"),
    "vouchers": _offers("vouchers"),
    "packs": _offers("packs"),
    "pack": _looks("pack"),
    "used_vouchers": _used_vouchers,
    "used_voucher_count": lambda moment: len(_used_vouchers(moment)),
    "can_play": _can("hands_left"),
    "can_discard": _can("discards_left"),
    "everything": _everything,
    "texts": _texts,
}
