"""Typed positions, read: ``hand: As Kd 10h(steel); jokers: Baron, Ride the Bus (mult 12)``.

A position is a list of parts with semicolons or line ends between them; a part is a name, a colon and what it holds. An
item of a part can have marks in parentheses. ``jimbo.data.position`` makes a state of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import Any, NamedTuple

from jimbo.engine import Action, PublicState, Run
from jimbo.engine.catalog import BLINDS, BOOSTERS, CHALLENGES, CONSUMABLES, DECKS, HANDS, JOKERS, STAKES, TAGS, VOUCHERS
from jimbo.text.spellings import (
    BLIND_WORDS,
    BOOSTER_WORDS,
    CHALLENGE_WORDS,
    CONSUMABLE_WORDS,
    DECK_WORDS,
    EDITION_WORDS,
    ENHANCEMENT_WORDS,
    HAND_WORDS,
    JOKER_WORDS,
    RANK_WORDS,
    SEAL_WORDS,
    STAKE_WORDS,
    SUIT_WORDS,
    TAG_WORDS,
    VOUCHER_WORDS,
    fold,
)

LONGEST = 20_000
"""Characters of a position."""
_LONGEST_NAME = 60
ANY_SEED = "JIMBO"
"""What a position does not tell is as in a new run of this seed."""
Json = dict[str, Any]


class BadPosition(ValueError):
    """A sentence that says what was not understood, where it stands, and what could stand there."""

    def __init__(self, sentence: str, start: int, end: int) -> None:
        super().__init__(sentence)
        self.start, self.end = start, end
        """The characters in question, counted from 0."""


class Word(NamedTuple):
    text: str
    start: int
    part: str = ""
    """The part it stands in."""

    def refused(self, why: str) -> BadPosition:
        where = f"character {self.start + 1}" + (f", in {self.part}" if self.part else "")
        return BadPosition(f'"{self.text[:60]}" ({where}) {why}', self.start, self.start + len(self.text))


class Item(NamedTuple):
    word: Word
    marks: tuple[Word, ...]


# --- Parts and items --------------------------------------------------------------------------------------------------


def parts(text: str) -> Iterator[tuple[Word, Word]]:
    """The names of the parts, and what they hold."""
    if len(text) > LONGEST:
        raise BadPosition(f"A position has at most {LONGEST:,} characters, and this has {len(text):,}.", 0, len(text))
    for word in _split(Word(text, 0), ";\n"):
        name, colon, rest = word.text.partition(":")
        if not colon:
            raise word.refused(
                f"has no name. A part is a name, a colon and what it holds; the names are {_listed(PARTS)}."
            )
        held = _stripped(Word(rest, word.start + len(name) + 1, name.strip()))
        yield Word(name.strip(), word.start), held


def _split(word: Word, signs: str) -> Iterator[Word]:
    """What stands between these signs, outside of parentheses."""
    depth, start = 0, 0
    for place, sign in enumerate(f"{word.text}{signs[0]}"):
        if sign == "(":
            depth += 1
        elif sign == ")":
            depth -= 1
        if depth not in (0, 1) or (depth and place == len(word.text)):
            raise _stripped(Word(word.text[start:], word.start + start, word.part)).refused(
                "has a parenthesis without its partner, or one inside another."
            )
        if sign in signs and not depth:
            piece = _stripped(Word(word.text[start:place], word.start + start, word.part))
            if piece.text:
                yield piece
            start = place + 1


def _check_length(word: Word) -> None:
    if len(word.text) > _LONGEST_NAME:
        raise word.refused("and what follows is longer than any name.")


def _stripped(word: Word) -> Word:
    blanks = len(word.text) - len(word.text.lstrip())
    return Word(word.text.strip(), word.start + blanks, word.part)


def _items(held: Word, signs: str = ",") -> Iterator[Item]:
    # A blank before a parenthesis does not part an item from its marks.
    text = re.sub(r" +\(", lambda found: "(".rjust(len(found[0]), "\0"), held.text) if " " in signs else held.text
    for word in _split(Word(text, held.start, held.part), signs):
        name, bracket, rest = word.text.partition("(")
        inside, _, after = rest.partition(")")
        if bracket and after.strip():
            raise Word(after.strip(), word.start, word.part).refused(
                "stands behind a parenthesis. Separate items by commas."
            )
        marks = tuple(_split(Word(inside, word.start + len(name) + 1, word.part), ",")) if bracket else ()
        for one in (Word(name, word.start, word.part), *marks):
            _check_length(one)
        yield Item(Word(name.replace("\0", "").strip(), word.start, word.part), marks)


def key_of(words: Mapping[str, str], facts: Mapping[str, Any], word: Word, kind: str) -> str:
    """The key of a name; the error suggests what comes near."""
    if (key := words.get(fold(word.text))) is not None:
        return key
    _check_length(word)
    near = [words[match] for match in get_close_matches(fold(word.text), words, n=3, cutoff=0.7)]
    names = [getattr(facts.get(key), "name", key) for key in dict.fromkeys(near)]
    hint = f" Did you mean {_listed(names, 'or')}?" if names else f" {_example(facts)}"
    raise word.refused(f"is no {kind}.{hint}")


def _example(facts: Mapping[str, Any]) -> str:
    names = [getattr(fact, "name", key) for key, fact in facts.items()]
    return f"It takes {_listed(names, 'or')}." if len(names) <= 12 else f"It takes a name such as {names[0]}."


def _listed(names: Any, last: str = "and") -> str:
    *others, one = names
    return f"{', '.join(others)} {last} {one}" if others else str(one)


def number(word: Word, low: int, high: int, *, whole: bool = True) -> float:
    text = word.text.replace(",", "").removeprefix("$").removeprefix("-$").strip()
    negative = word.text.startswith("-$")
    if not re.fullmatch(r"-?\d{1,9}" if whole else r"\d{1,15}(\.\d{1,9})?(e\d{1,3})?", text):
        raise word.refused(f"is not a {'whole ' if whole else ''}number.")
    value = -float(text) if negative else float(text)
    if not low <= value <= high:
        raise word.refused(f"does not lie between {low:,} and {high:,}.")
    return int(value) if whole else value


# --- Playing cards ----------------------------------------------------------------------------------------------------

_CARD = re.compile(r"(10|[2-9tjqka])([shcd♠♥♣♦])", re.IGNORECASE)
_SUIT_SIGNS = dict(zip("♠♥♣♦", "SHCD", strict=True))
_CARD_FLAGS = {"muted": "debuffed", "debuffed": "debuffed", "played": "played_this_ante", "locked": "forced"}
_CARD_MARKS = "an enhancement, an edition, a seal such as red seal, +5 chips, muted, played or locked"


def card(item: Item) -> Json:
    """A playing card as public_v1 has it."""
    found = _CARD.fullmatch(item.word.text)
    if not found:
        turned = _CARD.fullmatch(item.word.text[1:].replace("_", "") + item.word.text[:1])
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
    return [card(item) for item in _items(held, ", ")]


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


@lru_cache(maxsize=1)
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
        raise mark.refused(f"does not fit. {name} takes {_listed(ways, 'or')}." if ways else f"does not fit {name}.")
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


def joker(item: Item) -> Json:
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
        found = _CARD.fullmatch(mark.text)
        told = card(Item(mark, ())) if found else {}
        return {"idol_rank": told["rank"], "idol_suit": told["suit"]} if found else None
    words = RANK_WORDS if fields[0].endswith("rank") else SUIT_WORDS
    return {fields[0]: words[word]} if word in words else None


def typed_joker(text: str) -> Json:
    """One joker with its marks."""
    (item,) = _items(Word(text, 0))
    return joker(item)


def jokers(held: Word) -> list[Json]:
    return [joker(item) for item in _items(held)]


# --- Other things -----------------------------------------------------------------------------------------------------


def _consumable(item: Item) -> Json:
    told: Json = {"key": key_of(CONSUMABLE_WORDS, CONSUMABLES, item.word, "consumable")}
    for mark in item.marks:
        if fold(mark.text) == "negative":
            told["edition"] = "e_negative"
        elif found := re.fullmatch(r"sells?\s*\+?\$?(\d{1,4})", mark.text.lower()):
            told["sell_bonus"] = int(found[1])
        else:
            raise mark.refused("is no mark of a consumable. It takes negative or sells +2.")
    return told


def _consumables(held: Word) -> list[Json]:
    return [_consumable(item) for item in _items(held)]


def _levels(held: Word) -> dict[str, Json]:
    told: dict[str, Json] = {}
    for item in _items(held):
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


def _shop(held: Word) -> list[Json]:
    return [_offer(item) for item in _items(held)]


def _offer(item: Item) -> Json:
    """A card on sale."""
    free = [mark for mark in item.marks if fold(mark.text) == "free"]
    item = item._replace(marks=tuple(mark for mark in item.marks if mark not in free))
    told: Json = {"free": True} if free else {}
    if _CARD.fullmatch(item.word.text):
        return told | {"card": card(item)}
    key = key_of({**CONSUMABLE_WORDS, **JOKER_WORDS}, {**CONSUMABLES, **JOKERS}, item.word, "joker, consumable or card")
    if key in CONSUMABLES:
        one = _consumable(item)
        return told | {"consumable": key, **{name: one[name] for name in ("edition",) if name in one}}
    one = joker(item)
    return told | {"joker": key, **{name: one[name] for name in _ON_SALE if name in one}}


_ON_SALE = ("edition", "eternal", "perishable", "rental")
"""What an offer shows of a joker."""


def _goods(words: Mapping[str, str], facts: Mapping[str, Any], kind: str) -> Callable[[Word], list[Json]]:
    def read(held: Word) -> list[Json]:
        told = []
        for item in _items(held):
            for mark in item.marks:
                if fold(mark.text) != "free":
                    raise mark.refused("is no mark of something on sale. It takes free.")
            told.append({"key": key_of(words, facts, item.word, kind), **({"free": True} if item.marks else {})})
        return told

    return read


def _keys(words: Mapping[str, str], facts: Mapping[str, Any], kind: str) -> Callable[[Word], list[str]]:
    return lambda held: [key_of(words, facts, _unmarked(item), kind) for item in _items(held)]


def _vouchers(held: Word) -> list[str]:
    told: list[str] = []
    for item in _items(held):
        key = key_of(VOUCHER_WORDS, VOUCHERS, _unmarked(item), "voucher")
        if key in told:
            raise item.word.refused("stands there twice.")
        told.append(key)
    return told


def _unmarked(item: Item) -> Word:
    if item.marks:
        raise item.marks[0].refused("stands where no mark can.")
    return item.word


def _one(words: Mapping[str, str], facts: Mapping[str, Any], kind: str) -> Callable[[Word], str]:
    return lambda held: key_of(words, facts, held, kind)


def _blind(held: Word) -> str:
    """``small``, ``big``, ``boss`` or the key of a boss."""
    slot = fold(held.text).removesuffix("blind")
    return slot if slot in ("small", "big", "boss") else _boss(held)


def _boss(held: Word) -> str:
    key = key_of(BLIND_WORDS, BLINDS, held, "blind")
    if not BLINDS[key].boss:
        raise held.refused("is no boss blind.")
    return key


def _between(low: int, high: int, *, whole: bool = True) -> Callable[[Word], float]:
    return lambda held: number(held, low, high, whole=whole)


_MOST = 10**9
PARTS: Mapping[str, Callable[[Word], Any]] = {
    "hand": cards,
    "jokers": jokers,
    "consumables": _consumables,
    "blind": _blind,
    "boss": _boss,
    "needs": _between(0, 10**300, whole=False),
    "scored": _between(0, 10**300, whole=False),
    "hands": _between(0, 99),
    "discards": _between(0, 99),
    "money": _between(-_MOST, _MOST),
    "ante": _between(-99, 99),
    "round": _between(0, 999),
    "deck": _one(DECK_WORDS, DECKS, "deck"),
    "stake": _one(STAKE_WORDS, STAKES, "stake"),
    "challenge": _one(CHALLENGE_WORDS, CHALLENGES, "challenge"),
    "vouchers": _vouchers,
    "tags": _keys(TAG_WORDS, TAGS, "tag"),
    "levels": _levels,
    "hand size": _between(1, 50),
    "joker slots": _between(0, 30),
    "consumable slots": _between(0, 30),
    "tarots": _between(0, 9999),
    "skips": _between(0, 999),
    "shop": _shop,
    "packs": _goods(BOOSTER_WORDS, BOOSTERS, "pack"),
    "for sale": _goods(VOUCHER_WORDS, VOUCHERS, "voucher"),
    "reroll": _between(0, 999),
    "left": cards,
    "gone": cards,
}
"""The parts of a position in their order, and what reads them."""
_ALIASES = {
    "joker": "jokers",
    "dollars": "money",
    "consumable": "consumables",
    "voucher": "vouchers",
    "chips": "scored",
}
_PART_WORDS = {fold(name): name for name in PARTS} | {"handsize": "hand size"} | _ALIASES


_LISTS = ("hand", "jokers", "consumables", "vouchers", "tags", "shop", "packs", "for sale", "left", "gone")
"""Those that may be empty."""


@dataclass(frozen=True, slots=True)
class Part:
    value: Any
    word: Word
    """Its name, where it stands."""


def read_parts(text: str) -> dict[str, Part]:
    """What the parts of a position hold; BadPosition for anything else."""
    told: dict[str, Part] = {}
    for word, held in parts(text):
        name = _PART_WORDS.get(fold(word.text))
        _check_length(word)
        if name is None:
            near = get_close_matches(fold(word.text), _PART_WORDS, n=1, cutoff=0.6)
            hint = f"Did you mean {_PART_WORDS[near[0]]}?" if near else f"The names are {_listed(PARTS)}."
            raise word.refused(f"is no part of a position. {hint}")
        if name in told:
            raise word.refused("stands there twice.")
        if name == "deck" and any(_CARD.fullmatch(item.word.text) for item in _items(held, ", ")):
            raise held.refused("are cards. deck takes a deck such as Blue Deck; the cards left to draw stand in left.")
        if not held.text:
            if name in (
                "hand",
                "jokers",
                "consumables",
                "left",
                "gone",
                "vouchers",
                "tags",
                "shop",
                "packs",
                "for sale",
            ):
                told[name] = Part([], word)
                continue
            raise word.refused("holds nothing. Leave it out, or say what it is.")
        told[name] = Part(PARTS[name](held), word)
    return told
