"""The texts of cards, tags and blinds as the mod sends them: ``tooltips.toml`` with the numbers of the run filled in.

The real game's texts differ in places nobody has recorded, so what is read back is looked for by its shape as well. In
another language than English there are the numbers alone: those that the English text does not have in any case.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files

from jimbo.engine import PublicJoker, PublicShown, PublicState, ShownKind
from jimbo.engine.catalog import CONSUMABLES, HANDS, fact
from jimbo.text.cards import RANK_NAMES, SUIT_NAMES

Values = Mapping[str, object]


@cache
def texts(kind: str) -> Mapping[str, str]:
    """Texts of jokers, consumables, vouchers, packs, tags, blinds or cards, by key; or ``own_numbers``."""
    parsed = tomllib.loads(files("jimbo.wire").joinpath("tooltips.toml").read_text(encoding="utf-8"))
    found: Mapping[str, str] = parsed[kind]
    return found


def number(value: float) -> str:
    """As Lua writes it: 14 digits and no needless zero."""
    return f"{value:.14g}"


@cache
def rule_numbers(key: str) -> tuple[int, ...]:
    """The whole numbers in the sentence that the engine has for an item, from left to right."""
    return tuple(int(digits) for digits in re.findall(r"(?<![\d.])\d+(?!\.?\d)", fact(key).text))


# --- Writing ----------------------------------------------------------------------------------------------------------

_SUIT_WORDS = {letter: name[:-1] for letter, name in SUIT_NAMES.items()}


def joker_text(joker: PublicJoker, odds: int, deck_size: int) -> str:
    values: dict[str, object] = {"odds": odds, "deck_size": deck_size}
    for part in joker.shown:
        values.update(_shown(part))
    return texts("jokers")[str(joker.key)].format_map(values)


def _shown(part: PublicShown) -> Iterator[tuple[str, object]]:
    """The value of a part under the name of its kind; a card is a rank and a suit."""
    if part.kind == ShownKind.hands_to_go:
        yield str(part.kind), f"{number(part.number)} remaining" if part.number else "Active!"
    elif part.kind == ShownKind.poker_hand:
        yield str(part.kind), part.hand
    else:
        yield str(part.kind), number(part.number)
    if part.rank:
        yield "rank", RANK_NAMES.get(part.rank, part.rank)
    if part.suit:
        yield "suit", _SUIT_WORDS[part.suit]
        yield "suits", SUIT_NAMES[part.suit]


def consumable_text(key: str, state: PublicState, *, odds: int) -> str:
    planet_of = CONSUMABLES[key].hand
    if planet_of is None:
        values = {"odds": odds, "hand_size": state.ectoplasms + 1, "dollars": _temperance(state)}
        return texts("consumables")[key].format_map(values)
    level = next(hand.level for hand in state.hands if hand.hand == planet_of)
    hand = HANDS[planet_of]
    return texts("consumables")["planet"].format(
        level=level, poker_hand=hand.name, mult=hand.mult_per_level, chips=hand.chips_per_level
    )


def _temperance(state: PublicState) -> int:
    return min(rule_numbers("c_temperance")[0], sum(joker.sell_value for joker in state.jokers))


def tag_text(key: str, state: PublicState) -> str:
    skipped = rule_numbers("tag_skip")[0] * (state.skips + 1)
    dollars = {"tag_skip": skipped, "tag_handy": state.run_hands, "tag_garbage": state.unused_discards}
    return texts("tags")[key].format(dollars=dollars.get(key))


# --- Reading ----------------------------------------------------------------------------------------------------------

_NUMBER = r"([\d,.]*\d)"
_RANK = r"\b(Ace|King|Queen|Jack|10|[2-9])\b"
_SHAPES: Mapping[str, tuple[str, ...]] = {
    "x_mult": (f"Currently X{_NUMBER}", f"X{_NUMBER} Mult"),
    "mult": (rf"Currently \+?{_NUMBER}", rf"\+{_NUMBER} Mult"),
    "chips": (rf"Currently \+?{_NUMBER}", rf"\+{_NUMBER} Chips"),
    "dollars": (rf"Currently \${_NUMBER}", rf"\${_NUMBER}"),
    "rounds_done": (r"Currently (\d+)\s*/",),
    "cards_found": (r"Currently (\d+)",),
    "cards_to_go": (r"\[(\d+)\]",),
    "hands_to_go": (r"(\d+ remaining|Active!)",),
    "hands_left": (r"next (\d+) hands",),
    "hand_size": (r"[+-](\d+) hand size",),
    "odds": (r"(\d+) in \d+",),
    "poker_hand": ("({})".format("|".join(sorted(HANDS, key=len, reverse=True))),),
    # Other numbers of the text could be taken for a rank.
    "rank": (rf"{_RANK} of\b", rf"discarded {_RANK}"),
    "suit": (r"\b(Spade|Heart|Club|Diamond)s?\b",),
    "suits": (r"\b(Spades|Hearts|Clubs|Diamonds)\b",),
    "level": (r"\(lvl\.(\d+)\)",),
}
"""What a value looks like where the text around it is not as expected; the first shape that is there counts."""


def read(kind: str, key: str, text: str) -> dict[str, str]:
    """The live values of a text by their names; those that cannot be found are absent."""
    template = texts(kind).get(key)
    if template is None or "{" not in template:
        return {}
    if exact := _pattern(template).fullmatch(text):
        return {name: value.replace(",", "") for name, value in exact.groupdict().items()}
    names = dict.fromkeys(re.findall(r"{(\w+)}", template))
    if not is_english(text):
        return _numbers_alone(template, names, text)
    found = {name: _search(_SHAPES.get(name, ()), text) for name in names}
    return {name: value.replace(",", "") for name, value in found.items() if value}


def _search(shapes: tuple[str, ...], text: str) -> str | None:
    return next((match[1] for shape in shapes if (match := re.search(shape, text))), None)


def _numbers_alone(template: str, names: Iterable[str], text: str) -> dict[str, str]:
    """What can be read in any language: a number in brackets, and the one that the English text has not always."""
    found = {name: value for name in names if name in _SIGNS and (value := _search(_SHAPES[name], text))}
    left = numbers_in(text) - numbers_in(re.sub(r"{\w+}", "", template)) - Counter(map(float, found.values()))
    asked = [name for name in names if name not in found and name not in _IN_WORDS]
    if len(asked) == 1 and left.total() == 1:
        found[asked[0]] = number(*left)
    return found


_SIGNS = ("cards_to_go",)
"""What stands between signs that every language has."""
_IN_WORDS = ("poker_hand", "rank", "suit", "suits")


def numbers_in(text: str) -> Counter[float]:
    return Counter(float(word.replace(",", "")) for word in re.findall(r"\d[\d,]*(?:\.\d+)?", text))


@lru_cache(1024)
def is_english(text: str) -> bool:
    """Whether more than half of its words are those of the game's English texts; true where there are no words."""
    words = _words(text)
    return 2 * len(words & _english()) > len(words) or not words


def _words(text: str) -> set[str]:
    """The words of a text without single letters, such as the X of a multiplier."""
    return {word for word in re.findall(r"[^\W\d_]+", text.lower()) if len(word) > 1}


@cache
def _english() -> set[str]:
    kinds = ("jokers", "consumables", "vouchers", "packs", "tags", "blinds", "cards")
    named = (*HANDS, *RANK_NAMES.values(), *SUIT_NAMES.values(), *_SUIT_WORDS.values(), "remaining active")
    return _words(" ".join((*named, *(re.sub(r"{\w+}", "", text) for kind in kinds for text in texts(kind).values()))))


@cache
def _pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"{(\w+)}", template)
    seen: set[str] = set()
    pattern = ""
    for place, part in enumerate(parts):
        if place % 2 == 0:
            pattern += re.escape(part)
        else:
            pattern += f"(?P={part})" if part in seen else f"(?P<{part}>.+?)"
            seen.add(part)
    return re.compile(pattern)
