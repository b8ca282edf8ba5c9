"""Cards of all kinds as a recording words them: the codec's card, in the form of what is stated.

A card is its key, or an object; the mod itself nests some fields (``value``, ``ability``, ``modifier``, ``state``,
``cost``), transcriptions do not. A field that no card has is a difference, except for the few in ``UNCOMPARED``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from jimbo.engine import PublicJoker
from jimbo.engine.catalog import BOOSTERS, CONSUMABLES, ENHANCEMENTS, HANDS, JOKERS, fact
from jimbo.text.cards import SUIT_NAMES
from jimbo.text.spellings import (
    EDITION_WORDS,
    ENHANCEMENT_WORDS,
    RANK_WORDS,
    SEAL_WORDS,
    SUIT_WORDS,
    Spellings,
    fold,
)
from jimbo.wire.codec.marks import edition, effect, modifiers, permanent_bonus
from jimbo.wire.gamestate import Json, as_object, word
from jimbo.wire.tooltips import number, read

UNKNOWN = "nothing: this field is not known"
UNCOMPARED = {
    "note": "a remark of the transcriber",
    "id": "numbered by the program's run, not by the game's",
    "highlight": "what the mouse has picked up",
    "highlighted_limit": "how many cards the mouse may pick up",
    "example": "the picture beside a poker hand",
    "tag_effect": "the text of a tag, which its name says already",
    "poker_hand_iteration_order": "the order of a table that has none",
}
"""Fields without a counterpart in the engine, and what they are."""
SKIP = object()
"""Stands for "not to be compared" where that depends on more than the name."""
LEVELS = ("value", "ability", "modifier", "state", "cost", "config", "extra")
"""Objects inside a card that only group its fields."""
RARITIES = ("Common", "Uncommon", "Rare", "Legendary")
SPELLINGS = {"seal": SEAL_WORDS, "enhancement": ENHANCEMENT_WORDS, "rank": RANK_WORDS, "suit": SUIT_WORDS}
SEPARATORS = re.compile(r"[:/|*#+,]")
KINDS = {"JOKER": "jokers", "VOUCHER": "vouchers", "BOOSTER": "packs"}

Field = Callable[[Any], Any]
"""From what is stated to what the engine has, in the same form."""


def meant(found: Any, stated: Any) -> Any:
    """What is found, as the mod would write it: with 14 digits, so that 1.2000000000000002 is 1.2 in a recording."""
    if isinstance(found, float) and isinstance(stated, int | float) and found != stated:
        return float(number(found))
    return found


class Item:
    """One card as the codec writes it."""

    def __init__(
        self, card: Json, joker: PublicJoker | None = None, tallies: Json | None = None, *, in_pile: bool = False
    ) -> None:
        """``joker`` and ``tallies`` are what the engine knows of a joker beyond that. ``in_pile`` for the draw pile:
        its cards' fronts may be all that was read."""
        self.key = str(card["key"])
        self._card, self._joker, self._in_pile = card, joker, in_pile
        self._playing = "suit" in card["value"]
        self._fields = self._all_fields(card) | {name: _always(value) for name, value in (tallies or {}).items()}
        self._text = read(*self._tooltip, effect(card))

    @property
    def _tooltip(self) -> tuple[str, str]:
        """Under which the mod's text of this card is kept; a playing card has none."""
        planet = self.key in CONSUMABLES and CONSUMABLES[self.key].hand
        return KINDS.get(self._card["set"], "consumables"), "planet" if planet else self.key

    def found(self, stated: Any) -> Any:
        """In the form of what is stated, which is a key, a text or an object."""
        if not isinstance(stated, dict):
            return self._in_a_word(stated) if self._playing else self.key
        return {name: self._field(name, value) for name, value in stated.items()}

    def _field(self, name: str, stated: Any) -> Any:
        if name in LEVELS and isinstance(stated, dict | list):
            # The mod writes an empty object as an empty list.
            return self.found(stated) if stated and isinstance(stated, dict) else SKIP
        if name in ("effect", "effect_now"):
            return self._effect(stated)
        if name in self._fields:
            return self._fields[name](stated)
        return self._ability(name, stated)

    def _all_fields(self, card: Json) -> dict[str, Field]:
        marks, lying, cost = as_object(card["modifier"]), as_object(card["state"]), card["cost"]
        label, rounds = card["label"], marks.get("perishable")
        fields = {
            **{name: _always(card[name]) for name in ("key", "set")},
            **{name: _alike(label) for name in ("label", "name")},
            **{name: _always(marks.get(name, False)) for name in ("eternal", "rental")},
            **dict.fromkeys(("debuff", "debuffed"), _always(lying.get("debuff", False))),
            **dict.fromkeys(("hidden", "face_down"), _always(lying.get("hidden", False))),
            **dict.fromkeys(("cost", "buy"), _always(cost["buy"])),
            "sell": _always(cost["sell"]),
            "perishable": lambda stated: bool(rounds) if isinstance(stated, bool) else rounds,
            "edition": lambda stated: edition_word(stated, edition(card)),
            # The mod reads it off the kind of a card's effect: "DISCARD SIZE".
            "enhancement": _always(SKIP),
        }
        if self._playing:
            said = {**marks, **card["value"]}
            fields |= {name: _spelled(words, said.get(name)) for name, words in SPELLINGS.items()}
            fields |= dict.fromkeys(("perma_bonus", "permanent_bonus"), _always(permanent_bonus(card)))
        elif self.key in CONSUMABLES:
            item = CONSUMABLES[self.key]
            fields |= {"max_highlighted": _always(item.max_targets), "min_highlighted": _always(item.min_targets)}
            fields |= {"softlock": _always(item.softlocked)}
            fields |= dict.fromkeys(("poker_hand", "hand_type"), _always(item.hand)) if item.hand else {}
        elif self.key in BOOSTERS:
            fields |= {"extra": _always(BOOSTERS[self.key].cards), "choose": _always(BOOSTERS[self.key].picks)}
        elif self._joker:
            joker = self._joker
            fields |= {"extra_value": _always(joker.sell_bonus), "perish_tally": _always(joker.perish_left)}
            fields |= {"pinned": _always(joker.pinned), "rarity": _rarity(JOKERS[self.key].rarity)}
        return fields

    # --- Texts --------------------------------------------------------------------------------------------------------

    def _effect(self, stated: Any) -> Any:
        """The stated text if its live numbers are ours. A text without any says no more than the key."""
        if not isinstance(stated, str):
            return SKIP
        if self._playing:
            return self._more_chips(stated)
        there = read(*self._tooltip, stated)
        if not there:
            return SKIP
        same = all(_plain(value) == _plain(self._text.get(name)) for name, value in there.items())
        return stated if same else effect(self._card)

    def _more_chips(self, stated: str) -> Any:
        """Of all that a playing card's text says, only what Hiker has added is a number of the card's own."""
        there = re.search(r"\+(\d+) extra chips", stated)
        here = re.search(r"\+(\d+) extra chips", effect(self._card))
        return SKIP if not there else stated if here and here[1] == there[1] else effect(self._card)

    def _in_a_word(self, stated: Any) -> Any:
        """Such as ``S_6:GOLD``: the stated text where all of its words are true. Enhancements are always written, other
        marks not."""
        key, *words = SEPARATORS.split(stated) if isinstance(stated, str) else [""]
        marks, lying, bonus = modifiers(self._card), as_object(self._card["state"]), permanent_bonus(self._card)
        others = {str(bonus): bool(bonus), **{name: lying.get(name) for name in ("debuff", "hidden")}}

        def is_true(text: str) -> bool:
            named = [spellings.get(fold(text)) for spellings in (ENHANCEMENT_WORDS, EDITION_WORDS, SEAL_WORDS)]
            return any(mark in marks for mark in named) or bool(others.get(fold(text).removesuffix("ed")))

        written = words or self._in_pile or not ENHANCEMENTS.keys() & set(marks)
        if key == self.key and written and all(map(is_true, words)):
            return stated
        return ":".join([self.key, *map(word, marks)])

    # --- What the game keeps on a card, its "ability" -----------------------------------------------------------------

    def _ability(self, name: str, stated: Any) -> Any:
        """A live number is the one in the codec's text; a constant must stand in the sentence of the engine's rule."""
        found = self._live(name) or _constants(self._rule(), fold(name), is_joker=self.key in JOKERS)
        found += [UNRULED[self.key, name]] if (self.key, name) in UNRULED else []
        return stated if stated in found else next(iter(found), UNKNOWN)

    def _live(self, name: str) -> list[Any]:
        wanted = fold(LIVE.get((self.key, name)) or LIVE.get(name, name))
        return [_plain(value) for other, value in self._text.items() if fold(other) == wanted != "odds"]

    def _rule(self) -> str:
        if not self._playing:
            return fact(self.key).text
        return "".join(ENHANCEMENTS[mark].text for mark in modifiers(self._card) if mark in ENHANCEMENTS)


LIVE: Mapping[Any, str] = {
    "caino_xmult": "x_mult",
    "h_size": "hand_size",
    "invis_rounds": "rounds_done",
    "yorick_discards": "cards_to_go",
    "loyalty_remaining": "hands_to_go",
    "to_do_poker_hand": "poker_hand",
    "nine_tally": "dollars",
    "driver_tally": "cards_found",
    ("j_selzer", "extra"): "hands_left",
}
"""What the codec's texts call a live number, where the game has another name for it."""
UNRULED: Mapping[tuple[str, str], Any] = {
    ("j_loyalty_card", "every"): 5,
    ("j_loyalty_card", "remaining"): "5 remaining",
    ("j_todo_list", "poker_hand"): "High Card",
    ("j_burnt", "extra"): 4,
    ("j_bootstraps", "mult"): 2,
    ("c_strength", "mod_conv"): "up_rank",
    ("c_death", "mod_conv"): "card",
}
"""Constants of the game that no rule speaks of in these words, or that have the name of a live number."""
_NUMBER = r"(-?\d+(?:\.\d+)?)"
_SHAPES: Mapping[str, str] = {
    "xmult hxmult": rf"X{_NUMBER}",
    "mult tmult smult hmult": rf"\+{_NUMBER} Mult",
    "chips tchips bonus": rf"\+{_NUMBER} Chips",
    "dollars hdollars pdollars": rf"\${_NUMBER}",
    "odds": rf"1 in {_NUMBER}",
    "hsize": rf"{_NUMBER} hand size",
    "dsize dremaining": rf"{_NUMBER} discard",
    "extra chipmod every max min size faces discardsub handadd increase hmod hplays discards planets tarots": _NUMBER,
    "type pokerhand": "({})".format("|".join(sorted(HANDS, key=len, reverse=True))),
    "suit suitconv": "({})".format("|".join(name[:-1] for name in SUIT_NAMES.values())),
    "modconv": "({})".format("|".join(enhancement.word for enhancement in ENHANCEMENTS.values())),
    "removecard": "(Destroys)",
}
"""How the engine's sentence of a rule writes the constants of these names, which are folded."""
CONSTANTS = {name: shape for names, shape in _SHAPES.items() for name in names.split()}
_ZERO = "mult tmult hmult hxmult chips tchips bonus hdollars pdollars hsize dsize dremaining"
RESTING = {"xmult": 1, "extra": 1, "type": ""} | dict.fromkeys(_ZERO.split(), 0)
"""What a card has where its rule says nothing of it."""
_AS_WRITTEN: Mapping[str, Mapping[str, Any]] = {
    "suit": {name[:-1]: name for name in SUIT_NAMES.values()},
    "suitconv": {name[:-1]: name for name in SUIT_NAMES.values()},
    "modconv": {enhancement.word: key for key, enhancement in ENHANCEMENTS.items()},
    "removecard": {"Destroys": True},
}


def _constants(rule: str, name: str, *, is_joker: bool) -> list[Any]:
    """What a constant of this name can be. A joker may keep it elsewhere, and here what other cards have."""
    if name not in CONSTANTS:
        return []
    said = re.findall(CONSTANTS[name], rule)
    named = _AS_WRITTEN.get(name, {})
    found = [named.get(word) or _plain(word) for word in said]
    # A rule says -1 hand size where the game keeps a 1, and the other way round.
    found += [-value for value in found if name in ("hsize", "hplays") and isinstance(value, float)]
    return [*found, RESTING[name]] if name in RESTING and (is_joker or not found) else found


def _plain(value: Any) -> Any:
    """A number where a text is one or begins with one, as ``5 remaining``; none remain where it is active."""
    if value == "Active!":
        return 0.0
    found = re.match(r"-?[\d.]*\d", value) if isinstance(value, str) else None
    return float(found[0]) if found else value


def _always(value: Any) -> Field:
    return lambda _stated: value


def _alike(name: str) -> Field:
    return lambda stated: stated if fold(stated) == fold(name) else name


def _spelled(words: Mapping[str, str], own: Any) -> Field:
    return lambda stated: spelled(stated, words, words.get(fold(own or ""), ""), own or "NONE")


def _rarity(rarity: str) -> Field:
    place = RARITIES.index(rarity) + 1
    return lambda stated: stated if stated == place or fold(stated) == fold(rarity) else place


def spelled(stated: Any, spellings: Spellings, key: str, word: str) -> Any:
    """What is stated if that is a spelling of the key; otherwise the usual word for it."""
    return stated if spellings.get(fold("" if stated is None else stated)) == key else word


def edition_word(stated: Any, key: str) -> Any:
    """An edition is a word, or the game's own object such as ``{"type": "holo", "holo": true}``."""
    word = key.removeprefix("e_").upper()
    if isinstance(stated, dict):
        named = stated.get("type") or stated.get("key") or next((name for name, on in stated.items() if on is True), "")
        return stated if spelled(named, EDITION_WORDS, key, "") == named else word
    return spelled(stated, EDITION_WORDS, key, word)
