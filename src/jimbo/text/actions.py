"""Actions in words, with the names of what they are about."""

from collections.abc import Callable, Sequence

from jimbo.engine.run import Action, CardView, JokerView, OfferView, RunView
from jimbo.text.numbers import money_text


def action_words(action: Action, view: RunView) -> str:
    """What an action does in this view, as the player would say it."""
    try:
        return _WORDS[action.kind](action, view)
    except IndexError:
        # Agents may also think of actions that only later become possible.
        return action.kind.replace("_", " ")


def card_name(card: CardView) -> str:
    return "a face-down card" if card.face_down else card.short


def joker_name(joker: JokerView) -> str:
    return "a face-down joker" if joker.face_down else joker.name


def offer_name(card: OfferView) -> str:
    return joker_name(card) if isinstance(card, JokerView) else card.name


def _cards(places: Sequence[int], view: RunView) -> str:
    return " ".join(card_name(view.hand[place]) if place < len(view.hand) else "?" for place in places)


def _on(action: Action, view: RunView) -> str:
    return f" on {_cards(action.cards, view)}" if action.cards else ""


def _next_blind(view: RunView) -> str:
    return next(blind.name for blind in view.blinds if blind.state == "now")


def _skip(view: RunView) -> str:
    blind = next(blind for blind in view.blinds if blind.state == "now")
    return f"skip {blind.name} for the {blind.tag.fact.name}" if blind.tag else f"skip {blind.name}"


def _buy(action: Action, view: RunView) -> str:
    item = view.shop[action.index]
    return f"buy {offer_name(item.card)} for {money_text(item.price)}"


def _redeem(action: Action, view: RunView) -> str:
    voucher = view.shop_vouchers[action.index]
    return f"redeem {voucher.fact.name} for {money_text(voucher.price)}"


def _open(action: Action, view: RunView) -> str:
    booster = view.boosters[action.index]
    return f"open {booster.fact.name} for {money_text(booster.price)}"


def _pick(action: Action, view: RunView) -> str:
    name = offer_name(view.pack.cards[action.index]) if view.pack else "a card"
    return f"take {name}{_on(action, view)}"


def _sell_joker(action: Action, view: RunView) -> str:
    joker = view.jokers[action.index]
    return f"sell {joker_name(joker)} for {money_text(joker.sell_value)}"


def _sell_consumable(action: Action, view: RunView) -> str:
    card = view.consumables[action.index]
    return f"sell {card.name} for {money_text(card.sell_value)}"


def _moved(name: str, action: Action) -> str:
    return f"move {name} to place {action.to + 1}"


_WORDS: dict[str, Callable[[Action, RunView], str]] = {
    "select_blind": lambda a, v: f"play {_next_blind(v)}",
    "skip_blind": lambda a, v: _skip(v),
    "reroll_boss": lambda a, v: "reroll the boss",
    "play": lambda a, v: f"play {_cards(a.cards, v)}",
    "discard": lambda a, v: f"discard {_cards(a.cards, v)}",
    "cash_out": lambda a, v: f"cash out {money_text(v.payout.total)}",
    "buy": _buy,
    "buy_and_use": lambda a, v: f"{_buy(a, v)} and use it{_on(a, v)}",
    "redeem": _redeem,
    "open_booster": _open,
    "reroll": lambda a, v: f"reroll for {money_text(v.reroll_price)}",
    "leave_shop": lambda a, v: "leave the shop",
    "pick": _pick,
    "skip_pack": lambda a, v: "take nothing more from the pack",
    "use": lambda a, v: f"use {v.consumables[a.index].name}{_on(a, v)}",
    "sell_joker": _sell_joker,
    "sell_consumable": _sell_consumable,
    "move_joker": lambda a, v: _moved(joker_name(v.jokers[a.index]), a),
    "move_consumable": lambda a, v: _moved(v.consumables[a.index].name, a),
    "move_card": lambda a, v: _moved(_cards([a.index], v), a),
    "sort_hand_by_rank": lambda a, v: "sort the hand by rank",
    "sort_hand_by_suit": lambda a, v: "sort the hand by suit",
}
