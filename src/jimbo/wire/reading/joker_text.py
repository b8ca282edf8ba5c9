"""What only the text under a joker tells: its number, and what it looks for."""

from __future__ import annotations

import re
from collections.abc import Mapping

from jimbo.engine.catalog import HANDS
from jimbo.text.cards import RANK_NAMES, SUIT_NAMES
from jimbo.wire.gamestate import Json

_NUMBER = r"([\d,]*\.?\d+)"
_NOW = rf"Currently [+X$]?{_NUMBER}"
COUNTS: Mapping[str, str] = {
    **dict.fromkeys(["j_ceremonial", "j_ride_the_bus", "j_green_joker", "j_red_card", "j_flash", "j_trousers"], _NOW),
    **dict.fromkeys(["j_runner", "j_square", "j_castle", "j_wee", "j_invisible"], _NOW),
    "j_ice_cream": rf"\+{_NUMBER} Chips",
    "j_popcorn": rf"\+{_NUMBER} Mult",
    "j_turtle_bean": rf"\+{_NUMBER} hand size",
    "j_rocket": rf"Earn \${_NUMBER} at end of round",
    "j_selzer": rf"next {_NUMBER} hands",
    "j_yorick": rf"\[{_NUMBER}\]",
}
"""Where the joker's growing whole number stands."""
X_MULTS: Mapping[str, str] = {
    **dict.fromkeys(["j_constellation", "j_vampire", "j_obelisk", "j_hologram", "j_lucky_cat", "j_campfire"], _NOW),
    **dict.fromkeys(["j_madness", "j_hit_the_road", "j_glass", "j_caino", "j_yorick"], _NOW),
    "j_ramen": rf"X{_NUMBER} Mult",
}
"""Where its growing multiplier stands."""
_LOYALTY_EVERY = 6
_SUITS = {name[:-1]: letter for letter, name in SUIT_NAMES.items()} | {name: key for key, name in SUIT_NAMES.items()}
_RANKS = {name: key for key, name in RANK_NAMES.items()} | {str(rank): str(rank) for rank in range(2, 11)}
_RANK = "(" + "|".join(sorted(_RANKS, key=len, reverse=True)) + ")"
_SUIT = "(" + "|".join(sorted(_SUITS, key=len, reverse=True)) + ")"
_HANDS = sorted(HANDS, key=len, reverse=True)  # the name of one hand can be part of another's: Flush, Flush House


def set_numbers(joker: Json, text: str, run_hands: int) -> None:
    """Corrects the engine's numbers of a joker where the text says otherwise."""
    key = joker["joker_id"]
    if (count := _number(COUNTS.get(key), text)) is not None:
        joker["count"] = int(count)
    if (x_mult := _number(X_MULTS.get(key), text)) is not None and not _shows_as(joker["x_mult"], x_mult):
        joker["x_mult"] = x_mult
    if key == "j_todo_list":
        named = next((hand for hand in _HANDS if hand in text), None)
        joker["count"] = HANDS[named].order if named else joker["count"]
    elif key == "j_loyalty_card":
        _set_loyalty(joker, text, run_hands)


def numbers_in(key: str, text: str) -> list[float | None]:
    """The joker's growing whole number and its growing multiplier, as far as the text tells them."""
    return [_number(COUNTS.get(key), text), _number(X_MULTS.get(key), text)]


def _set_loyalty(joker: Json, text: str, run_hands: int) -> None:
    """``5 remaining`` of every six hands; none is left where it is active."""
    found = re.search(r"(\d+) remaining", text)
    to_go = int(found[1]) if found else 0 if "Active" in text else None
    if to_go is not None and (joker["count"] - run_hands - to_go - 1) % _LOYALTY_EVERY:
        joker["count"] = (run_hands + to_go + 1) % _LOYALTY_EVERY


def targets_in(key: str, text: str) -> Json:
    """What The Idol, Mail-In Rebate, Ancient Joker or Castle look for."""
    if key == "j_idol" and (found := re.search(rf"{_RANK} of {_SUIT}", text)):
        return {"idol_rank": _RANKS[found[1]], "idol_suit": _SUITS[found[2]]}
    if key == "j_mail" and (found := re.search(rf"discarded {_RANK}", text)):
        return {"mail_rank": _RANKS[found[1]]}
    if key == "j_ancient" and (found := re.search(rf"{_SUIT} suit", text)):
        return {"ancient_suit": _SUITS[found[1]]}
    if key == "j_castle" and (found := re.search(rf"discarded {_SUIT}", text)):
        return {"castle_suit": _SUITS[found[1]]}
    return {}


def _number(pattern: str | None, text: str) -> float | None:
    found = re.search(pattern, text) if pattern else None
    return float(found[1].replace(",", "")) if found else None


def _shows_as(number: float, shown: float) -> bool:
    """The text has fewer digits than the number behind it."""
    return abs(number - shown) < 0.005 + 1e-9 * abs(number)
