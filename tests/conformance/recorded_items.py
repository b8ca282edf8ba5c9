"""Cards of all kinds as a recording words them: what the engine has, in the form of what is stated.

A card is its key, or an object; the mod itself nests some fields (``value``, ``ability``, ``modifier``, ``state``,
``cost``), transcriptions do not. A field that no card has is a difference, except for the few in ``UNCOMPARED``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from conformance.joker_ability import Ability
from jimbo.engine import PublicJoker, PublicState
from jimbo.engine.catalog import JOKERS
from jimbo.text.spellings import edition_word, fold

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
LEVELS = ("value", "ability", "modifier", "state", "cost", "config")
"""Objects inside a card that only group its fields."""
RARITIES = ("Common", "Uncommon", "Rare", "Legendary")

Field = Callable[[Any], Any]
"""From what is stated to what the engine has, in the same form; a tuple stands for several meanings."""


@dataclass(frozen=True, slots=True)
class Item:
    """One card: its key, and how to look up each field."""

    key: str
    fields: Mapping[str, Field]
    others: Callable[[str], tuple[Any, ...]] = lambda name: ()
    """What a field that is not in the list can mean."""

    def found(self, stated: Any) -> Any:
        if not isinstance(stated, dict):
            return self.fields["text"](stated) if "text" in self.fields else self.key
        return {name: self._field(name, value) for name, value in stated.items()}

    def _field(self, name: str, stated: Any) -> Any:
        if name in LEVELS and isinstance(stated, dict | list):
            # The mod writes an empty object as an empty list.
            return self.found(stated) if stated and isinstance(stated, dict) else SKIP
        if name in self.fields:
            return self.fields[name](stated)
        return self.others(name) or UNKNOWN


def meant(found: Any, stated: Any) -> Any:
    """What is found, as the mod would write it; of several meanings (a tuple) the stated one, or else the first."""
    meanings = found if isinstance(found, tuple) else (found,)
    written = [_as_written(meaning, stated) for meaning in meanings]
    return stated if stated in written else written[0]


def _as_written(found: Any, stated: Any) -> Any:
    """The mod keeps 14 digits of a number, so that 1.2000000000000002 is 1.2 in a recording."""
    if isinstance(found, float) and isinstance(stated, int | float) and found != stated:
        return float(f"{found:.14g}")
    return found


def always(value: Any) -> Field:
    return lambda _stated: value


def common(key: str, name: str, kind: str) -> dict[str, Field]:
    def named(stated: Any) -> Any:
        return stated if fold(stated) == fold(name) else name

    return {"key": always(key), "label": named, "name": named, "set": always(kind), "effect": always(SKIP)}


def price_fields(price: int | None, sell: int | None) -> dict[str, Field]:
    """An owned card has no price, and what cannot be owned has no sell value."""
    cost = always(SKIP if price is None else price)
    return {"cost": cost, "buy": cost, "sell": always(SKIP if sell is None else sell)}


def edition_field(key: str) -> dict[str, Field]:
    return {"edition": lambda stated: edition_word(stated, key)}


# --- Jokers -----------------------------------------------------------------------------------------------------------

LEADING = {
    "j_ice_cream": r"(\+)([\d,.]+) Chips",
    "j_popcorn": r"(\+)([\d,.]+) Mult",
    "j_ramen": r"(X)([\d,.]+) Mult",
    "j_turtle_bean": r"(\+)([\d,.]+) hand size",
    "j_rocket": r"(Earn \$)([\d,.]+) at end of round",
    "j_selzer": r"(next )([\d,.]+) hands",
    "j_loyalty_card": r"(\s|^)(\d+) remaining",
}
"""Jokers whose text has its live number in the middle."""
NOW = r"(Currently [+X$]?)([\d,.]*\d)"


def joker_item(joker: PublicJoker, run: PublicState, *, face_down: bool = False, price: int | None = None) -> Item:
    """``joker`` shows its front in any case; ``run`` is what its numbers depend on. One with a price is on offer."""
    ability = Ability(joker, run, on_offer=price is not None)
    key, debuff, hidden = str(joker.key), always(joker.debuffed), always(face_down)
    fields = {
        **common(key, joker.name, "JOKER"),
        **price_fields(price, joker.sell_value),
        **edition_field(joker.edition or "e_base"),
        "effect": lambda stated: _effect(stated, ability),
        "effect_now": lambda stated: _effect(stated, ability),
        "rarity": lambda stated: _rarity(stated, JOKERS[key].rarity),
        "eternal": always(joker.eternal),
        "rental": always(joker.rental),
        "perishable": lambda stated: joker.perishable if isinstance(stated, bool) else _rounds_left(joker),
        "perish_tally": always(joker.perish_left),
        "extra_value": always(joker.sell_bonus),
        "pinned": always(joker.pinned),
        "debuff": debuff,
        "debuffed": debuff,
        "hidden": hidden,
        "face_down": hidden,
        # The mod reads it off the kind of a joker's effect: "DISCARD SIZE".
        "enhancement": always(SKIP),
    }
    return Item(key, fields, ability.meanings)


def _rounds_left(joker: PublicJoker) -> int | None:
    return joker.perish_left if joker.perishable else None


def _rarity(stated: Any, rarity: str) -> Any:
    number = RARITIES.index(rarity) + 1
    return stated if stated == number or fold(stated) == fold(rarity) else number


def _effect(stated: Any, ability: Ability) -> Any:
    """The stated text with the engine's number in it. A text without a number of its own says no more than the key."""
    found = re.search(LEADING.get(str(ability.joker.key), NOW), stated) if isinstance(stated, str) else None
    if not found or ability.number is None:
        return SKIP
    there = float(found[2].replace(",", ""))
    here = _as_written(ability.number, there)
    return stated if there == here else stated[: found.start(2)] + f"{here:g}" + stated[found.end(2) :]
