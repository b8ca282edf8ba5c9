"""Methods of blinds and hands, of the shop and its packs, and of what is owned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jimbo.engine import MAX_SELECTED, Action, PublicOffer, PublicState
from jimbo.engine.catalog import CONSUMABLES
from jimbo.serve.balatrobot.rpc import CallRefused, bad_request, invalid_state, not_allowed
from jimbo.serve.balatrobot.table import GameTable
from jimbo.wire.gamestate import PACK_OPENED

Params = dict[str, Any]


def _only(params: Params, none: str, several: str) -> tuple[str, Any]:
    """Return the one parameter of a method that takes any one of several."""
    if not params:
        raise bad_request(none)
    if len(params) > 1:
        raise bad_request(several)
    return next(iter(params.items()))


# --- Blinds and hands -------------------------------------------------------------------------------------------------


def skip(table: GameTable, params: Params) -> None:
    if table.seen.on_deck == "boss":
        raise not_allowed("Cannot skip Boss blind. Use `select` to select and play the boss blind.")
    table.step("skip_blind")


def play(table: GameTable, params: Params) -> None:
    table.step("play", cards=_picked(table, params["cards"], "play"))


def discard(table: GameTable, params: Params) -> None:
    cards = params["cards"]
    if cards and table.seen.discards_left <= 0:
        raise bad_request("No discards left. Play cards using `play` instead.")
    table.step("discard", cards=_picked(table, cards, "discard"))


def _picked(table: GameTable, cards: Sequence[int], verb: str) -> list[int]:
    """Return the cards that are selected in the end: a click on one that already is puts it down again."""
    if not cards:
        raise bad_request(f"Must provide at least one card to {verb}")
    if len(cards) > MAX_SELECTED:
        raise bad_request(f"You can only {verb} {MAX_SELECTED} cards. Provide fewer card indices.")
    for card in cards:
        if not 0 <= card < len(table.seen.hand):
            raise bad_request(f"Invalid card index: {card}")
    return [card for card in dict.fromkeys(cards) if cards.count(card) % 2]


_MOVES = {"hand": "move_card", "jokers": "move_joker", "consumables": "move_consumable"}


def rearrange(table: GameTable, params: Params) -> None:
    none = "Must provide exactly one of: hand, jokers, or consumables"
    area, order = _only(params, none, "Can only rearrange one type at a time")
    if area == "hand":
        if table.state not in ("SELECTING_HAND", PACK_OPENED):
            raise invalid_state("Can only rearrange hand during hand selection")
        if not table.seen.hand:
            raise not_allowed("No cards to rearrange. You can only rearrange hand in Arcana and Spectral packs.")
    _check_order(area, order, len(getattr(table.seen, area)))
    now = list(range(len(order)))
    for to, card in enumerate(order):
        place = now.index(card)
        if place != to:
            now.insert(to, now.pop(place))
            table.step(_MOVES[area], place, to)


def _check_order(area: str, order: Sequence[int], size: int) -> None:
    if len(order) != size:
        raise bad_request(f"Must provide exactly {size} indices for {area}")
    for at, place in enumerate(order):
        if not 0 <= place < size:
            raise bad_request(f"Index out of range for {area}: {place}")
        if place in order[:at]:
            raise bad_request(f"Duplicate index in {area}: {place}")


# --- Buying and selling -----------------------------------------------------------------------------------------------

_SOLD_OUT = {
    "card": "No jokers/consumables/cards in the shop. Use `reroll` to restock the shop.",
    "voucher": "No vouchers to redeem. Defeat boss blind to restock.",
    "pack": "No packs to open. Use `next_round` to advance to the next blind and restock the shop.",
}
_OUT_OF_RANGE = {
    "card": "Card index out of range. Index: {}, Available cards: {}",
    "voucher": "Voucher index out of range. Index: {}, Available: {}",
    "pack": "Pack index out of range. Index: {}, Available: {}",
}
_AREAS = {"card": "shop", "voucher": "shop_vouchers", "pack": "shop_boosters"}
_BUYING = {"card": "buy", "voucher": "redeem", "pack": "open_booster"}


def buy(table: GameTable, params: Params) -> None:
    start = "Invalid arguments."
    several = f"{start} Cannot provide more than one of: card, voucher, or pack"
    kind, place = _only(params, f"{start} You must provide one of: card, voucher, pack", several)
    goods = getattr(table.seen, _AREAS[kind])
    if not goods:
        raise bad_request(_SOLD_OUT[kind])
    if not 0 <= place < len(goods):
        raise bad_request(_OUT_OF_RANGE[kind].format(place, len(goods)))
    price = goods[place].price
    if price > 0 and price > table.seen.spendable:
        raise bad_request(f"Card is not affordable. Cost: {price}, Available money: {table.seen.spendable}")
    if kind == "card":
        _check_room(table.seen, goods[place])
    table.step(_BUYING[kind], place)


def _check_room(seen: PublicState, offer: PublicOffer) -> None:
    """The mod asks for room even where a Negative card would bring its own."""
    if offer.joker and seen.joker_room <= 0:
        raise bad_request(f"Cannot purchase {_full_of_jokers(seen, 'joker card')}")
    if offer.consumable and seen.consumable_room <= 0:
        raise bad_request(
            "Cannot purchase consumable card, consumable slots are full. "
            f"{_slots(len(seen.consumables), seen.consumable_room)}. "
            "Use `use` to activate a consumable or `sell` to remove one."
        )


def _full_of_jokers(seen: PublicState, what: str) -> str:
    slots = _slots(len(seen.jokers), seen.joker_room)
    return f"{what}, joker slots are full. {slots}. Sell a joker using `sell` to free a slot."


def _slots(count: int, room: int) -> str:
    return f"Current: {count}, Limit: {count + room}"


def reroll(table: GameTable, params: Params) -> None:
    seen = table.seen
    if seen.reroll_price > 0 and seen.reroll_price > seen.spendable:
        raise not_allowed(f"Not enough dollars to reroll. Available: {seen.spendable}, Required: {seen.reroll_price}")
    table.step("reroll")


def sell(table: GameTable, params: Params) -> None:
    none = "Must provide exactly one of: joker or consumable"
    kind, place = _only(params, none, "Can only sell one item at a time")
    owned = len(getattr(table.seen, f"{kind}s"))
    if not owned:
        raise not_allowed(f"No {kind}s available to sell")
    if not 0 <= place < owned:
        raise bad_request(f"Index out of range for {kind}: {place}")
    table.step(f"sell_{kind}", place)


# --- Consumables and packs --------------------------------------------------------------------------------------------


def use(table: GameTable, params: Params) -> None:
    place, cards = params["consumable"], params.get("cards", [])
    if not 0 <= place < len(table.seen.consumables):
        raise bad_request(f"Consumable index out of range: {place}")
    fact = CONSUMABLES[table.seen.consumables[place].key]
    if fact.key == "c_aura":
        raise _unusable(fact.name)  # the mod does not know that it takes a card
    if fact.max_targets:
        _check_targets(table, fact.key, cards)
    else:
        cards = []
    if table.playing.refusal(Action("use", place, cards=cards)) is not None:
        raise _unusable(fact.name)
    table.step("use", place, cards=cards)


def _unusable(name: str) -> CallRefused:
    return not_allowed(f"Consumable '{name}' cannot be used at this time")


def _check_targets(table: GameTable, key: str, cards: list[int]) -> None:
    fact = CONSUMABLES[key]
    name, least, most, count = f"Consumable '{fact.name}'", fact.min_targets, fact.max_targets, len(cards)
    if table.state != "SELECTING_HAND":
        raise invalid_state(f"{name} requires card selection and can only be used in SELECTING_HAND state.")
    if not cards:
        raise bad_request(f"{name} requires card selection. Provide target cards via the `cards` parameter.")
    for card in cards:
        if not 0 <= card < len(table.seen.hand):
            raise bad_request(f"Card index out of range: {card}")
    if least == most and count != least:
        wanted, advice = f"exactly {_cards(least)}", "the correct number of"
    elif count < least:
        wanted, advice = f"at least {_cards(least)}", "more"
    elif count > most:
        wanted, advice = f"at most {_cards(most)}", "fewer"
    else:
        return
    raise bad_request(
        f"{name} requires {wanted} (provided: {count}). Provide {advice} cards via the `cards` parameter."
    )


def _cards(count: int) -> str:
    return f"{count} card{'' if count == 1 else 's'}"


def pack(table: GameTable, params: Params) -> None:
    place, skip = params.get("card"), params.get("skip")
    if place is None and not skip:
        raise bad_request("Invalid arguments. You must provide one of: card, skip")
    if place is not None and skip:
        raise bad_request("Invalid arguments. Cannot provide both card and skip")
    if place is None:
        table.step("skip_pack")
        return
    opened = table.seen.pack
    offers = opened.cards if opened else []
    if not 0 <= place < len(offers):
        raise bad_request(_OUT_OF_RANGE["card"].format(place, len(offers)))
    targets = params.get("targets", [])
    _check_pick(table.seen, offers[place], targets)
    table.step("pick", place, cards=targets if offers[place].consumable else [])


def _check_pick(seen: PublicState, offer: PublicOffer, targets: list[int]) -> None:
    if offer.joker and seen.joker_room <= 0:
        raise not_allowed(f"Cannot select {_full_of_jokers(seen, 'joker')}")
    if offer.consumable == "c_ankh" and not seen.jokers:
        raise not_allowed(
            "Card 'c_ankh' requires at least 1 joker. Current: 0. "
            "Ensure you have enough jokers before selecting this card."
        )
    if offer.consumable is None:
        return
    fact = CONSUMABLES[offer.consumable]
    if fact.max_targets and not fact.min_targets <= len(targets) <= fact.max_targets:
        exact = fact.min_targets == fact.max_targets
        wanted = f"exactly {fact.min_targets}" if exact else f"{fact.min_targets}-{fact.max_targets}"
        raise bad_request(
            f"Card '{fact.key}' requires {wanted} target card(s). Provided: {len(targets)}. "
            "Ensure you have the required targets before selecting."
        )
    for target in targets:
        if not 0 <= target < len(seen.hand):
            raise bad_request(f"Target card index out of range. Index: {target}, Hand size: {len(seen.hand)}")
