"""A run of the engine as a recording of the real game words it.

Every method takes what is stated, which only sets the form of what is found. A list of cards is a list, or the mod's
area: ``{"count", "limit", "cards"}``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from conformance.recorded_cards import card_item
from conformance.recorded_goods import consumable_item, pack_item, voucher_item
from conformance.recorded_items import SKIP, Item, joker_item
from jimbo.engine import PublicCard, PublicHand, PublicOffer, PublicTag, Run
from jimbo.engine.catalog import BOOSTERS, HANDS, TAGS
from jimbo.text.cards import front, full_deck
from jimbo.text.spellings import TAG_WORDS, VOUCHER_WORDS, fold, spelled
from jimbo.wire.codec import open_state
from jimbo.wire.words import PACK_OPENED, SLOTS, STATES, blind_status

Json = dict[str, Any]

PACK_PHASES = {
    "Arcana": "TAROT_PACK",
    "Celestial": "PLANET_PACK",
    "Spectral": "SPECTRAL_PACK",
    "Standard": "STANDARD_PACK",
    "Buffoon": "BUFFOON_PACK",
}
ONE_VOUCHER, TWO_PACKS = 1, 2


class RecordedView:
    def __init__(self, run: Run, *, first_pack_shows: bool = False, skipped: Collection[str] = ()) -> None:
        """``skipped`` are the blinds of the ante that were skipped, which the state does not remember."""
        self.run = run
        self.state: Json = json.loads(run.to_json())
        """For what no player knows: the order of the draw pile, targets of jokers out of sight, what lies face down."""
        self.seen = open_state(run)
        self._first_pack_shows = first_pack_shows
        self._skipped = skipped

    # --- The run ----------------------------------------------------------------------------------------------------

    def phase(self, stated: Any) -> str:
        if self.seen.pack is None:
            return STATES[self.seen.phase]
        return PACK_OPENED if stated == PACK_OPENED else PACK_PHASES[BOOSTERS[self.seen.pack.key].kind]

    def blinds(self, stated: Mapping[str, Any]) -> Json:
        return {slot: self._blind_choice(slot, stated[slot]) for slot in SLOTS if slot in stated}

    def _blind_choice(self, slot: str, stated: Any) -> Any:
        status = blind_status(self.seen, slot, self._skipped)
        if isinstance(stated, str):
            return status
        blind = self.seen.blinds[SLOTS.index(slot)]
        choice = {
            "type": slot.upper(),
            "status": status,
            "score": blind.target,
            "name": blind.name,
            "effect": SKIP,
            "disabled": self.seen.blind.disabled and self.seen.on_deck == slot,
        }
        tag = blind.tag
        return choice | {name: _tag_word(stated.get(name), tag) if tag else "" for name in ("tag", "tag_name")}

    def blind(self, stated: str) -> str:
        """Such as ``big`` or ``boss: The Pillar (600)``, the number being the score to reach."""
        slot = self.seen.on_deck
        text = f"boss: {self.seen.blinds[SLOTS.index(slot)].name}" if slot == "boss" else str(slot)
        target = re.search(r" \(([\d.e+]+)\)$", stated)
        if not target:
            return text
        here = self.seen.blind.target
        return text + (target[0] if float(target[1]) == here else f" ({here:.0f})")

    def tags(self, stated: Any) -> Any:
        """Names, keys, or objects with some of both."""
        return [
            {name: _tag_word(value, tag) for name, value in there.items() if name in ("key", "name")} | {"effect": SKIP}
            if isinstance(there, dict)
            else _tag_word(there, tag)
            for there, tag in _beside(stated, self.seen.tags)
        ]

    def used_vouchers(self, stated: Any) -> Any:
        """A list of keys or names in any order, or the mod's object whose names they are."""
        owned = set(self.seen.vouchers)
        known = [VOUCHER_WORDS.get(fold(word), "") for word in stated]
        if isinstance(stated, dict):
            return stated if set(known) == owned else sorted(owned)
        here = [word if key in owned else None for word, key in zip(stated, known, strict=True)]
        return here + sorted(owned - set(known))

    # --- Cards of all kinds -----------------------------------------------------------------------------------------

    def draw_pile(self) -> list[PublicCard]:
        """The last is drawn next."""
        unseen = {card.id: card for card in self.seen.unseen}
        return [unseen[card["uid"]] for card in self.state["zones"]["deck"]]

    def cards(self, stated: Any, cards: Sequence[PublicCard], limit: int, *, in_pile: bool = False) -> Any:
        return _area(stated, [card_item(card, in_pile=in_pile) for card in cards], limit)

    def debuffed_in_hand(self, stated: Sequence[Any]) -> list[Any]:
        """As fronts or as places."""
        debuffed = {place: front(card) for place, card in enumerate(self.run.hand) if card.debuffed}
        return list(debuffed if all(isinstance(item, int) for item in stated) else debuffed.values())

    def jokers(self, stated: Any) -> Any:
        items = [
            joker_item(joker, self.seen, face_down=lying["face_down"])
            for joker, lying in zip(self.seen.jokers, self.state["jokers"], strict=True)
        ]
        return _area(stated, items, self.joker_limit())

    def joker_limit(self) -> int:
        """With the slots that Negative jokers bring."""
        return self.seen.joker_room + len(self.seen.jokers)

    def consumables(self, stated: Any) -> Any:
        items = [
            consumable_item(item.key, item.edition or "e_base", self.seen, sell=item.sell_value)
            for item in self.seen.consumables
        ]
        return _area(stated, items, self.consumable_limit())

    def consumable_limit(self) -> int:
        return self.seen.consumable_room + len(self.seen.consumables)

    def shop(self, stated: Any) -> Any:
        return _area(stated, [self._offer(offer, offer.price) for offer in self.seen.shop], self.seen.shop_slots)

    def pack(self, stated: Any) -> Any:
        opened = self.seen.pack
        if opened is None:
            return _area(stated, [], 0)
        items = list(map(self._offer, opened.cards, self.run.pack_prices))
        return _area(stated, items, BOOSTERS[opened.key].cards)

    def _offer(self, offer: PublicOffer, price: int) -> Item:
        """As the card would be once it is owned: that has its numbers and what it sells for."""
        if offer.card is not None:
            return card_item(offer.card, price=price)
        owned, edition = self.run.clone(), offer.edition or "e_base"
        if offer.consumable is not None:
            owned.debug_add_consumable(offer.consumable, edition)
            sell = owned.public_state().consumables[-1].sell_value
            return consumable_item(offer.consumable, edition, self.seen, sell=sell, price=price)
        owned.debug_add_joker(str(offer.joker), edition, offer.eternal, offer.perishable, offer.rental)
        return joker_item(owned.public_state().jokers[-1], self.seen, price=price)

    def vouchers(self, stated: Any) -> Any:
        items = [voucher_item(item.key, item.price) for item in self.seen.shop_vouchers]
        return _area(stated, items, max(ONE_VOUCHER, len(items)))

    def packs(self, stated: Any) -> Any:
        packs = [pack_item(item.key, item.price) for item in self.seen.shop_boosters]
        found = _area(stated, packs, TWO_PACKS)
        return without_art(found) if self._first_pack_shows else found

    # --- Poker hands ------------------------------------------------------------------------------------------------

    def hands(self) -> Json:
        return {hand.hand: _hand(hand) for hand in self.seen.hands}

    def deck_composition(self, stated: Any) -> Any:
        """Rows of equal cards in the full deck; each is found by all that it states but the count."""
        rows, cards = [], full_deck(self.seen)
        for row in stated:
            said = {name: value for name, value in row.items() if name != "count"}
            rows.append({**said, "count": sum(_is_like(card, said) for card in cards)})
        missing = len(cards) - sum(row["count"] for row in rows)
        return [*rows, f"{missing} more cards"] if missing else rows


PLAIN = {"enhancement": "", "edition": "", "seal": "", "permanent_bonus": 0}


def _is_like(card: PublicCard, said: Json) -> bool:
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


def _hand(hand: PublicHand) -> Json:
    names = ("level", "chips", "mult", "played", "played_this_round", "visible")
    return {"order": len(HANDS) - HANDS[hand.hand].order} | {name: getattr(hand, name) for name in names}


def _tag_word(stated: Any, tag: PublicTag) -> Any:
    """The wire still has the Speed Tag under its old name."""
    return spelled(stated, TAG_WORDS, tag.key, "Skip Tag" if tag.key == "tag_skip" else TAGS[tag.key].name)


def _beside(stated: Any, items: Sequence[Any]) -> list[tuple[Any, Any]]:
    """Each item with what is stated in its place, None where nothing is."""
    there = list(stated) if isinstance(stated, list) else []
    return list(zip([*there, *(None for _ in range(len(items) - len(there)))], items, strict=False))


def _area(stated: Any, items: Sequence[Item], limit: int) -> Any:
    if isinstance(stated, dict):
        return {"count": len(items), "limit": limit, "cards": _area(stated.get("cards"), items, limit)}
    return [item.found(there) for there, item in _beside(stated, items)]
