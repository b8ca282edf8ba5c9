"""The fields of a recorded state, by the names of the transcriptions and by those of the mod's own states."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from conformance.recorded_items import UNKNOWN
from conformance.recorded_view import RecordedView
from jimbo.text.cards import full_deck
from jimbo.text.spellings import RANK_WORDS, SUIT_WORDS, spelled

Field = Callable[[RecordedView, Any], Any]

DISCARD_LIMIT = 500
"""What the mod says of the discard pile, however big the deck."""


def found(view: RecordedView, name: str, stated: Any) -> Any:
    """What the engine has for one recorded field, in the form of what is stated."""
    return FIELDS[name](view, stated) if name in FIELDS else UNKNOWN


def _seen(name: str) -> Field:
    return lambda view, _stated: getattr(view.seen, name)


def _round(view: RecordedView, stated: Any) -> Any:
    """Its number, or the mod's object of what belongs to a round."""
    if isinstance(stated, dict):
        return {name: found(view, name, value) for name, value in stated.items()}
    return view.seen.round


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
    """The mod writes nothing as an empty text."""
    last = view.seen.last_used
    return stated if last is None and not stated else last


def _word(name: str) -> Field:
    """RED for b_red, unless the key itself is stated."""

    def look_up(view: RecordedView, stated: Any) -> Any:
        key: str = getattr(view.seen, name)
        return key if stated == key else key.split("_", 1)[1].upper()

    return look_up


def _hand(view: RecordedView, stated: Any) -> Any:
    return view.cards(stated, view.run.hand, view.seen.hand_size)


def _draw_pile(view: RecordedView, stated: Any) -> Any:
    return view.cards(stated, view.draw_pile(), len(full_deck(view.seen)), in_pile=True)


def _discard_pile(view: RecordedView, stated: Any) -> Any:
    return view.cards(stated, view.seen.discarded, DISCARD_LIMIT)


def _of_hands(name: str) -> Field:
    return lambda view, _: {hand: stats[name] for hand, stats in view.hands().items()}


FIELDS: dict[str, Field] = {
    "phase": RecordedView.phase,
    "state": RecordedView.phase,
    "deck": _word("deck"),
    "stake": _word("stake"),
    "seed": lambda view, _: view.run.seed,
    "ante": _seen("ante"),
    "ante_num": _seen("ante"),
    "round": _round,
    "round_num": _seen("round"),
    "money": _seen("dollars"),
    "chips": _seen("chips"),
    "hands_left": _seen("hands_left"),
    "discards_left": _seen("discards_left"),
    "hands_played": _seen("hands_played"),
    "discards_used": _seen("discards_used"),
    "reroll_cost": _seen("reroll_price"),
    "free_rerolls": _seen("free_rerolls"),
    "hand_size": _seen("hand_size"),
    "joker_slots": lambda view, _: view.joker_limit(),
    "consumable_slots": lambda view, _: view.consumable_limit(),
    "boss_rerolled": _seen("boss_rerolled"),
    "skips": _seen("skips"),
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
    "deck_count": _seen("draw_pile"),
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
    "pack_choices_remaining": lambda view, _: view.seen.pack.picks_left if view.seen.pack else 0,
    "hand_type_played": lambda view, _: view.seen.last_hand.hand,
    "hands": lambda view, _: view.hands(),
    "hand_levels": lambda view, _: view.hands(),
    "hands_played_counts": _of_hands("played"),
    "most_played_poker_hand": _seen("most_played"),
    "last_tarot_planet": _last_used,
    "won": _seen("won"),
}
