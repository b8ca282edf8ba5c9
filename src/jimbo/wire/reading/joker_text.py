"""What only the text under a joker tells: its number, and what it looks for."""

from __future__ import annotations

from collections.abc import Mapping

from jimbo.engine.catalog import HANDS
from jimbo.text.cards import SUIT_NAMES
from jimbo.text.spellings import RANK_WORDS, fold
from jimbo.wire.gamestate import Json
from jimbo.wire.tooltips import is_english, read

COUNTING = frozenset(
    [
        "j_ceremonial",
        "j_ride_the_bus",
        "j_green_joker",
        "j_red_card",
        "j_flash",
        "j_trousers",
        "j_runner",
        "j_square",
        "j_castle",
        "j_wee",
        "j_ice_cream",
        "j_popcorn",
        "j_turtle_bean",
        "j_rocket",
        "j_selzer",
        "j_invisible",
        "j_yorick",
    ]
)
"""Jokers with a whole number of their own, which the text shows."""
GROWING = frozenset(
    [
        "j_constellation",
        "j_vampire",
        "j_obelisk",
        "j_hologram",
        "j_lucky_cat",
        "j_campfire",
        "j_madness",
        "j_hit_the_road",
        "j_glass",
        "j_caino",
        "j_yorick",
        "j_ramen",
    ]
)
"""Jokers with a multiplier of their own."""
_COUNTS = ("chips", "mult", "dollars", "hand_size", "hands_left", "rounds_done", "cards_to_go")
_NAMED = {"j_todo_list": "poker_hand", "j_loyalty_card": "hands_to_go"}
_LOYALTY_EVERY = 6
_SUITS = {name[:-1]: letter for letter, name in SUIT_NAMES.items()}
_TARGETS: Mapping[str, Mapping[str, str]] = {
    "j_idol": {"rank": "idol_rank", "suits": "idol_suit"},
    "j_mail": {"rank": "mail_rank"},
    "j_ancient": {"suit": "ancient_suit"},
    "j_castle": {"suit": "castle_suit"},
}


def is_unread(key: str, text: str) -> bool:
    """Whether another language keeps back what only the text of a joker tells."""
    if is_english(text):
        return False
    told = read("jokers", key, text)
    needed = list(_TARGETS.get(key, ()))
    if key in GROWING:
        needed.append("x_mult")
    if key in _NAMED:
        needed.append(_NAMED[key])
    counted = key not in COUNTING or any(name in told for name in _COUNTS)
    return not counted or any(name not in told for name in needed)


def set_numbers(joker: Json, text: str, run_hands: int) -> None:
    """Corrects the engine's numbers of a joker where the text says otherwise."""
    key = joker["joker_id"]
    told = read("jokers", key, text)
    if key in COUNTING and (count := next((told[name] for name in _COUNTS if name in told), None)):
        joker["count"] = int(float(count))
    if key in GROWING and "x_mult" in told and not _shows_as(joker["x_mult"], float(told["x_mult"])):
        joker["x_mult"] = float(told["x_mult"])
    if key == "j_todo_list" and told.get("poker_hand") in HANDS:
        joker["count"] = HANDS[told["poker_hand"]].order
    elif key == "j_loyalty_card" and "hands_to_go" in told:
        _set_loyalty(joker, told["hands_to_go"], run_hands)


def _set_loyalty(joker: Json, told: str, run_hands: int) -> None:
    """``5 remaining`` of every six hands; none is left where it is active."""
    to_go = int(told.split()[0]) if told[0].isdigit() else 0
    if (joker["count"] - run_hands - to_go - 1) % _LOYALTY_EVERY:
        joker["count"] = (run_hands + to_go + 1) % _LOYALTY_EVERY


def targets_in(key: str, text: str) -> Json:
    """What The Idol, Mail-In Rebate, Ancient Joker or Castle look for."""
    named = _TARGETS.get(key)
    if named is None:
        return {}
    told = read("jokers", key, text)
    return {target: _target(told[name]) for name, target in named.items() if name in told}


def _target(word: str) -> str:
    return _SUITS.get(word.removesuffix("s")) or RANK_WORDS[fold(word)]


def _shows_as(number: float, shown: float) -> bool:
    """The text has fewer digits than the number behind it."""
    return abs(number - shown) < 0.005 + 1e-9 * abs(number)
