"""What a step is: its name, its price, and whether luck decides what it brings."""

from __future__ import annotations

import re
from collections.abc import Sequence

from jimbo.engine import BOSS_REROLL_PRICE, Action, ActionKind, PublicState
from jimbo.engine.catalog import CONSUMABLES
from jimbo.text import offer_name
from jimbo.text.build_reasons import USING


def price_of(action: Action, state: PublicState) -> int:
    match action.kind:
        case ActionKind.open_booster:
            return state.shop_boosters[action.index].price
        case ActionKind.redeem:
            return state.shop_vouchers[action.index].price
        case ActionKind.reroll:
            return state.reroll_price
        case ActionKind.buy | ActionKind.buy_and_use:
            return state.shop[action.index].price
        case ActionKind.reroll_boss:
            return BOSS_REROLL_PRICE
    return 0


def is_chancy(action: Action, state: PublicState) -> bool:
    """Whether a consumable is used whose text speaks of chance."""
    match action.kind:
        case ActionKind.use:
            key: str | None = state.consumables[action.index].key
        case ActionKind.buy_and_use:
            key = state.shop[action.index].consumable
        case ActionKind.pick:
            key = state.pack.cards[action.index].consumable if state.pack else None
        case _:
            key = None
    return key is not None and re.search(r"\d in \d|random| or ", CONSUMABLES[key].text) is not None


def having(actions: Sequence[Action]) -> str:
    """What the price is for."""
    if len(actions) > 1:
        return "the exchange"
    match actions[0].kind:
        case ActionKind.sell_joker | ActionKind.sell_consumable:
            return "losing it"
        case ActionKind.use | ActionKind.pick | ActionKind.buy_and_use:
            return USING
    return "having it"


def what_of(action: Action, state: PublicState) -> str:
    match action.kind:
        case ActionKind.open_booster:
            return f"the {state.shop_boosters[action.index].name}"
        case ActionKind.reroll:
            return "a new shop"
        case ActionKind.reroll_boss:
            return "another boss"
        case ActionKind.redeem:
            return state.shop_vouchers[action.index].name
        case ActionKind.use:
            return state.consumables[action.index].name
        case ActionKind.pick if state.pack:
            return offer_name(state.pack.cards[action.index])
        case ActionKind.buy | ActionKind.buy_and_use:
            return offer_name(state.shop[action.index])
    return "it"
