"""The cards of a save as the mod would tell them, and what only the save tells of them: exact numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from jimbo.engine import PublicJoker, Run
from jimbo.engine.catalog import CONSUMABLES, ENHANCEMENTS, HANDS, JOKERS
from jimbo.text.spellings import EDITION_WORDS, SEAL_WORDS, fold
from jimbo.wire.codec.marks import BASE, COUNTING, FRONT, GROWING
from jimbo.wire.gamestate import Json
from jimbo.wire.saves.table import BadSave, Table, plain

PLAIN_CARD = "c_base"
_COUNTS = {
    "mult": "j_ceremonial j_flash j_green_joker j_popcorn j_red_card j_ride_the_bus j_trousers",
    "extra.chips": "j_castle j_ice_cream j_runner j_square j_wee",
    "extra.dollars": "j_rocket",
    "extra.h_size": "j_turtle_bean",
    "extra": "j_selzer",
    "invis_rounds": "j_invisible",
    "yorick_discards": "j_yorick",
    "hands_played_at_create": "j_loyalty_card",
}
COUNT_NAMES: Mapping[str, str] = {key: name for name, keys in _COUNTS.items() for key in keys.split()}
"""Where the own number of a joker stands in its abilities."""
X_MULT_NAMES: Mapping[str, str] = {"j_caino": "caino_xmult"}
"""Where its multiplier stands, if not under ``x_mult``."""
_SUIT_OF_NOMINAL = {1: "D", 2: "C", 3: "H", 4: "S"}
"""From hundredths of what a suit adds to the value of a card when it is created."""


class SavedCards:
    """Reads cards, and keeps sentences on what the game itself does not have."""

    def __init__(self, notes: list[str], numbers: Mapping[int, int]) -> None:
        """``numbers`` are those of the cards, by the identity of their tables."""
        self._notes, self._numbers = notes, numbers

    def note(self, sentence: str) -> None:
        if sentence not in self._notes:
            self._notes.append(sentence)

    # --- As the mod would tell them -----------------------------------------------------------------------------------

    def playing(self, card: Table, *, in_hand: bool = False) -> Json:
        front = card.table("save_fields").text("card")
        if not FRONT.fullmatch(front):
            raise BadSave(f'"{plain(front)}" is no playing card of the game: it may come from a mod')
        return {
            "id": self._numbers[id(card)],
            "key": front,
            "set": "DEFAULT" if card.table("save_fields").text("center") == PLAIN_CARD else "ENHANCED",
            "modifier": self._marks(card, front),
            "state": {"debuff": card.flag("debuff"), "hidden": in_hand and face_down(card)},
            "value": {"effect": ""},
            "cost": {"buy": card.whole("cost", 0)},
        }

    def others(self, cards: Sequence[Table], known: Mapping[str, Any], where: str) -> list[Json]:
        """Jokers, consumables, vouchers or packs. What the game does not have is left out, and named."""
        told = []
        for card in cards:
            if card.table("save_fields").text("center") in known:
                told.append(self._other(card))
            else:
                self.note(f"{name_of(card)}, {where}, is not of the game itself: the advice leaves it out.")
        return told

    def offers(self, cards: Sequence[Table], where: str) -> list[Json]:
        """Anything that a shop or a pack has."""
        told = []
        for card in cards:
            is_playing = "card" in card.table("save_fields")
            told += [self.playing(card)] if is_playing else self.others([card], {**JOKERS, **CONSUMABLES}, where)
        return told

    def _other(self, card: Table) -> Json:
        key = card.table("save_fields").text("center")
        return {
            "id": self._numbers[id(card)],
            "key": key,
            "set": card.table("ability").text("set", "").upper(),
            "modifier": self._marks(card, key) | _stickers(card),
            "state": {"debuff": card.flag("debuff"), "hidden": face_down(card)},
            "value": {"effect": ""},
            "cost": {"buy": card.whole("cost", 0), "sell": card.whole("sell_cost", 0)},
        }

    def _marks(self, card: Table, key: str) -> Json:
        center = card.table("save_fields").text("center")
        marks: Json = {"edition": self._edition(card, key)}
        if FRONT.fullmatch(key):
            marks["seal"] = self._seal(card, key)
            if center in ENHANCEMENTS:
                marks["enhancement"] = center
            elif center != PLAIN_CARD:
                self._unknown_mark(plain(center), key)
        return {name: mark for name, mark in marks.items() if mark}

    def _edition(self, card: Table, key: str) -> str:
        edition = card.table("edition")
        names = [name for _, name in edition.texts()] + [name for name in edition.names() if edition.flag(name)]
        found = [EDITION_WORDS[fold(name)] for name in names if fold(name) in EDITION_WORDS]
        if names and not found:
            self._unknown_mark(plain(names[0]), key)
        return found[0] if found and found[0] != BASE else ""

    def _seal(self, card: Table, key: str) -> str:
        seal = card.text("seal", "")
        if fold(seal) not in SEAL_WORDS:
            self._unknown_mark(f"{plain(seal)} Seal", key)
        return SEAL_WORDS.get(fold(seal), "")

    def _unknown_mark(self, mark: str, key: str) -> None:
        self.note(f"{mark}, on {key}, is not of the game itself: the advice takes the card for one without it.")

    # --- What only the save tells -------------------------------------------------------------------------------------

    def add_to_joker(self, joker: Json, card: Table, blind: str) -> None:
        """``joker`` as the engine has it; ``blind`` the one in play."""
        key, ability = joker["joker_id"], card.table("ability")
        fresh = _fresh(key)
        joker |= {
            "perishable": ability.flag("perishable"),
            "perish_left": ability.whole("perish_tally", fresh.perish_left) if ability.flag("perishable") else 5,
            "pinned": card.flag("pinned"),
            "sell_bonus": ability.whole("extra_value", 0),
            "debuffed_by_blind": blind == "bl_final_heart" and joker["disabled"] and not _perished(ability),
            "count": fresh.count,
            "x_mult": fresh.x_mult,
        }
        try:
            if key in COUNTING or key == "j_loyalty_card":
                joker["count"] = _number_in(ability, COUNT_NAMES[key])
            elif key == "j_todo_list":
                joker["count"] = HANDS[next(text for name, text in ability.texts() if _is_hand(name, text))].order
            if key in GROWING:
                joker["x_mult"] = ability.number(X_MULT_NAMES.get(key, "x_mult"))
        except (BadSave, StopIteration):
            self.note(
                f"The save does not tell the own number of {JOKERS[key].name}: the advice takes it for a new one."
            )


def add_to_card(laid: Json, card: Table, *, bell: bool, wears: bool, boss: bool) -> None:
    """``laid`` as the engine has it; ``bell``: Cerulean Bell holds a card of the hand up; ``wears``: cards that have
    scored are debuffed for good, and ``boss``: another reason may be the boss in play."""
    ability, base = card.table("ability"), card.table("base")
    laid["bonus"] = ability.whole("perma_bonus", 0)
    nominal = base.number("suit_nominal_original", 0)
    laid["created_suit"] = _SUIT_OF_NOMINAL.get(round(100 * nominal), laid["key"][0])
    there = {
        "played_this_ante": ability.flag("played_this_ante"),
        "worn": wears and card.flag("debuff") and (not boss or base.whole("times_played", 0) > 0),
        "forced": bell and any("forced" in name and ability.flag(name) for name in ability.names()),
    }
    laid["state"] = [name for name in laid["state"] if name not in there] + [name for name, on in there.items() if on]


def name_of(card: Table) -> str:
    """The name that the game shows, and the key: ``Pluto (c_pluto)``."""
    key = plain(card.table("save_fields").text("center", "?"))
    return f"{plain(card.text('label', '') or key)} ({key})"


def face_down(card: Table) -> bool:
    return card.text("facing", "front") == "back"


def _perished(ability: Table) -> bool:
    return ability.flag("perishable") and not ability.whole("perish_tally", 5)


def _stickers(card: Table) -> Json:
    ability = card.table("ability")
    told: Json = {name: True for name in ("eternal", "rental") if ability.flag(name)}
    if ability.flag("perishable"):
        told["perishable"] = max(1, ability.whole("perish_tally", 5))
    return told


def _number_in(ability: Table, path: str) -> int:
    *tables, name = path.split(".")
    for table in tables:
        ability = ability.table(table)
    return ability.whole(name)


def _is_hand(name: str, text: str) -> bool:
    return name != "type" and text in HANDS


@cache
def _fresh(key: str) -> PublicJoker:
    return Run(seed="JIMBO").joker_on_offer(key, BASE, False, False, False)
