"""What one card of the game says of itself, in the engine's words: its marks, its prices, and what stands in its text
alone, in whatever language that is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from jimbo.engine.catalog import BOOSTERS, CONSUMABLES, HANDS, JOKERS, VOUCHERS
from jimbo.text.spellings import EDITION_WORDS, ENHANCEMENT_WORDS, RANK_WORDS, SEAL_WORDS, SUIT_WORDS, fold
from jimbo.wire.gamestate import Json, as_object, cards_of
from jimbo.wire.tooltips import is_english, read, rule_numbers, texts

PLAYING = ("DEFAULT", "ENHANCED")
BASE = "e_base"
FRONT = re.compile(r"[HDCS]_[2-9TJQKA]")
_ADDED = re.compile(r"\+(\d+)")


def is_playing_card(card: Mapping[str, Any]) -> bool:
    return card.get("set") in PLAYING or bool(FRONT.fullmatch(str(card.get("key"))))


def front_key(card: Mapping[str, Any]) -> str:
    """``S_6``."""
    key = str(card.get("key"))
    if FRONT.fullmatch(key):
        return key
    value = as_object(card.get("value"))
    return f"{value.get('suit')}_{value.get('rank')}"


def known_key(card: Mapping[str, Any]) -> str:
    """The key of a joker, consumable, voucher or pack; ValueError for one that the game itself does not have."""
    key = str(card.get("key"))
    if key not in JOKERS and key not in CONSUMABLES and key not in VOUCHERS and key not in BOOSTERS:
        raise ValueError(f'"{key}" is unknown: it may come from another mod')
    return key


def edition(card: Mapping[str, Any]) -> str:
    return _mark(card, "edition", EDITION_WORDS) or BASE


def modifiers(card: Mapping[str, Any]) -> list[str]:
    """The marks of a playing card, in the engine's order."""
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
    own = rule_numbers("m_bonus")[0] if "m_bonus" in modifiers(card) else 0
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


# --- What only the text under a joker tells ---------------------------------------------------------------------------


COUNTING = frozenset(texts("own_numbers")["counting"].split())
"""Jokers with a whole number of their own, which the text shows."""
GROWING = frozenset(texts("own_numbers")["growing"].split())
"""Jokers with a multiplier of their own."""
_COUNTS = ("chips", "mult", "dollars", "hand_size", "hands_left", "rounds_done", "cards_to_go")
_NAMED = {"j_todo_list": "poker_hand", "j_loyalty_card": "hands_to_go"}
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
    _, every = rule_numbers("j_loyalty_card")
    if (joker["count"] - run_hands - to_go - 1) % every:
        joker["count"] = (run_hands + to_go + 1) % every


def targets_in(key: str, text: str) -> Json:
    """What The Idol, Mail-In Rebate, Ancient Joker or Castle look for."""
    named = _TARGETS.get(key)
    if named is None:
        return {}
    told = read("jokers", key, text)
    return {target: _target_in(told[name]) for name, target in named.items() if name in told}


def _target_in(word: str) -> str:
    return SUIT_WORDS.get(fold(word)) or RANK_WORDS[fold(word)]


def _shows_as(number: float, shown: float) -> bool:
    """The text has fewer digits than the number behind it."""
    return abs(number - shown) < 0.005 + 1e-9 * abs(number)


# --- The language of the texts ----------------------------------------------------------------------------------------


_WITH_SENTENCES = ("jokers", "consumables", "shop", "vouchers", "packs", "pack")


def in_english(state: Mapping[str, Any]) -> bool:
    """Whether most texts of a gamestate are; true where it has none, as in the menu."""
    told = [is_english(text) for text in _texts(state) if text]
    return 2 * sum(told) >= len(told)


def unread_jokers(state: Mapping[str, Any]) -> tuple[str, ...]:
    """Keys of the jokers that are owned whose texts are in another language and keep back what only they tell."""
    told = [(known_key(card), effect(card)) for card in cards_of(state, "jokers")]
    return tuple(dict.fromkeys(key for key, text in told if is_unread(key, text)))


def _texts(state: Mapping[str, Any]) -> Iterator[str]:
    for area in _WITH_SENTENCES:
        yield from (effect(card) for card in cards_of(state, area))
    for blind in as_object(state.get("blinds")).values():
        yield from (str(as_object(blind).get(name) or "") for name in ("effect", "tag_effect"))
