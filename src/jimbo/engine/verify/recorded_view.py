"""A run of the engine as a recording of the real game words it, field by field."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jimbo.engine._core import Run
from jimbo.engine.catalog import BLINDS, BOOSTERS, EDITIONS, HANDS, TAGS
from jimbo.engine.verify.names import is_front

Json = dict[str, Any]

PHASES = {
    "blind_select": "BLIND_SELECT",
    "selecting_hand": "SELECTING_HAND",
    "round_eval": "ROUND_EVAL",
    "shop": "SHOP",
    "game_over": "GAME_OVER",
}
PACK_PHASES = {
    "Arcana": "TAROT",
    "Celestial": "PLANET",
    "Spectral": "SPECTRAL",
    "Standard": "STANDARD",
    "Buffoon": "BUFFOON",
}
SLOTS = ("small", "big", "boss")
NOW = re.compile(r"Currently ([+X])[\d.]+")


class RecordedView:
    """``found(name, stated)`` gives what the engine has for one recorded field; ``stated`` only tells its form."""

    def __init__(self, run: Run, *, first_pack_shows: bool) -> None:
        self.run = run
        self.state: Json = json.loads(run.to_json())
        self._first_pack_shows = first_pack_shows

    def found(self, name: str, stated: Any) -> Any:
        return FIELDS[name](self, stated) if name in FIELDS else "nothing: this field is not known"

    # --- The run ----------------------------------------------------------------------------------------------------

    def phase(self) -> str:
        phase: str = self.state["phase"]
        if phase == "pack_opening":
            return f"{PACK_PHASES[BOOSTERS[self.state['pack']['key']].kind]}_PACK"
        return PHASES[phase]

    def blinds(self, stated: Mapping[str, Any]) -> Json:
        return {slot: self._blind_choice(slot, stated[slot]) for slot in SLOTS if slot in stated}

    def _blind_choice(self, slot: str, stated: Any) -> Any:
        status = self._status(slot)
        if isinstance(stated, str):
            return status
        key = self._blind_of(slot)
        choice = {"status": status, "score": self.run.blind_target(slot)}
        if slot == "boss":
            choice["name"] = BLINDS[key].name
        else:
            choice["tag"] = _tag_name(self.state["round"]["skip_tags"][slot])
        return choice

    def _blind_of(self, slot: str) -> str:
        return str(self.state["round"]["boss"]) if slot == "boss" else f"bl_{slot}"

    def _status(self, slot: str) -> str:
        place, now = SLOTS.index(slot), SLOTS.index(self.state["round"]["on_deck"])
        phase = self.state["phase"]
        if phase == "round_eval" and now == 0:
            return "DEFEATED"  # the boss is beaten; the next ante's blinds are not up yet
        if place != now:
            return "DEFEATED" if place < now else "UPCOMING"
        return {"blind_select": "SELECT", "selecting_hand": "CURRENT", "game_over": "CURRENT"}.get(phase, "UPCOMING")

    def blind(self, stated: str) -> str:
        """Such as ``boss: The Pillar (600)``."""
        slot = self.state["round"]["on_deck"]
        text = f"boss: {BLINDS[self._blind_of(slot)].name}" if slot == "boss" else slot
        return f"{text} ({self.run.target:g})" if "(" in stated else text

    # --- Playing cards ----------------------------------------------------------------------------------------------

    def pile(self, zone: str) -> list[str]:
        """Fronts; enhancements were read in the hand and the discard pile only."""
        return [card["key"] for card in self.state["zones"][zone]]

    def cards(self, zone: str) -> list[str]:
        return [":".join([card["key"], *_enhancement(card)]) for card in self.state["zones"][zone]]

    def debuffed_in_hand(self, stated: Sequence[Any]) -> list[Any]:
        """As fronts or as places."""
        hand = self.state["zones"]["hand"]
        places = [i for i, card in enumerate(hand) if "debuffed" in card["state"]]
        return places if all(isinstance(item, int) for item in stated) else [hand[i]["key"] for i in places]

    # --- Jokers, consumables, shop ----------------------------------------------------------------------------------

    def jokers(self, stated: Sequence[Any]) -> list[Any]:
        return [
            self._joker(joker, fields) | {"sell": value} if isinstance(fields, dict) else joker["joker_id"]
            for joker, value, fields in _beside(self.state["jokers"], self.run.joker_sell_values, stated)
        ]

    def _joker(self, joker: Json, stated: Json) -> Json:
        found = {"key": joker["joker_id"], "x_mult": joker["x_mult"], "mult": joker["count"]}
        found["edition"] = _edition(joker)
        for name in ("effect", "effect_now"):
            if now := NOW.search(stated.get(name, "")):
                found[name] = stated[name].replace(now[0], f"Currently {now[1]}{self._shown(joker, now[1]):g}")
        return found

    def _shown(self, joker: Json, sign: str) -> float:
        """The number that the joker's text shows now."""
        if joker["joker_id"] == "j_blue_joker":
            return float(2 * len(self.state["zones"]["deck"]))
        if joker["joker_id"] == "j_abstract":
            return float(3 * len(self.state["jokers"]))
        return float(joker["x_mult"] if sign == "X" else joker["count"])

    def consumables(self, stated: Sequence[Any]) -> list[Any]:
        return [
            {"key": item["key"], "edition": _edition(item), "sell": value} if isinstance(fields, dict) else item["key"]
            for item, value, fields in _beside(self.state["consumables"], self.run.consumable_sell_values, stated)
        ]

    def offers(self, offers: Sequence[Json], price: Mapping[str, Sequence[int]], stated: Sequence[Any]) -> list[Any]:
        ((name, prices),) = price.items()
        return [
            self._offer(offer, fields) | {name: number} if isinstance(fields, dict) else _key_of(offer)
            for offer, number, fields in _beside(offers, prices, stated)
        ]

    def _offer(self, offer: Json, stated: Json) -> Json:
        """As the card would be once it is owned: that has its numbers and what it sells for."""
        key = _key_of(offer)
        if is_front(key):
            return {"key": key}
        owned = self.run.clone()
        if offer["kind"] == "joker":
            owned.debug_add_joker(key, offer["edition"])
            joker = json.loads(owned.to_json())["jokers"][-1]
            return self._joker(joker, stated) | {"sell": owned.joker_sell_values[-1]}
        owned.debug_add_consumable(key, offer["edition"])
        return {"key": key, "edition": _edition(offer), "sell": owned.consumable_sell_values[-1]}

    def shop(self, stated: Sequence[Any]) -> list[Any]:
        cards = [card["offer"] for card in self.state["shop"]["cards"]]
        return self.offers(cards, {"cost": self.run.shop_prices}, stated)

    def pack(self, stated: Sequence[Any]) -> list[Any]:
        return self.offers(self.state["pack"]["cards"], {"buy": self.run.pack_prices}, stated)

    def vouchers(self) -> list[Json]:
        return _priced(self.state["shop"]["vouchers"], self.run.voucher_prices)

    def packs(self) -> list[Json]:
        packs = _priced(self.state["shop"]["boosters"], self.run.booster_prices)
        return without_art(packs) if self._first_pack_shows else packs

    # --- Poker hands ------------------------------------------------------------------------------------------------

    def hand_levels(self) -> Json:
        return {hand: _level(hand, stats["level"]) for hand, stats in self.state["hands"].items()}

    def hands_played(self) -> Json:
        return {hand: stats["played"] for hand, stats in self.state["hands"].items()}


def without_art(packs: Sequence[Json]) -> list[Json]:
    """Without the picture (_1 or _2) of the run's first pack: the game draws it from no seeded stream."""
    packs = [dict(pack) for pack in packs]
    for pack in packs[:1]:
        pack["key"] = pack["key"].rpartition("_")[0]
    return packs


def _priced(items: Sequence[Json], prices: Sequence[int]) -> list[Json]:
    return [{"key": item["key"], "cost": price} for item, price in zip(items, prices, strict=True)]


def _tag_name(tag: Json) -> str:
    """The wire still has the Speed Tag under its old name."""
    return "Skip Tag" if tag["key"] == "tag_skip" else TAGS[tag["key"]].name


def _edition(item: Json) -> str:
    return EDITIONS[item["edition"]].name.upper()


def _enhancement(card: Json) -> list[str]:
    return [key.removeprefix("m_").upper() for key in card["modifier"] if key.startswith("m_")]


def _key_of(offer: Json) -> str:
    return str(offer["card"]["key"] if offer["kind"] == "playing_card" else offer[offer["kind"]])


def _level(hand: str, level: int) -> Json:
    fact = HANDS[hand]
    chips, mult = (fact.chips + fact.chips_per_level * (level - 1), fact.mult + fact.mult_per_level * (level - 1))
    return {"level": level, "chips": chips, "mult": mult}


def _beside(items: Sequence[Json], numbers: Sequence[int], stated: Sequence[Any]) -> list[tuple[Json, int, Any]]:
    """Each item with its price and what is stated in its place, if anything is."""
    padded = [*stated, *({} for _ in range(len(items) - len(stated)))]
    return list(zip(items, numbers, padded, strict=False))


Field = Callable[[RecordedView, Any], Any]


def _at(*path: str) -> Field:
    def look_up(view: RecordedView, _stated: Any) -> Any:
        value: Any = view.state
        for name in path:
            value = value[name]
        return value

    return look_up


FIELDS: dict[str, Field] = {
    "phase": lambda view, _: view.phase(),
    "ante": _at("round", "ante"),
    "round": _at("round", "round_num"),
    "money": _at("economy", "money"),
    "chips": _at("score", "chips"),
    "hands_left": _at("round", "hands_left"),
    "discards_left": _at("round", "discards_left"),
    "reroll_cost": lambda view, _: view.run.reroll_price,
    "ancient_suit": _at("targets", "ancient_suit"),
    "blinds": RecordedView.blinds,
    "blind": RecordedView.blind,
    "hand": lambda view, _: view.cards("hand"),
    "deck_order": lambda view, _: view.pile("deck"),
    "deck_count": lambda view, _: len(view.pile("deck")),
    "discard_pile": lambda view, _: view.cards("discard"),
    "debuffed_in_hand": RecordedView.debuffed_in_hand,
    "jokers": RecordedView.jokers,
    "consumables": RecordedView.consumables,
    "tags": lambda view, _: [_tag_name(tag) for tag in view.state["tags"]],
    "shop": RecordedView.shop,
    "vouchers": lambda view, _: view.vouchers(),
    "packs": lambda view, _: view.packs(),
    "pack": RecordedView.pack,
    "pack_choices_remaining": _at("pack", "picks_left"),
    "hand_type_played": _at("score", "last_hand"),
    "hands_played_counts": lambda view, _: view.hands_played(),
    "hand_levels": lambda view, _: view.hand_levels(),
    "most_played_poker_hand": _at("round", "most_played"),
    "last_tarot_planet": _at("memory", "last_used"),
    "won": _at("flags", "won"),
}
