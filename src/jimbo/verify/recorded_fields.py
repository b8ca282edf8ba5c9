"""The fields of a recorded state, by the names of the transcriptions and by those of the mod's own states."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jimbo.verify.recorded_items import UNKNOWN
from jimbo.verify.recorded_view import RecordedView
from jimbo.verify.recorded_words import RANK_WORDS, SUIT_WORDS, spelled

Field = Callable[[RecordedView, Any], Any]

DISCARD_LIMIT = 500
"""What the mod says of the discard pile, however big the deck."""


def found(view: RecordedView, name: str, stated: Any) -> Any:
    """What the engine has for one recorded field, in the form of what is stated."""
    return FIELDS[name](view, stated) if name in FIELDS else UNKNOWN


def _at(*path: str) -> Field:
    def look_up(view: RecordedView, _stated: Any) -> Any:
        value: Any = view.state
        for name in path:
            value = value[name]
        return value

    return look_up


def _round(view: RecordedView, stated: Any) -> Any:
    """Its number, or the mod's object of what belongs to a round."""
    if isinstance(stated, dict):
        return {name: found(view, name, value) for name, value in stated.items()}
    return view.state["round"]["round_num"]


def _suit(name: str) -> Field:
    return lambda view, stated: spelled(stated, SUIT_WORDS, view.state["targets"][name], view.state["targets"][name])


def _rank(name: str) -> Field:
    return lambda view, stated: spelled(stated, RANK_WORDS, view.state["targets"][name], view.state["targets"][name])


def _target(**fields: Field) -> Field:
    """What a joker looks for, as an object."""

    def look_up(view: RecordedView, stated: Any) -> Any:
        there = stated if isinstance(stated, dict) else {}
        return {name: field(view, there.get(name)) for name, field in fields.items()}

    return look_up


def _last_used(view: RecordedView, stated: Any) -> Any:
    """The mod has an empty text for nothing."""
    last = view.state["memory"]["last_used"]
    return stated if last is None and not stated else last


def _word(name: str) -> Field:
    """RED for b_red, unless the key itself is stated."""

    def look_up(view: RecordedView, stated: Any) -> Any:
        key: str = view.state[name]
        return key if stated == key else key.split("_", 1)[1].upper()

    return look_up


def _hand(view: RecordedView, stated: Any) -> Any:
    return view.cards(stated, view.seen.hand, view.seen.hand_size)


def _draw_pile(view: RecordedView, stated: Any) -> Any:
    return view.cards(stated, view.seen.draw_pile, len(view.seen.cards), in_pile=True)


def _discard_pile(view: RecordedView, stated: Any) -> Any:
    return view.cards(stated, view.seen.discard_pile, DISCARD_LIMIT)


def _of_hands(name: str) -> Field:
    return lambda view, _: {hand: stats[name] for hand, stats in view.hands().items()}


FIELDS: dict[str, Field] = {
    "phase": RecordedView.phase,
    "state": RecordedView.phase,
    "deck": _word("deck"),
    "stake": _word("stake"),
    "seed": lambda view, _: view.run.seed,
    "ante": _at("round", "ante"),
    "ante_num": _at("round", "ante"),
    "round": _round,
    "round_num": _at("round", "round_num"),
    "money": _at("economy", "money"),
    "chips": _at("score", "chips"),
    "hands_left": _at("round", "hands_left"),
    "discards_left": _at("round", "discards_left"),
    "hands_played": _at("round", "hands_played"),
    "discards_used": _at("round", "discards_used"),
    "reroll_cost": lambda view, _: view.run.reroll_price,
    "free_rerolls": _at("economy", "free_rerolls"),
    "hand_size": lambda view, _: view.seen.hand_size,
    "joker_slots": lambda view, _: view.seen.joker_slots,
    "consumable_slots": lambda view, _: view.seen.consumable_slots,
    "boss_rerolled": _at("round", "boss_rerolled"),
    "skips": _at("memory", "skips"),
    "ancient_suit": _suit("ancient_suit"),
    "castle_suit": _suit("castle_suit"),
    "idol_suit": _suit("idol_suit"),
    "idol_rank": _rank("idol_rank"),
    "mail_rank": _rank("mail_rank"),
    "ancient_card": _target(suit=_suit("ancient_suit")),
    "castle_card": _target(suit=_suit("castle_suit")),
    "idol_card": _target(rank=_rank("idol_rank"), suit=_suit("idol_suit")),
    "mail_card": _target(rank=_rank("mail_rank")),
    "blinds": RecordedView.blinds,
    "blind": RecordedView.blind,
    "hand": _hand,
    "cards": _draw_pile,
    "deck_order": _draw_pile,
    "deck_count": lambda view, _: len(view.seen.draw_pile),
    "deck_composition": RecordedView.deck_composition,
    "discard": _discard_pile,
    "discard_pile": _discard_pile,
    "debuffed_in_hand": RecordedView.debuffed_in_hand,
    "jokers": RecordedView.jokers,
    "consumables": RecordedView.consumables,
    "tags": RecordedView.tags,
    "shop": RecordedView.shop,
    "vouchers": RecordedView.vouchers,
    "used_vouchers": RecordedView.used_vouchers,
    "packs": RecordedView.packs,
    "pack": RecordedView.pack,
    "pack_choices_remaining": _at("pack", "picks_left"),
    "hand_type_played": _at("score", "last_hand"),
    "hands": lambda view, _: view.hands(),
    "hand_levels": lambda view, _: view.hands(),
    "hands_played_counts": _of_hands("played"),
    "most_played_poker_hand": _at("round", "most_played"),
    "last_tarot_planet": _last_used,
    "won": _at("flags", "won"),
}
