"""JSON as the mod writes it: empty objects are ``[]``, numbers have 14 digits, what is absent has no key. And cards of
all kinds in it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from jimbo.engine import PublicCard, PublicJoker, PublicOffer, PublicState, Run
from jimbo.engine.catalog import BOOSTERS, CONSUMABLES, DECKS, ENHANCEMENTS, VOUCHERS
from jimbo.text.cards import RANKS, SUIT_NAMES, front
from jimbo.wire.gamestate import word
from jimbo.wire.tooltips import consumable_text, joker_text, rule_numbers, texts

JUNK_ENHANCEMENTS = {"j_drunkard": "DISCARD SIZE"}
"""The mod takes the kind of a card's effect for an enhancement; only this one has been recorded."""
CHIPS = {"A": 11, "K": 10, "Q": 10, "J": 10}
FACES = ("K", "Q", "J")
MANY_CARDS = 4096


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Unwritable(ValueError):
    """A number that JSON has no form for; the mod fails on it too."""


def json_number(value: float) -> str:
    if not math.isfinite(value):
        raise Unwritable(f"unexpected number value '{value}'")
    return f"{value:.14g}"


def json_text(value: str) -> str:
    return _encode(value)


def json_fields(values: Mapping[str, Any]) -> str:
    """An object of plain values, objects and lists; numbers in it are whole."""
    return _encode(values) if values else "[]"


def json_object(parts: Mapping[str, str]) -> str:
    """An object whose values are written already."""
    return "{" + ",".join(f'"{name}":{value}' for name, value in parts.items()) + "}" if parts else "[]"


def json_area(cards: Iterable[str], limit: int, highlighted_limit: int, *, count: int | None = None) -> str:
    """A place for cards, which are written already. The game does not always count those that are there."""
    written = list(cards)
    return (
        f'{{"count":{len(written) if count is None else count},"limit":{limit},"highlighted_limit":{highlighted_limit},'
        f'"cards":[{",".join(written)}]}}'
    )


@cache
def deck_size(deck: str) -> int:
    """Cards with which a deck starts: Erosion compares with them."""
    ranks = [rank for rank in RANKS if not (DECKS[deck].remove_faces and rank in FACES)]
    return len(SUIT_NAMES) * len(ranks)


class Cards:
    """Writes the cards of one run at one moment."""

    def __init__(self, run: Run, seen: PublicState, first_id: int, written: dict[tuple[Any, ...], str]) -> None:
        """``seen`` has no joker face down. ``written`` are playing cards as they were written before."""
        self._run, self._seen, self._first_id, self._written = run, seen, first_id, written
        if len(written) > MANY_CARDS:
            written.clear()
        self._odds = 2 ** sum(joker.key == "j_oops" and not joker.debuffed for joker in seen.jokers)
        self._base_price = run.card_price()

    def _id(self, uid: int) -> int:
        return self._first_id + uid - 1

    # --- Playing cards ------------------------------------------------------------------------------------------------

    def playing(self, card: PublicCard, *, in_pile: bool = False, price: int | None = None) -> str:
        if price is None:
            price = self._base_price if card.edition is None else self._run.card_price(card.edition)
        odds = self._odds if card.enhancement else 0
        key = (
            *(card.id, card.rank, card.suit, card.enhancement, card.edition, card.seal, card.bonus),
            *(card.debuffed, in_pile or card.face_down, card.forced, price, odds, self._first_id),
        )
        written = self._written.get(key)
        if written is None:
            written = self._written[key] = self._playing(card, in_pile or card.face_down, price)
        return written

    def _playing(self, card: PublicCard, hidden: bool, price: int) -> str:
        key = front(card)
        modifier = {
            "seal": card.seal and word(card.seal),
            "edition": card.edition and word(card.edition),
            "enhancement": card.enhancement and word(card.enhancement),
        }
        label = f"{ENHANCEMENTS[card.enhancement].word} Card" if card.enhancement else "Base Card"
        return _card(
            id=self._id(card.id),
            key=key,
            set="ENHANCED" if card.enhancement else "DEFAULT",
            label=label,
            value={"suit": key[0], "rank": key[2], "effect": self._effect(card)},
            modifier=modifier,
            state={"debuff": card.debuffed, "hidden": hidden, "highlight": card.forced},
            cost=(price, max(1, price // 2)),
        )

    def _effect(self, card: PublicCard) -> str:
        words, kind = texts("cards"), card.enhancement
        rank = str(card.rank)
        parts = [] if kind == "m_stone" else [words["base"].format(chips=CHIPS.get(rank) or int(rank))]
        if kind and kind != "m_bonus":
            parts.append(words[kind].format(odds=self._odds))
        bonus = card.bonus + (rule_numbers(kind)[0] if kind == "m_bonus" else 0)
        if bonus:
            parts.append(words["bonus"].format(bonus=bonus))
        return " ".join(parts)

    # --- Jokers and consumables ---------------------------------------------------------------------------------------

    def joker(self, joker: PublicJoker, price: int, *, face_down: bool = False, offered_as: int | None = None) -> str:
        """One on offer has a number of its own."""
        key = str(joker.key)
        modifier = {
            "edition": joker.edition and word(joker.edition),
            "enhancement": JUNK_ENHANCEMENTS.get(key),
            "eternal": joker.eternal,
            "perishable": joker.perish_left if joker.perishable else None,
            "rental": joker.rental,
        }
        return _card(
            id=self._id(joker.id if offered_as is None else offered_as),
            key=key,
            set="JOKER",
            label=joker.name,
            value={"effect": joker_text(joker, self._odds, deck_size(self._seen.deck))},
            modifier=modifier,
            state={"debuff": joker.debuffed, "hidden": face_down},
            cost=(price, joker.sell_value),
        )

    def consumable(self, uid: int, key: str, edition: str | None, price: int, sell: int) -> str:
        fact = CONSUMABLES[key]
        return _card(
            id=self._id(uid),
            key=key,
            set=fact.kind.upper(),
            label=fact.name,
            value={"effect": consumable_text(key, self._seen, odds=self._odds)},
            modifier={"edition": edition and word(edition)},
            state={},
            cost=(price, sell),
        )

    def offer(self, offer: PublicOffer, price: int) -> str:
        """As the card would be once it is owned: that has its numbers and what it sells for."""
        if offer.card is not None:
            return self.playing(offer.card, price=price)
        edition = offer.edition or "e_base"
        if offer.consumable is not None:
            owned = self._run.clone()
            owned.debug_add_consumable(offer.consumable, edition)
            sell = owned.public_state().consumables[-1].sell_value
            return self.consumable(offer.id, offer.consumable, offer.edition, price, sell)
        stickers = (offer.eternal, offer.perishable, offer.rental)
        return self.joker(self._run.joker_on_offer(str(offer.joker), edition, *stickers), price, offered_as=offer.id)

    # --- Vouchers and packs -------------------------------------------------------------------------------------------

    def voucher(self, uid: int, key: str, price: int) -> str:
        return self._goods(uid, key, "VOUCHER", VOUCHERS[key].name, texts("vouchers")[key], price)

    def pack(self, uid: int, key: str, price: int) -> str:
        fact = BOOSTERS[key]
        effect = texts("packs")[fact.kind].format(picks=fact.picks, cards=fact.cards)
        return self._goods(uid, key, "BOOSTER", fact.name, effect, price)

    def _goods(self, uid: int, key: str, kind: str, label: str, effect: str, price: int) -> str:
        return _card(
            id=self._id(uid),
            key=key,
            set=kind,
            label=label,
            value={"effect": effect},
            modifier={},
            state={},
            cost=(price, max(1, price // 2)),
        )


def _card(*, modifier: Mapping[str, Any], state: Mapping[str, Any], cost: tuple[int, int], **told: Any) -> str:
    marks = {"modifier": _present(modifier), "state": _present(state)}
    return json_fields(told | marks | {"cost": {"buy": cost[0], "sell": cost[1]}})


def _present(values: Mapping[str, Any]) -> Mapping[str, Any] | list[Any]:
    """The values that are there; nothing at all is an empty list."""
    return {name: value for name, value in values.items() if value} or []
