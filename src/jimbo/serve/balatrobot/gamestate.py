"""The state of the game as the mod writes it."""

from __future__ import annotations

import json
from functools import cache, lru_cache
from typing import Any

from jimbo.engine import LAST_ANTE, BlindSlot, PublicState
from jimbo.engine.catalog import BLINDS, BOOSTERS, HANDS
from jimbo.serve.balatrobot import encoding
from jimbo.serve.balatrobot.cards import Cards
from jimbo.serve.balatrobot.table import Table
from jimbo.wire.open_jokers import open_state
from jimbo.wire.tooltips import tag_text, texts
from jimbo.wire.words import HAND_EXAMPLES, HAND_ORDER, MENU, SLOTS, TAG_NAMES, blind_status, word

ONE_CARD, FIVE_CARDS = 1, 5
"""How many cards can be picked up in an area."""
ONE_VOUCHER, TWO_PACKS = 1, 2
SOME = 4096
"""Parts that are kept as they were written: most are the same from state to state."""
_EXAMPLES = {
    name: json.dumps([[card.removeprefix("-"), not card.startswith("-")] for card in cards.split()])
    for name, cards in HAND_EXAMPLES.items()
}


class Gamestates:
    """Writes the states of one table. Playing cards that stay as they are are written once."""

    def __init__(self) -> None:
        self._written: dict[tuple[Any, ...], str] = {}

    def of(self, table: Table) -> str:
        if table.told is None:
            table.told = encoding.of_parts(_menu() if table.run is None else self._parts(table))
        return table.told

    def _parts(self, table: Table) -> dict[str, str]:
        run, seen = table.playing, table.seen
        hidden = any(joker.face_down for joker in seen.jokers)
        opened = open_state(run, run.to_data()) if hidden else seen
        cards = Cards(run, opened, table.first_id, self._written)
        parts = {
            "state": f'"{table.state}"',
            "round_num": str(seen.round),
            "ante_num": str(seen.ante),
            "money": str(seen.dollars),
            "won": "true" if _won(seen) else "false",
            "deck": f'"{word(seen.deck)}"',
            "stake": f'"{word(seen.stake)}"',
            "seed": encoding.text(run.seed),
            "used_vouchers": encoding.fields(dict.fromkeys(seen.vouchers, "")),
            "hands": _hands(seen),
            "round": _round(seen),
            "blinds": _blinds(table),
            **_owned(table, opened, cards),
        }
        if seen.phase == "shop" or (seen.pack and seen.pack.opened_from == "shop"):
            parts |= _goods(table, cards)
        elif table.left_shop:
            parts |= _left_goods(table.left_shop)
        if seen.pack:
            written = map(cards.offer, seen.pack.cards, run.pack_prices)
            parts["pack"] = encoding.area(written, BOOSTERS[seen.pack.key].cards, ONE_CARD)
        return parts


def _won(seen: PublicState) -> bool:
    """The game counts the round of the last boss as won before it looks at the score, and the mod tells it so."""
    return seen.won or (seen.phase == "game_over" and seen.on_deck == BlindSlot.boss and seen.ante >= LAST_ANTE)


@cache
def _menu() -> dict[str, str]:
    """Between runs, as recorded."""
    blinds = (("SELECT", "Small", 300), ("UPCOMING", "Big", 450), ("UPCOMING", "Boss", 600))
    return {
        "state": f'"{MENU}"',
        "round_num": "0",
        "ante_num": "1",
        "money": "0",
        "won": "false",
        "deck": '"RED"',
        "stake": '"WHITE"',
        "used_vouchers": "[]",
        "hands": encoding.of_parts({name: _hand(name, 1, fact.chips, fact.mult, 0, 0) for name, fact in HANDS.items()}),
        "round": '{"hands_left":0,"hands_played":0,"discards_left":0,"discards_used":0,"reroll_cost":5,"chips":0}',
        "blinds": encoding.of_parts(
            {
                name.lower(): _blind(name.lower(), status, f"{name} Blind", "", target, "", "")
                for status, name, target in blinds
            }
        ),
    }


def _hands(seen: PublicState) -> str:
    return encoding.of_parts(
        {
            hand.hand: _hand(hand.hand, hand.level, hand.chips, hand.mult, hand.played, hand.played_this_round)
            for hand in seen.hands
        }
    )


@lru_cache(SOME)
def _hand(name: str, level: int, chips: float, mult: float, played: int, played_this_round: int) -> str:
    return (
        f'{{"order":{HAND_ORDER[name]},"level":{level},"chips":{encoding.number(chips)},'
        f'"mult":{encoding.number(mult)},"played":{played},"played_this_round":{played_this_round},'
        f'"example":{_EXAMPLES[name]}}}'
    )


def _round(seen: PublicState) -> str:
    return (
        f'{{"hands_left":{seen.hands_left},"hands_played":{seen.hands_played},"discards_left":{seen.discards_left},'
        f'"discards_used":{seen.discards_used},"reroll_cost":{seen.reroll_price},'
        f'"chips":{encoding.number(seen.chips)}}}'
    )


def _blinds(table: Table) -> str:
    parts, seen = {}, table.seen
    for slot, blind in zip(SLOTS, seen.blinds, strict=True):
        status, tag = blind_status(seen, slot, table.skipped), blind.tag
        tag_words = (TAG_NAMES[tag.key], tag_text(tag.key, seen)) if tag else ("", "")
        effect = texts("blinds")[blind.key]
        parts[slot] = _blind(slot, status, BLINDS[blind.key].name, effect, blind.target, *tag_words)
    return encoding.of_parts(parts)


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
    return f'{encoding.fields(words)[:-1]},"score":{encoding.number(target)}}}'


def _owned(table: Table, opened: PublicState, cards: Cards) -> dict[str, str]:
    run, seen = table.playing, table.seen
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
        "jokers": encoding.area(jokers, seen.joker_room + len(jokers), ONE_CARD),
        "consumables": encoding.area(consumables, seen.consumable_room + len(consumables), ONE_CARD),
        "cards": encoding.area([cards.playing(card, in_pile=True) for card in pile], deck_size, FIVE_CARDS),
        "hand": encoding.area(map(cards.playing, hand), seen.hand_limit, FIVE_CARDS),
    }


def _goods(table: Table, cards: Cards) -> dict[str, str]:
    seen = table.seen
    vouchers = [
        cards.voucher(uid, item.key, item.price)
        for uid, item in zip(table.voucher_ids, seen.shop_vouchers, strict=True)
    ]
    packs = [
        cards.pack(uid, item.key, item.price) for uid, item in zip(table.pack_ids, seen.shop_boosters, strict=True)
    ]
    return _areas(seen, [cards.offer(item, item.price) for item in seen.shop], vouchers, packs)


def _left_goods(seen: PublicState) -> dict[str, str]:
    """The cards are gone, but the game still has their number, as recordings show."""
    return _areas(seen, [], [], [])


def _areas(seen: PublicState, cards: list[str], vouchers: list[str], packs: list[str]) -> dict[str, str]:
    def area(written: list[str], count: int, limit: int) -> str:
        return encoding.area(written, max(limit, count), ONE_CARD, count=count)

    return {
        "shop": area(cards, len(seen.shop), seen.shop_slots),
        "vouchers": area(vouchers, len(seen.shop_vouchers), ONE_VOUCHER),
        "packs": area(packs, len(seen.shop_boosters), TWO_PACKS),
    }
