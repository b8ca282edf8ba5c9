"""Items of typed positions: playing cards, jokers, consumables, poker hands and goods, each as public_v1 has it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from jimbo.data.notation_words import (
    Json,
    NamedItem,
    Word,
    items,
    key_of,
    listed,
)
from jimbo.engine import Action, PublicState, Run
from jimbo.engine.catalog import CONSUMABLES, HANDS, JOKERS
from jimbo.text.spellings import (
    CONSUMABLE_WORDS,
    EDITION_WORDS,
    ENHANCEMENT_WORDS,
    HAND_WORDS,
    JOKER_WORDS,
    RANK_WORDS,
    SEAL_WORDS,
    SUIT_WORDS,
    fold,
)

ANY_SEED = "JIMBO"
"""What a position does not tell is as in a new run of this seed."""

# --- Playing cards ----------------------------------------------------------------------------------------------------

CARD = re.compile(r"(10|[2-9tjqka])([shcd♠♥♣♦])", re.IGNORECASE)
_SUIT_SIGNS = dict(zip("♠♥♣♦", "SHCD", strict=True))
_CARD_FLAGS = {"muted": "debuffed", "debuffed": "debuffed", "played": "played_this_ante", "locked": "forced"}
_CARD_MARKS = "an enhancement, an edition, a seal such as red seal, +5 chips, muted, played or locked"


def card(item: NamedItem) -> Json:
    """A playing card as public_v1 has it."""
    found = CARD.fullmatch(item.word.text)
    if not found:
        turned = CARD.fullmatch(item.word.text[1:].replace("_", "") + item.word.text[:1])
        hint = f" Did you mean {turned[1].upper()}{turned[2].lower()}?" if turned else " Write As, Kd, 10h or 2c."
        raise item.word.refused(f"is no playing card.{hint}")
    suit = _SUIT_SIGNS.get(found[2], found[2].upper())
    told: Json = {"rank": found[1].upper().replace("T", "10"), "suit": suit}
    for mark in item.marks:
        told |= _card_mark(mark)
    return told


def _card_mark(mark: Word) -> Json:
    word = fold(mark.text)
    if word.endswith("seal") and word in SEAL_WORDS:
        return {"seal": SEAL_WORDS[word]}
    for name, words in (("enhancement", ENHANCEMENT_WORDS), ("edition", EDITION_WORDS), ("seal", SEAL_WORDS)):
        if word and words.get(word, "e_base") not in ("", "e_base"):
            return {name: words[word]}
    if word in _CARD_FLAGS:
        return {_CARD_FLAGS[word]: True}
    if found := re.fullmatch(r"\+?(\d{1,5})(chips)?", word):
        return {"bonus": int(found[1])}
    raise mark.refused(f"is no mark of a playing card. A card takes {_CARD_MARKS}.")


def cards(held: Word) -> list[Json]:
    return [card(item) for item in items(held, ", ")]


# --- Jokers -----------------------------------------------------------------------------------------------------------

UNITS = {
    "mult": "mult",
    "chips": "chips",
    "x_mult": "x",
    "dollars": "$",
    "hand_size": "hand size",
    "hands_left": "hands left",
    "hands_to_go": "hands to go",
    "rounds_done": "rounds",
    "cards_to_go": "cards to go",
}
"""What the number of a joker is called."""
_UNIT_WORDS = {fold(unit): kind for kind, unit in UNITS.items()} | {"xmult": "x_mult", "togo": "", "": "", "count": ""}
TARGETS: Mapping[str, tuple[str, ...]] = {
    "j_idol": ("idol_rank", "idol_suit"),
    "j_mail": ("mail_rank",),
    "j_ancient": ("ancient_suit",),
    "j_castle": ("castle_suit",),
}
TO_DO, LOYALTY = "j_todo_list", "j_loyalty_card"
_NEW_LOYALTY = 6
"""It keeps the hands that the run had seen when it came, here as if five were to go of none that has been played."""


class Counter(NamedTuple):
    """A number that a joker keeps, and what it shows: so much more than it keeps."""

    field: str
    kind: str
    more: float


@cache
def _any_hand() -> Json:
    run = Run(seed=ANY_SEED)
    run.step(Action("select_blind"))
    return run.public_state().to_data()


@cache
def counters(key: str) -> tuple[Counter, ...]:
    """The numbers of a joker that are its own."""
    return tuple(filter(None, (_counter(key, field) for field in ("count", "x_mult"))))


def _counter(key: str, field: str) -> Counter | None:
    def shown(value: int) -> dict[str, float]:
        data = _any_hand()
        joker = {"id": data["next_id"], "key": key, field: value}
        state = PublicState.from_data({**data, "jokers": [joker], "next_id": data["next_id"] + 1})
        return {part.kind.value: part.number for part in state.jokers[0].shown}

    try:
        one, two = shown(1), shown(2)
    except ValueError:  # it has none
        return None
    kind = next((kind for kind in one if one[kind] != two.get(kind)), "")
    return Counter(field, kind, one[kind] - 1 if kind else 0)


def _count(mark: Word, key: str) -> Json | None:
    """What ``mult 12``, ``+12 Mult``, ``x2.5`` or ``count 3`` say."""
    found = re.fullmatch(r"([a-z ]*?)\s*([+x$]{0,2})\s*(\d{1,9}(?:\.\d{1,9})?)\s*([a-z ]*)", mark.text.lower())
    if not found:
        return None
    before, sign, digits, after = found.groups()
    unit = fold(f"{before}{after}")
    if unit not in _UNIT_WORDS:
        return None
    kind = "x_mult" if "x" in sign else "dollars" if "$" in sign else _UNIT_WORDS[unit]
    own, name = counters(key), JOKERS[key].name
    if not own:
        raise mark.refused(f"does not fit: {name} has no number of its own; what it gives follows from the rest.")
    one = next((each for each in own if each.kind == kind or not kind), None)
    if one is None:
        ways = [f"({UNITS[each.kind]} 3)" for each in own if each.kind]
        raise mark.refused(f"does not fit. {name} takes {listed(ways, 'or')}." if ways else f"does not fit {name}.")
    value = float(digits) - (0 if unit == "count" else one.more)
    if one.field == "count" and (value != int(value) or value < 0):
        raise mark.refused(f"is not a number that {name} can have.")
    return {one.field: int(value) if one.field == "count" else value}


_JOKER_FLAGS = {
    "muted": "debuffed",
    "debuffed": "debuffed",
    "eternal": "eternal",
    "rental": "rental",
    "pinned": "pinned",
}


def joker(item: NamedItem) -> Json:
    """A joker as public_v1 has it; ``targets`` is what it looks for."""
    key = key_of(JOKER_WORDS, JOKERS, item.word, "joker")
    told: Json = {"key": key, "targets": {}} | ({"count": _NEW_LOYALTY} if key == LOYALTY else {})
    for mark in item.marks:
        told_now = _joker_mark(mark, key)
        told["targets"] |= told_now.pop("targets", {})
        told |= told_now
    return told


def _joker_mark(mark: Word, key: str) -> Json:
    word = fold(mark.text)
    if (edition := EDITION_WORDS.get(word)) and edition != "e_base":
        return {"edition": edition}
    if word in _JOKER_FLAGS:
        return {_JOKER_FLAGS[word]: True}
    if found := re.fullmatch(r"perishable([0-5]?)", word):
        return {"perishable": True, "perish_left": int(found[1] or 5)}
    if found := re.fullmatch(r"sells?\s*\+?\$?(\d{1,4})", mark.text.lower()):
        return {"sell_bonus": int(found[1])}
    if key == TO_DO and word in HAND_WORDS:
        return {"count": list(HANDS).index(HAND_WORDS[word])}
    if key in TARGETS and (target := _target(mark, key)):
        return {"targets": target}
    if (counted := _count(mark, key)) is not None:
        return counted
    takes = "an edition, eternal, perishable 3, rental, pinned, muted, sells +2 or its number, as in (mult 12)"
    raise mark.refused(f"is no mark of a joker. {JOKERS[key].name} takes {takes}.")


def _target(mark: Word, key: str) -> Json | None:
    fields, word = TARGETS[key], fold(mark.text)
    if key == "j_idol":
        found = CARD.fullmatch(mark.text)
        told = card(NamedItem(mark, ())) if found else {}
        return {"idol_rank": told["rank"], "idol_suit": told["suit"]} if found else None
    words = RANK_WORDS if fields[0].endswith("rank") else SUIT_WORDS
    return {fields[0]: words[word]} if word in words else None


def typed_joker(text: str) -> Json:
    """One joker with its marks."""
    (item,) = items(Word(text, 0))
    return joker(item)


def jokers(held: Word) -> list[Json]:
    return [joker(item) for item in items(held)]


def _consumable(item: NamedItem) -> Json:
    told: Json = {"key": key_of(CONSUMABLE_WORDS, CONSUMABLES, item.word, "consumable")}
    for mark in item.marks:
        if fold(mark.text) == "negative":
            told["edition"] = "e_negative"
        elif found := re.fullmatch(r"sells?\s*\+?\$?(\d{1,4})", mark.text.lower()):
            told["sell_bonus"] = int(found[1])
        else:
            raise mark.refused("is no mark of a consumable. It takes negative or sells +2.")
    return told


def consumables(held: Word) -> list[Json]:
    return [_consumable(item) for item in items(held)]


def levels(held: Word) -> dict[str, Json]:
    told: dict[str, Json] = {}
    for item in items(held):
        found = re.fullmatch(r"(.*?)(?:\s+(?:level\s*)?(\d{1,4}))?", item.word.text)
        assert found
        hand = key_of(HAND_WORDS, HANDS, item.word._replace(text=found[1]), "poker hand")
        told[hand] = {"level": int(found[2])} if found[2] else {}
        for mark in item.marks:
            what = re.fullmatch(r"(played|round)\s*(\d{1,5})", mark.text.lower())
            if not what:
                raise mark.refused("is no mark of a poker hand. It takes played 7, or round 2 for those of this round.")
            told[hand]["played" if what[1] == "played" else "played_this_round"] = int(what[2])
    return told


def shop(held: Word) -> list[Json]:
    return [_offer(item) for item in items(held)]


def _offer(item: NamedItem) -> Json:
    """A card on sale."""
    free = [mark for mark in item.marks if fold(mark.text) == "free"]
    item = item._replace(marks=tuple(mark for mark in item.marks if mark not in free))
    told: Json = {"free": True} if free else {}
    if CARD.fullmatch(item.word.text):
        return told | {"card": card(item)}
    key = key_of({**CONSUMABLE_WORDS, **JOKER_WORDS}, {**CONSUMABLES, **JOKERS}, item.word, "joker, consumable or card")
    if key in CONSUMABLES:
        one = _consumable(item)
        return told | {"consumable": key, **{name: one[name] for name in ("edition",) if name in one}}
    one = joker(item)
    return told | {"joker": key, **{name: one[name] for name in _ON_SALE if name in one}}


_ON_SALE = ("edition", "eternal", "perishable", "rental")
"""What an offer shows of a joker."""
