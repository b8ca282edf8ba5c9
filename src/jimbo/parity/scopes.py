"""What two states can be compared by, part by part, and the scopes: which parts must agree. Refusals always must.

Ids and wordings are in no part but their own: no seed decides the one, and nobody has recorded all of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from jimbo.wire.codec.marks import effect, is_playing_card, permanent_bonus, price, shows
from jimbo.wire.gamestate import Json, as_object, blind_now, blinds_of, cards_of, number_of
from jimbo.wire.tooltips import read


@dataclass(frozen=True, slots=True)
class TraceMoment:
    """A step of a trace, with gamestates as they came over the wire; there is none before the start."""

    state: Json
    before: Json | None = None
    method: str = "start"
    params: Mapping[str, Any] | None = None
    refused: str | None = None
    """The name of the error with which the call was refused."""

    def cards(self, area: str) -> list[Json]:
        """What lies in an area; nothing where there is no such area."""
        return cards_of(self.state, area)

    def number(self, name: str) -> float:
        """A number of the round, such as ``chips``."""
        return number_of(self.state, name)


Part = Callable[[TraceMoment], Any]
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


def _hand_count(moment: TraceMoment) -> int:
    """Only while a hand is chosen from."""
    return len(moment.cards("hand")) if _choosing(moment) else 0


def _played(moment: TraceMoment) -> list[Json]:
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


def _modified(moment: TraceMoment) -> int:
    return sum(bool(card.get("modifier")) for card in moment.cards("hand"))


# --- Score ------------------------------------------------------------------------------------------------------------


def _delta(moment: TraceMoment) -> float:
    before = number_of(moment.before, "chips") if moment.before and moment.method == "play" else 0
    return moment.number("chips") - before


def _last_hand(moment: TraceMoment) -> Json | None:
    """The poker hand that this step played, and its chips and mult before."""
    if moment.before is None or moment.method != "play":
        return None
    before, after = as_object(moment.before.get("hands")), as_object(moment.state.get("hands"))
    for name, hand in after.items():
        if hand.get("played") != before.get(name, {}).get("played"):
            return {"hand": name, "chips": before[name].get("chips"), "mult": before[name].get("mult")}
    return None


def _blind(moment: TraceMoment) -> Json | None:
    """The one that is played, or can be chosen now."""
    blind = blind_now(moment.state)
    return {name: blind.get(name) for name in ("type", "name", "status", "score")} if blind else None


def _target(moment: TraceMoment) -> Any:
    blind = _blind(moment)
    return blind["score"] if blind and blind["status"] == "CURRENT" else None


def _blinds(moment: TraceMoment) -> Any:
    names = ("name", "status", "score", "tag_name")
    return {slot: {name: blind.get(name) for name in names} for slot, blind in blinds_of(moment.state).items()}


# --- What is owned and offered ----------------------------------------------------------------------------------------


def _choosing(moment: TraceMoment) -> bool:
    return moment.state.get("state") == "SELECTING_HAND"


def _can(name: str) -> Part:
    return lambda moment: _choosing(moment) and moment.number(name) > 0


def _disabled(moment: TraceMoment) -> list[Any]:
    if not _choosing(moment):
        return []
    return [[card.get("key"), shows(card, "debuff")] for card in moment.cards("jokers")]


def _joker_numbers(moment: TraceMoment) -> list[Any]:
    """What jokers have grown to, which only their texts tell."""
    return [[card.get("key"), read("jokers", str(card.get("key")), effect(card))] for card in moment.cards("jokers")]


def _card_bonuses(moment: TraceMoment) -> list[Any]:
    """What Hiker has added to cards, which only their texts tell."""
    return [
        [card.get("key"), bonus]
        for area in ("hand", "cards", "pack", "shop")
        for card in moment.cards(area)
        if is_playing_card(card) and (bonus := permanent_bonus(card))
    ]


def _offers(area: str) -> Part:
    return lambda moment: [
        {"set": card.get("set"), "key": card.get("key"), "cost": price(card)} for card in moment.cards(area)
    ]


def _levels(moment: TraceMoment) -> Any:
    hands = as_object(moment.state.get("hands"))
    return {name: hand.get("level") for name, hand in hands.items()}


def _used_vouchers(moment: TraceMoment) -> list[str]:
    return sorted(as_object(moment.state.get("used_vouchers")))


# --- All of it --------------------------------------------------------------------------------------------------------


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


def _texts(moment: TraceMoment) -> Any:
    areas = {name: moment.cards(name) for name in moment.state if cards_of(moment.state, name)}
    blinds = blinds_of(moment.state).items()
    return {
        "cards": {name: [effect(card) for card in cards] for name, cards in areas.items()},
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
    "everything": lambda moment: _without(moment.state),
    "texts": _texts,
}


# --- Scopes -----------------------------------------------------------------------------------------------------------

_RESOURCES = "hands_left discards_left"
_SCORE = "chips chips_delta"
_OFFERS = "shop vouchers packs"
_OBSERVED = f"hand_count {_RESOURCES} {_SCORE}"
_DRAWN = f"draw_pile hand {_OFFERS} pack blinds"
"""Everything in which the random streams show."""

_TABLE = {
    "full": "everything joker_numbers card_bonuses",
    "hand_core": f"phase hand {_RESOURCES} ante round_num blind chips target money done won",
    "score_core": f"phase played {_RESOURCES} blind ante round_num chips target last_hand",
    "p0_hand_score_core": f"hand_sorted played_sorted {_RESOURCES} last_hand",
    "p0_hand_score_observed_core": _OBSERVED,
    "p1_hand_score_observed_core": _OBSERVED,
    "p2_hand_score_observed_core": _OBSERVED,
    "p2b_hand_score_observed_core": _OBSERVED,
    "p3_hand_score_observed_core": _OBSERVED,
    "p4_consumable": f"{_OBSERVED} hand_sorted levels consumables",
    "p5_modifier": f"hand_count hand_modified {_RESOURCES} consumables chips_delta",
    "p5_voucher_pack": f"hand_count {_RESOURCES} jokers consumables vouchers packs used_vouchers {_SCORE}",
    "p7_stateful": f"can_play can_discard jokers_disabled joker_numbers {_SCORE}",
    "p8_shop": f"{_OFFERS} used_voucher_count can_play can_discard ante blind_present {_SCORE}",
    "p8_rng": _DRAWN,
    "p9_episode": f"{_OFFERS} pack blinds {_DRAWN}",
    "p10_long_episode": f"stake {_OFFERS} pack {_DRAWN}",
    "p11_prob_econ": f"jokers money {_DRAWN}",
    "p14_real_action": f"{_RESOURCES} hand_count hand {_OFFERS} consumables jokers {_SCORE}",
    "zones_core": "draw_pile hand played",
    "zones_counts_core": f"draw_pile_count hand_size {_RESOURCES}",
    "economy_core": f"money reroll_cost {_OFFERS}",
    "rng_events_core": _DRAWN,
    "texts": "texts",
    "joker_marks": "jokers joker_marks",
}
SCOPES: Mapping[str, tuple[str, ...]] = {name: tuple(dict.fromkeys(parts.split())) for name, parts in _TABLE.items()}
"""The names of the parts of each."""


_SHORT = {name.split("_")[0]: name for name in SCOPES if name.endswith("_observed_core")}
"""P0 to P3 are phases of the same comparison."""


def scope_named(word: str) -> str:
    """A scope by its name or, for the phases from P0 to P3, by that; ValueError for one that is not there."""
    name = _SHORT.get(word.lower(), word.lower())
    if name not in SCOPES:
        raise ValueError(f'There is no scope "{word}". Choose one of: {", ".join(SCOPES)}.')
    return name


def project(moment: TraceMoment, scope: str) -> Json:
    """What a scope compares; ValueError for one that is not there."""
    scope = scope_named(scope)
    return {"refused": moment.refused} | {name: PARTS[name](moment) for name in SCOPES[scope]}
