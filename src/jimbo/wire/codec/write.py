"""A run as the mod writes it, and the little that the wire tells and a run does not remember."""

from __future__ import annotations

import json
from functools import cache, lru_cache
from typing import Any

from jimbo.engine import LAST_ANTE, ActionKind, BlindSlot, PublicState, Run
from jimbo.engine.catalog import BLINDS, BOOSTERS, HANDS
from jimbo.wire.codec.written_cards import Cards, json_area, json_fields, json_number, json_object, json_text
from jimbo.wire.gamestate import HAND_EXAMPLES, HAND_ORDER, MENU, SLOTS, STATES, TAG_NAMES, Json, blind_status, word
from jimbo.wire.tooltips import tag_text, texts

FIRST_ID = 13
"""The game has numbered this many things minus one by the time of the first deck, as recordings show."""
ONE_CARD, FIVE_CARDS = 1, 5
"""How many cards can be picked up in an area."""
ONE_VOUCHER, TWO_PACKS = 1, 2
SOME = 4096
"""Parts that are kept as they were written: most are the same from state to state."""
_EXAMPLES = {
    name: json.dumps([[card.removeprefix("-"), not card.startswith("-")] for card in cards.split()])
    for name, cards in HAND_EXAMPLES.items()
}


def open_state(run: Run, seen: PublicState | None = None) -> PublicState:
    """What a player would know if no joker lay face down, as the mod tells it. ``seen`` is the run's public state."""
    seen = seen or run.public_state()
    if not any(joker.face_down for joker in seen.jokers):
        return seen
    state = run.to_data()
    jokers = [{**joker, "face_down": False} for joker in state["jokers"]]
    return Run.from_json(json.dumps({**state, "jokers": jokers})).public_state()


class Memory:
    """What the game remembers of its run beside the engine. To be told of every step."""

    def __init__(self, first_id: int = FIRST_ID, skipped: set[str] | None = None) -> None:
        self.first_id = first_id
        """The number of the first card of this run; numbers go on from run to run."""
        self.skipped = skipped or set()
        """The blinds of this ante that were skipped."""
        self.voucher_ids: list[int] = []
        self.pack_ids: list[int] = []
        self.left_shop: PublicState | None = None
        """The last shop of this run as it was left: the game keeps its areas, without the cards."""

    def took(self, kind: ActionKind | str, index: int, before: PublicState, on_deck: str) -> None:
        """An action was taken: the state before it, and the blind that is on deck now."""
        if kind == ActionKind.redeem:
            del self.voucher_ids[index]
        elif kind == ActionKind.open_booster:
            del self.pack_ids[index]
        elif kind == ActionKind.leave_shop:
            self.left_shop = before
        elif kind == ActionKind.skip_blind:
            self.skipped.add(str(before.on_deck))
        elif kind == ActionKind.cash_out and on_deck == "small":
            self.skipped.clear()

    def number_goods(self, seen: PublicState) -> None:
        """Vouchers and packs have numbers that the engine counts but does not keep: packs come last in a new shop."""
        vouchers, packs = len(seen.shop_vouchers), len(seen.shop_boosters)
        if not self.pack_ids and packs:
            self.pack_ids = list(range(seen.next_id - packs, seen.next_id))
            self.voucher_ids = list(range(seen.next_id - packs - vouchers, seen.next_id - packs))
        for ids, count in ((self.voucher_ids, vouchers), (self.pack_ids, packs)):
            while len(ids) < count:
                ids.append(seen.next_id - 1)
            del ids[count:]

    def forget_goods(self) -> None:
        """The shop has been stocked anew."""
        self.voucher_ids, self.pack_ids = [], []


def gamestate(run: Run | None, memory: Memory | None = None) -> Json:
    """One state as the client reads it; None for the menu, between runs."""
    memory = memory or Memory()
    if run is not None:
        memory.number_goods(run.public_state())
    state: Json = json.loads(Writer().text(run, memory))
    return state


class Writer:
    """Writes the states of one game. Playing cards that stay as they are are written once."""

    def __init__(self) -> None:
        self._written: dict[tuple[Any, ...], str] = {}

    def text(self, run: Run | None, memory: Memory, seen: PublicState | None = None) -> str:
        """JSON; ``seen`` is the run's public state where it is known. Unwritable for an infinite score."""
        if run is None:
            return _menu()
        return json_object(self._parts(run, seen or run.public_state(), memory))

    def _parts(self, run: Run, seen: PublicState, memory: Memory) -> dict[str, str]:
        opened = open_state(run, seen)
        cards = Cards(run, opened, memory.first_id, self._written)
        parts = {
            "state": f'"{STATES[seen.phase]}"',
            "round_num": str(seen.round),
            "ante_num": str(seen.ante),
            "money": str(seen.dollars),
            "won": "true" if _won(seen) else "false",
            "deck": f'"{word(seen.deck)}"',
            "stake": f'"{word(seen.stake)}"',
            "seed": json_text(run.seed),
            "used_vouchers": json_fields(dict.fromkeys(seen.vouchers, "")),
            "hands": _hands(seen),
            "round": _round(seen),
            "blinds": _blinds(seen, memory),
            **_owned(run, seen, opened, cards),
        }
        if seen.phase == "shop" or (seen.pack and seen.pack.opened_from == "shop"):
            parts |= _goods(seen, memory, cards)
        elif memory.left_shop:
            parts |= _left_goods(memory.left_shop)
        if seen.pack:
            written = map(cards.offer, seen.pack.cards, run.pack_prices)
            parts["pack"] = json_area(written, BOOSTERS[seen.pack.key].cards, ONE_CARD)
        return parts


def _won(seen: PublicState) -> bool:
    """The game counts the round of the last boss as won before it looks at the score, and the mod tells it so."""
    return seen.won or (seen.phase == "game_over" and seen.on_deck == BlindSlot.boss and seen.ante >= LAST_ANTE)


@cache
def _menu() -> str:
    """Between runs, as recorded."""
    blinds = (("SELECT", "Small", 300), ("UPCOMING", "Big", 450), ("UPCOMING", "Boss", 600))
    parts = {
        "state": f'"{MENU}"',
        "round_num": "0",
        "ante_num": "1",
        "money": "0",
        "won": "false",
        "deck": '"RED"',
        "stake": '"WHITE"',
        "used_vouchers": "[]",
        "hands": json_object({name: _hand(name, 1, fact.chips, fact.mult, 0, 0) for name, fact in HANDS.items()}),
        "round": '{"hands_left":0,"hands_played":0,"discards_left":0,"discards_used":0,"reroll_cost":5,"chips":0}',
        "blinds": json_object(
            {
                name.lower(): _blind(name.lower(), status, f"{name} Blind", "", target, "", "")
                for status, name, target in blinds
            }
        ),
    }
    return json_object(parts)


def _hands(seen: PublicState) -> str:
    return json_object(
        {
            hand.hand: _hand(hand.hand, hand.level, hand.chips, hand.mult, hand.played, hand.played_this_round)
            for hand in seen.hands
        }
    )


@lru_cache(SOME)
def _hand(name: str, level: int, chips: float, mult: float, played: int, played_this_round: int) -> str:
    return (
        f'{{"order":{HAND_ORDER[name]},"level":{level},"chips":{json_number(chips)},'
        f'"mult":{json_number(mult)},"played":{played},"played_this_round":{played_this_round},'
        f'"example":{_EXAMPLES[name]}}}'
    )


def _round(seen: PublicState) -> str:
    return (
        f'{{"hands_left":{seen.hands_left},"hands_played":{seen.hands_played},"discards_left":{seen.discards_left},'
        f'"discards_used":{seen.discards_used},"reroll_cost":{seen.reroll_price},'
        f'"chips":{json_number(seen.chips)}}}'
    )


def _blinds(seen: PublicState, memory: Memory) -> str:
    parts = {}
    for slot, blind in zip(SLOTS, seen.blinds, strict=True):
        status, tag = blind_status(seen, slot, memory.skipped), blind.tag
        tag_words = (TAG_NAMES[tag.key], tag_text(tag.key, seen)) if tag else ("", "")
        effect = texts("blinds")[blind.key]
        parts[slot] = _blind(slot, status, BLINDS[blind.key].name, effect, blind.target, *tag_words)
    return json_object(parts)


@lru_cache(SOME)
def _blind(slot: str, status: str, name: str, effect: str, target: float, tag_name: str, tag_effect: str) -> str:
    words = {
        "type": slot.upper(),
        "status": status,
        "name": name,
        "effect": effect,
        "tag_name": tag_name,
        "tag_effect": tag_effect,
    }
    return f'{json_fields(words)[:-1]},"score":{json_number(target)}}}'


def _owned(run: Run, seen: PublicState, opened: PublicState, cards: Cards) -> dict[str, str]:
    jokers = [
        cards.joker(joker, price, face_down=lying.face_down)
        for joker, lying, price in zip(opened.jokers, seen.jokers, run.joker_prices, strict=True)
    ]
    consumables = [
        cards.consumable(item.id, item.key, item.edition, price, item.sell_value)
        for item, price in zip(seen.consumables, run.consumable_prices, strict=True)
    ]
    pile, hand = run.draw_pile, run.hand
    deck_size = len(pile) + len(hand) + len(seen.played) + len(seen.discarded)
    return {
        "jokers": json_area(jokers, seen.joker_room + len(jokers), ONE_CARD),
        "consumables": json_area(consumables, seen.consumable_room + len(consumables), ONE_CARD),
        "cards": json_area([cards.playing(card, in_pile=True) for card in pile], deck_size, FIVE_CARDS),
        "hand": json_area(map(cards.playing, hand), seen.hand_limit, FIVE_CARDS),
    }


def _goods(seen: PublicState, memory: Memory, cards: Cards) -> dict[str, str]:
    vouchers = [
        cards.voucher(uid, item.key, item.price)
        for uid, item in zip(memory.voucher_ids, seen.shop_vouchers, strict=True)
    ]
    packs = [
        cards.pack(uid, item.key, item.price) for uid, item in zip(memory.pack_ids, seen.shop_boosters, strict=True)
    ]
    return _areas(seen, [cards.offer(item, item.price) for item in seen.shop], vouchers, packs)


def _left_goods(seen: PublicState) -> dict[str, str]:
    """The cards are gone, but the game still has their number, as recordings show."""
    return _areas(seen, [], [], [])


def _areas(seen: PublicState, cards: list[str], vouchers: list[str], packs: list[str]) -> dict[str, str]:
    def area(written: list[str], count: int, limit: int) -> str:
        return json_area(written, max(limit, count), ONE_CARD, count=count)

    return {
        "shop": area(cards, len(seen.shop), seen.shop_slots),
        "vouchers": area(vouchers, len(seen.shop_vouchers), ONE_VOUCHER),
        "packs": area(packs, len(seen.shop_boosters), TWO_PACKS),
    }
