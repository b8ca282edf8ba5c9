"""What a card of the game says of itself, in the engine's words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from jimbo.engine.catalog import BOOSTERS, CONSUMABLES, JOKERS, VOUCHERS
from jimbo.text.spellings import EDITION_WORDS, ENHANCEMENT_WORDS, SEAL_WORDS, fold
from jimbo.wire.gamestate import Json, as_object
from jimbo.wire.tooltips import is_english, texts

PLAYING = ("DEFAULT", "ENHANCED")
BASE = "e_base"
_BONUS_CHIPS = 30
_ADDED = re.compile(r"\+(\d+)")


def is_playing_card(card: Mapping[str, Any]) -> bool:
    return card.get("set") in PLAYING or bool(re.fullmatch(r"[HDCS]_[2-9TJQKA]", str(card.get("key"))))


def front_key(card: Mapping[str, Any]) -> str:
    """``S_6``."""
    key = card.get("key")
    if isinstance(key, str) and re.fullmatch(r"[HDCS]_[2-9TJQKA]", key):
        return key
    value = as_object(card.get("value"))
    return f"{value.get('suit')}_{value.get('rank')}"


def known_key(card: Mapping[str, Any]) -> str:
    """Of a joker, consumable, voucher or pack; ValueError for one that the game itself does not have."""
    key = str(card.get("key"))
    if key not in JOKERS and key not in CONSUMABLES and key not in VOUCHERS and key not in BOOSTERS:
        raise ValueError(f'"{key}" is unknown: it may come from another mod')
    return key


def edition(card: Mapping[str, Any]) -> str:
    return _mark(card, "edition", EDITION_WORDS) or BASE


def modifiers(card: Mapping[str, Any]) -> list[str]:
    """Of a playing card, in the engine's order."""
    # The mod makes an "enhancement" of any card's kind of effect, so it means something on enhanced cards alone.
    enhanced = card.get("set") != "DEFAULT"
    enhancement = _mark(card, "enhancement", ENHANCEMENT_WORDS) if enhanced else ""
    marks = (edition(card), enhancement, _mark(card, "seal", SEAL_WORDS))
    return [mark for mark in marks if mark and mark != BASE]


def _mark(card: Mapping[str, Any], name: str, words: Mapping[str, str]) -> str:
    word = as_object(card.get("modifier")).get(name)
    if isinstance(word, Mapping):
        word = word.get("type") or word.get("key")
    return words.get(fold(word), "") if word else ""


def sticker(card: Mapping[str, Any], name: str) -> Any:
    return as_object(card.get("modifier")).get(name)


def shows(card: Mapping[str, Any], name: str) -> bool:
    """``debuff``, ``hidden`` or ``highlight``."""
    return bool(as_object(card.get("state")).get(name))


def effect(card: Mapping[str, Any]) -> str:
    return str(as_object(card.get("value")).get("effect") or "")


def price(card: Mapping[str, Any]) -> int | None:
    return _cost(card, "buy")


def sell_value(card: Mapping[str, Any]) -> int | None:
    return _cost(card, "sell")


def _cost(card: Mapping[str, Any], name: str) -> int | None:
    number = as_object(card.get("cost")).get(name)
    return int(number) if isinstance(number, int | float) else None


def permanent_bonus(card: Mapping[str, Any]) -> int | None:
    """What Hiker has added stands in the text alone: ``+10 extra chips``, together with those of a Bonus card.

    None where another language keeps it back.
    """
    text = effect(card)
    own = _BONUS_CHIPS if "m_bonus" in modifiers(card) else 0
    if is_english(text):
        found = re.search(r"\+(\d+) extra chips", text)
        return max(0, int(found[1]) - own) if found else 0
    # The first number is what a card of this rank gives; those of its enhancement are known.
    known = (text for mark in modifiers(card) for text in _ADDED.findall(texts("cards").get(mark, "")))
    added = Counter(_ADDED.findall(text)[1:]) - Counter(known)
    if edition(card) != BASE or added.total() > 1:
        return None
    return max(0, int(next(iter(added), 0)) - own)


def offered(card: Mapping[str, Any], uid: int) -> Json:
    """What a shop or a pack offers, as the engine writes it."""
    front = {"uid": uid, "key": "S_2", "modifier": [], "state": []}
    offer: Json = {
        "kind": "joker",
        "joker": "j_joker",
        "consumable": "c_fool",
        "edition": BASE,
        "card": front,
        "uid": uid,
    }
    offer |= dict.fromkeys(("eternal", "perishable", "rental"), False)
    if is_playing_card(card):
        front |= {"key": front_key(card), "modifier": modifiers(card)}
        if bonus := permanent_bonus(card):
            front["bonus"] = bonus
        return offer | {"kind": "playing_card"}
    key = known_key(card)
    offer["edition"] = edition(card)
    if key in CONSUMABLES:
        return offer | {"kind": "consumable", "consumable": key}
    stickers = {name: bool(sticker(card, name)) for name in ("eternal", "perishable", "rental")}
    return offer | {"kind": "joker", "joker": key, **stickers}
