"""A run of the engine in the words of a recording: the codec's gamestate, and what only the engine knows.

Transcriptions and the mod's own states name the same fields differently. Each is looked up with what is stated, which
only sets the form of what is found. A list of cards is a list, or the mod's area: ``{"count", "limit", "cards"}``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from conformance.recorded_items import SKIP, UNKNOWN, Item, spelled
from jimbo.engine import PublicCard, Run
from jimbo.engine.catalog import BOOSTERS
from jimbo.text.cards import front, full_deck
from jimbo.text.spellings import RANK_WORDS, SUIT_WORDS, TAG_WORDS, VOUCHER_WORDS, fold
from jimbo.wire.codec.write import Memory, gamestate, open_state
from jimbo.wire.codec.written_cards import Cards
from jimbo.wire.gamestate import PACK_OPENED, SLOTS, TAG_NAMES, Json, cards_of

PACK_PHASES = {
    "Arcana": "TAROT_PACK",
    "Celestial": "PLANET_PACK",
    "Spectral": "SPECTRAL_PACK",
    "Standard": "STANDARD_PACK",
    "Buffoon": "BUFFOON_PACK",
}
"""What the game itself calls open packs."""
DISCARD_LIMIT = 500
"""What the mod says of the discard pile, however big the deck."""
PLAIN = {"enhancement": "", "edition": "", "seal": "", "permanent_bonus": 0}
TALLIED = {"steel_tally": "m_steel", "stone_tally": "m_stone"}


class Recorded:
    def __init__(self, run: Run, memory: Memory | None = None, *, first_pack_shows: bool = False) -> None:
        """``memory`` is of the run up to now. The art of a run's first pack is left out while that pack shows."""
        memory = memory or Memory()
        self.run, self.seen = run, open_state(run)
        self.written = gamestate(run, memory)
        self.targets = run.to_data()["targets"]
        """For those of jokers out of sight."""
        self._first_pack_shows = first_pack_shows
        self._cards = Cards(run, self.seen, memory.first_id, {})

    def found(self, name: str, stated: Any) -> Any:
        """What there is for one recorded field, in the form of what is stated."""
        if name in FIELDS:
            return FIELDS[name](self, stated)
        name = ALSO_CALLED.get(name, name)
        if name == "round" and not isinstance(stated, dict):
            return self.written["round_num"]
        for part in (self.written, self.written["round"], self.seen):
            value = part.get(name, UNKNOWN) if isinstance(part, dict) else getattr(part, name, UNKNOWN)
            if value is not UNKNOWN:
                return (
                    {inner: self.found(inner, there) for inner, there in stated.items()} if name == "round" else value
                )
        return UNKNOWN

    def phase(self, stated: Any) -> str:
        if self.seen.pack and stated != PACK_OPENED:
            return PACK_PHASES[BOOSTERS[self.seen.pack.key].kind]
        return str(self.written["state"])

    # --- Blinds, tags, vouchers ---------------------------------------------------------------------------------------

    def blinds(self, stated: Mapping[str, Any]) -> Json:
        return {slot: self._blind_choice(slot, stated[slot]) for slot in SLOTS if slot in stated}

    def _blind_choice(self, slot: str, stated: Any) -> Any:
        written = self.written["blinds"][slot]
        if isinstance(stated, str):
            return written["status"]
        disabled = self.seen.blind.disabled and self.seen.on_deck == slot
        tag = self.seen.blinds[SLOTS.index(slot)].tag
        names = {name: _tag_word(stated.get(name), tag.key) if tag else "" for name in ("tag", "tag_name")}
        return written | {"effect": SKIP, "disabled": disabled} | names

    def blind(self, stated: str) -> str:
        """Such as ``big`` or ``boss: The Pillar (600)``, the number being the score to reach."""
        slot = str(self.seen.on_deck)
        text = f"boss: {self.written['blinds'][slot]['name']}" if slot == "boss" else slot
        target = re.search(r" \(([\d.e+]+)\)$", stated)
        if not target:
            return text
        here = self.seen.blind.target
        return text + (target[0] if float(target[1]) == here else f" ({here:.0f})")

    def tags(self, stated: Any) -> Any:
        """Names, keys, or objects with some of both."""
        return [
            {name: _tag_word(value, tag.key) for name, value in there.items() if name in ("key", "name")}
            | {"effect": SKIP}
            if isinstance(there, dict)
            else _tag_word(there, tag.key)
            for there, tag in _paired(stated, self.seen.tags)
        ]

    def used_vouchers(self, stated: Any) -> Any:
        """A list of keys or names in any order, or the mod's object whose names they are."""
        owned = set(self.seen.vouchers)
        known = [VOUCHER_WORDS.get(fold(word), "") for word in stated]
        if isinstance(stated, dict):
            return stated if set(known) == owned else sorted(owned)
        here = [word if key in owned else None for word, key in zip(stated, known, strict=True)]
        return here + sorted(owned - set(known))

    # --- Cards --------------------------------------------------------------------------------------------------------

    def area(self, name: str, stated: Any) -> Any:
        area = self.written.get(name, {})
        items = [self._item(name, place, card) for place, card in enumerate(cards_of(self.written, name))]
        found = _listed(stated, items, area.get("limit", 0))
        return without_art(found) if name == "packs" and self._first_pack_shows else found

    def _item(self, area: str, place: int, card: Json) -> Item:
        if card["set"] != "JOKER":
            return Item(card, in_pile=area == "cards")
        tallies = {name: sum(held.enhancement == key for held in full_deck(self.seen)) for name, key in TALLIED.items()}
        if area == "jokers":
            return Item(card, self.seen.jokers[place], tallies)
        offers = self.seen.pack.cards if area == "pack" and self.seen.pack else self.seen.shop
        offer = offers[place]
        stickers = (offer.eternal, offer.perishable, offer.rental)
        return Item(card, self.run.joker_on_offer(card["key"], offer.edition or "e_base", *stickers), tallies)

    def _playing(self, cards: Sequence[PublicCard]) -> list[Item]:
        return [Item(json.loads(self._cards.playing(card))) for card in cards]

    def discard_pile(self, stated: Any) -> Any:
        return _listed(stated, self._playing(self.seen.discarded), DISCARD_LIMIT)

    def debuffed_in_hand(self, stated: Sequence[Any]) -> list[Any]:
        """As fronts or as places."""
        debuffed = {place: front(card) for place, card in enumerate(self.run.hand) if card.debuffed}
        return list(debuffed if all(isinstance(item, int) for item in stated) else debuffed.values())

    def deck_composition(self, stated: Any) -> Any:
        """Rows of equal cards in the full deck; each is found by all that it states but the count."""
        rows, items = [], self._playing(full_deck(self.seen))
        for row in stated:
            said = {name: value for name, value in row.items() if name != "count"}
            wanted = {**PLAIN, **said}
            rows.append({**said, "count": sum(item.found(wanted) == wanted for item in items)})
        missing = len(items) - sum(row["count"] for row in rows)
        return [*rows, f"{missing} more cards"] if missing else rows

    def hands(self, stated: Any) -> Json:
        visible = {hand.hand: hand.visible for hand in self.seen.hands}
        return {name: hand | {"visible": visible[name]} for name, hand in self.written["hands"].items()}


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


def _tag_word(stated: Any, key: str) -> Any:
    return spelled(stated, TAG_WORDS, key, TAG_NAMES[key])


def _paired(stated: Any, items: Sequence[Any]) -> list[tuple[Any, Any]]:
    """Each item with what is stated in its place, None where nothing is."""
    there = list(stated) if isinstance(stated, list) else []
    return list(zip([*there, *(None for _ in range(len(items) - len(there)))], items, strict=False))


def _listed(stated: Any, items: Sequence[Item], limit: int) -> Any:
    if isinstance(stated, dict):
        return {"count": len(items), "limit": limit, "cards": _listed(stated.get("cards"), items, limit)}
    return [item.found(there) for there, item in _paired(stated, items)]


# --- The names of fields ----------------------------------------------------------------------------------------------

Field = Callable[[Recorded, Any], Any]


def _area(name: str) -> Field:
    return lambda view, stated: view.area(name, stated)


def _limit(name: str) -> Field:
    return lambda view, _stated: view.written[name]["limit"]


def _target(name: str) -> Field:
    words = RANK_WORDS if name.endswith("rank") else SUIT_WORDS
    return lambda view, stated: spelled(stated, words, view.targets[name], view.targets[name])


def _targets(**names: str) -> Field:
    """What a joker looks for, as an object."""
    return lambda view, stated: {
        name: _target(target)(view, stated.get(name) if isinstance(stated, dict) else None)
        for name, target in names.items()
    }


def _word(name: str) -> Field:
    """RED for b_red, unless the key itself is stated."""
    return lambda view, stated: stated if stated == getattr(view.seen, name) else view.written[name]


def _last_used(view: Recorded, stated: Any) -> Any:
    """The mod writes nothing as an empty text."""
    last = view.seen.last_used
    return stated if last is None and not stated else last


ALSO_CALLED = {
    "ante": "ante_num",
    "deck_count": "draw_pile",
    "most_played_poker_hand": "most_played",
}
"""Fields of the gamestate, of its round, or of the public state."""
FIELDS: Mapping[str, Field] = {
    "phase": Recorded.phase,
    "state": Recorded.phase,
    "deck": _word("deck"),
    "stake": _word("stake"),
    "blinds": Recorded.blinds,
    "blind": Recorded.blind,
    "tags": Recorded.tags,
    "used_vouchers": Recorded.used_vouchers,
    **{name: _area(name) for name in ("hand", "jokers", "consumables", "shop", "vouchers", "packs", "pack", "cards")},
    "deck_order": _area("cards"),
    "discard": Recorded.discard_pile,
    "discard_pile": Recorded.discard_pile,
    "debuffed_in_hand": Recorded.debuffed_in_hand,
    "deck_composition": Recorded.deck_composition,
    "joker_slots": _limit("jokers"),
    "consumable_slots": _limit("consumables"),
    "hands": Recorded.hands,
    "hand_levels": Recorded.hands,
    "hands_played_counts": lambda view, _: {name: hand["played"] for name, hand in view.written["hands"].items()},
    "hand_type_played": lambda view, _: view.seen.last_hand.hand,
    "pack_choices_remaining": lambda view, _: view.seen.pack.picks_left if view.seen.pack else 0,
    "last_tarot_planet": _last_used,
    **{name: _target(name) for name in ("ancient_suit", "castle_suit", "idol_suit", "idol_rank", "mail_rank")},
    "ancient_card": _targets(suit="ancient_suit"),
    "castle_card": _targets(suit="castle_suit"),
    "idol_card": _targets(rank="idol_rank", suit="idol_suit"),
    "mail_card": _targets(rank="mail_rank"),
}
"""Those that are not simply there under their name."""
