"""A run of the engine as a recording of the real game words it.

Every method takes what is stated, which only tells the form of what is found. A list of cards is a list, or the mod's
area: ``{"count", "limit", "cards"}``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from jimbo.engine import Run
from jimbo.engine.catalog import BLINDS, BOOSTERS, HANDS, TAGS
from jimbo.engine.run_view import CardView, view
from jimbo.verify.recorded_cards import card_item
from jimbo.verify.recorded_goods import consumable_item, pack_item, voucher_item
from jimbo.verify.recorded_items import SKIP, Item, joker_item
from jimbo.verify.recorded_words import TAG_WORDS, VOUCHER_WORDS, fold, spelled

Json = dict[str, Any]

PHASES = {
    "blind_select": "BLIND_SELECT",
    "selecting_hand": "SELECTING_HAND",
    "round_eval": "ROUND_EVAL",
    "shop": "SHOP",
    "game_over": "GAME_OVER",
}
PACK_PHASES = {
    "Arcana": "TAROT_PACK",
    "Celestial": "PLANET_PACK",
    "Spectral": "SPECTRAL_PACK",
    "Standard": "STANDARD_PACK",
    "Buffoon": "BUFFOON_PACK",
}
ANY_PACK = "SMODS_BOOSTER_OPENED"
SLOTS = ("small", "big", "boss")
ONE_VOUCHER, TWO_PACKS = 1, 2


class RecordedView:
    def __init__(self, run: Run, *, first_pack_shows: bool = False, skipped: Collection[str] = ()) -> None:
        """``skipped`` are the blinds of the ante that were skipped, which the state does not remember."""
        self.run = run
        self.state: Json = json.loads(run.to_json())
        self.seen = view(run)
        self._first_pack_shows = first_pack_shows
        self._skipped = skipped

    # --- The run ----------------------------------------------------------------------------------------------------

    def phase(self, stated: Any) -> str:
        if self.state["phase"] != "pack_opening":
            return PHASES[self.state["phase"]]
        return ANY_PACK if stated == ANY_PACK else PACK_PHASES[BOOSTERS[self.state["pack"]["key"]].kind]

    def blinds(self, stated: Mapping[str, Any]) -> Json:
        return {slot: self._blind_choice(slot, stated[slot]) for slot in SLOTS if slot in stated}

    def _blind_choice(self, slot: str, stated: Any) -> Any:
        status = self._status(slot)
        if isinstance(stated, str):
            return status
        choice = {
            "type": slot.upper(),
            "status": status,
            "score": self.run.blind_target(slot),
            "name": BLINDS[self._blind_of(slot)].name,
            "effect": SKIP,
            "disabled": self.state["round"]["blind"]["disabled"] and self.state["round"]["on_deck"] == slot,
        }
        tag = self.state["round"]["skip_tags"].get(slot)
        return choice | {name: _tag_word(stated.get(name), tag) if tag else "" for name in ("tag", "tag_name")}

    def _blind_of(self, slot: str) -> str:
        return str(self.state["round"]["boss"]) if slot == "boss" else f"bl_{slot}"

    def _status(self, slot: str) -> str:
        place, now = SLOTS.index(slot), SLOTS.index(self.state["round"]["on_deck"])
        phase = self.state["phase"]
        if phase == "pack_opening":
            phase = self.state["pack"]["opened_from"]
        # The boss is beaten and the next ante's blinds are not up yet.
        ante_is_over = phase == "round_eval" and now == 0
        if ante_is_over or place < now:
            return "SKIPPED" if slot in self._skipped else "DEFEATED"
        if place > now:
            return "UPCOMING"
        return {"blind_select": "SELECT", "selecting_hand": "CURRENT", "game_over": "CURRENT"}.get(phase, "UPCOMING")

    def blind(self, stated: str) -> str:
        """Such as ``big`` or ``boss: The Pillar (600)``, the number being the score to reach."""
        slot = self.state["round"]["on_deck"]
        text = f"boss: {BLINDS[self._blind_of(slot)].name}" if slot == "boss" else slot
        target = re.search(r" \(([\d.e+]+)\)$", stated)
        if not target:
            return text
        return text + (target[0] if float(target[1]) == self.run.target else f" ({self.run.target:.0f})")

    def tags(self, stated: Any) -> Any:
        """Names, keys, or objects with some of both."""
        return [
            {name: _tag_word(value, tag) for name, value in there.items() if name in ("key", "name")} | {"effect": SKIP}
            if isinstance(there, dict)
            else _tag_word(there, tag)
            for there, tag in _beside(stated, self.state["tags"])
        ]

    def used_vouchers(self, stated: Any) -> Any:
        """A list of keys or names in any order, or the mod's object whose names they are."""
        owned = set(self.state["vouchers"])
        known = [VOUCHER_WORDS.get(fold(word), "") for word in stated]
        if isinstance(stated, dict):
            return stated if set(known) == owned else sorted(owned)
        here = [word if key in owned else None for word, key in zip(stated, known, strict=True)]
        return here + sorted(owned - set(known))

    # --- Cards of all kinds -----------------------------------------------------------------------------------------

    def cards(self, stated: Any, cards: Sequence[CardView], limit: int, *, in_pile: bool = False) -> Any:
        return _area(stated, [card_item(card, in_pile=in_pile) for card in cards], limit)

    def debuffed_in_hand(self, stated: Sequence[Any]) -> list[Any]:
        """As fronts or as places."""
        places = [i for i, card in enumerate(self.seen.hand) if card.debuffed]
        return places if all(isinstance(item, int) for item in stated) else [self.seen.hand[i].key for i in places]

    def jokers(self, stated: Any) -> Any:
        items = [
            joker_item(joker, shown, self.seen)
            for joker, shown in zip(self.state["jokers"], self.seen.jokers, strict=True)
        ]
        return _area(stated, items, self.seen.joker_slots)

    def consumables(self, stated: Any) -> Any:
        items = [
            consumable_item(item.key, item.edition or "e_base", self.seen, sell=item.sell_value)
            for item in self.seen.consumables
        ]
        return _area(stated, items, self.seen.consumable_slots)

    def shop(self, stated: Any) -> Any:
        offers = [card["offer"] for card in self.state["shop"]["cards"]]
        cards = [item.card for item in self.seen.shop]
        items = list(map(self._offer, offers, cards, self.run.shop_prices))
        return _area(stated, items, self.state["round"]["shop_slots"])

    def pack(self, stated: Any) -> Any:
        opened = self.seen.pack
        if opened is None:
            return _area(stated, [], 0)
        items = list(map(self._offer, self.state["pack"]["cards"], opened.cards, self.run.pack_prices))
        return _area(stated, items, opened.fact.cards)

    def _offer(self, offer: Json, shown: Any, price: int) -> Item:
        """As the card would be once it is owned: that has its numbers and what it sells for."""
        if offer["kind"] == "playing_card":
            return card_item(shown, price=price)
        owned = self.run.clone()
        if offer["kind"] == "consumable":
            owned.debug_add_consumable(shown.key, offer["edition"])
            sell = owned.consumable_sell_values[-1]
            return consumable_item(shown.key, offer["edition"], self.seen, sell=sell, price=price)
        stickers = (offer[name] for name in ("eternal", "perishable", "rental"))
        owned.debug_add_joker(shown.key, offer["edition"], *stickers)
        joker = json.loads(owned.to_json())["jokers"][-1]
        return joker_item(joker, view(owned).jokers[-1], self.seen, price=price)

    def vouchers(self, stated: Any) -> Any:
        items = [voucher_item(item.fact.key, item.price) for item in self.seen.shop_vouchers]
        return _area(stated, items, max(ONE_VOUCHER, len(items)))

    def packs(self, stated: Any) -> Any:
        packs = [pack_item(item.fact.key, item.price) for item in self.seen.boosters]
        found = _area(stated, packs, TWO_PACKS)
        return without_art(found) if self._first_pack_shows else found

    # --- Poker hands ------------------------------------------------------------------------------------------------

    def hands(self) -> Json:
        return {hand: self._hand(hand, stats) for hand, stats in self.state["hands"].items()}

    def _hand(self, hand: str, stats: Json) -> Json:
        shown = next(view for view in self.seen.hands if view.name == hand)
        levels = {"level": shown.level, "chips": shown.chips, "mult": shown.mult}
        return {**stats, **levels, "order": len(HANDS) - HANDS[hand].order, "visible": shown.visible}

    def deck_composition(self, stated: Any) -> Any:
        """Rows of like cards in the full deck; each is found by all that it states but the count."""
        rows = []
        for row in stated:
            said = {name: value for name, value in row.items() if name != "count"}
            like = [card for card in self.seen.cards if _is_like(card, said)]
            rows.append({**said, "count": len(like)})
        missing = len(self.seen.cards) - sum(row["count"] for row in rows)
        return [*rows, f"{missing} more cards"] if missing else rows


PLAIN = {"enhancement": "", "edition": "", "seal": "", "permanent_bonus": 0}


def _is_like(card: CardView, said: Json) -> bool:
    wanted = {**PLAIN, **said}
    return bool(card_item(card).found(wanted) == wanted)


def without_art(packs: Any) -> Any:
    """Without the picture (_1 or _2) of the run's first pack: the game draws it from no seeded stream."""
    if isinstance(packs, dict):
        return {**packs, "cards": without_art(packs.get("cards", []))}
    if not packs:
        return packs
    first, *others = packs
    if isinstance(first, dict):
        return [{**first, "key": str(first.get("key")).rpartition("_")[0]}, *others]
    return [str(first).rpartition("_")[0], *others]


def _tag_word(stated: Any, tag: Json) -> Any:
    """The wire still has the Speed Tag under its old name."""
    key = tag["key"]
    return spelled(stated, TAG_WORDS, key, "Skip Tag" if key == "tag_skip" else TAGS[key].name)


def _beside(stated: Any, items: Sequence[Any]) -> list[tuple[Any, Any]]:
    """Each item with what is stated in its place, None where nothing is."""
    there = list(stated) if isinstance(stated, list) else []
    return list(zip([*there, *(None for _ in range(len(items) - len(there)))], items, strict=False))


def _area(stated: Any, items: Sequence[Item], limit: int) -> Any:
    if isinstance(stated, dict):
        return {"count": len(items), "limit": limit, "cards": _area(stated.get("cards"), items, limit)}
    return [item.found(there) for there, item in _beside(stated, items)]
