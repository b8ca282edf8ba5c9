"""The engine's actions as calls of the mod, and what the mod has no call for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from jimbo.engine import Action, ActionKind, PublicState
from jimbo.engine.catalog import BOOSTERS


class Call(NamedTuple):
    method: str
    params: dict[str, Any]


class ModLimits(NamedTuple):
    """What a version of the mod can do."""

    version: int = 1
    sells_in_packs: bool = True
    """While a Buffoon pack is open. Builds of version 1 differ in that, so it is tried."""

    @property
    def newer(self) -> bool:
        return self.version >= 2


_IN_PLAY = ("selecting_hand", "shop")
_MOVING = (*_IN_PLAY, "pack_opening")


def cannot(action: Action, state: PublicState, limits: ModLimits) -> str | None:
    """Why the mod cannot do what the rules allow, as the end of a sentence; None if it can."""
    if limits.newer:
        return None
    if is_tried(action, state, limits):
        return None
    refuse = _REFUSALS.get(action.kind)
    return refuse(action, state) if refuse else None


def is_tried(action: Action, state: PublicState, limits: ModLimits) -> bool:
    """Whether only a try can tell if the mod does it."""
    in_buffoon_pack = state.pack is not None and BOOSTERS[state.pack.key].kind == "Buffoon"
    return action.kind == "sell_joker" and in_buffoon_pack and limits.sells_in_packs and not limits.newer


def calls_for(action: Action, state: PublicState, limits: ModLimits) -> list[Call]:
    """The calls of an action that is allowed and possible."""
    if action.kind == "buy_and_use" and not limits.newer:
        return [Call("buy", {"card": action.index}), Call("use", {"consumable": len(state.consumables)})]
    return [_CALLS[action.kind](action, state)]


# --- Version 1 cannot -------------------------------------------------------------------------------------------------


def _reroll_boss(action: Action, state: PublicState) -> str | None:
    return "the mod cannot reroll bosses before its version 2"


def _sort(action: Action, state: PublicState) -> str | None:
    return "the mod cannot change how the hand is sorted before its version 2"


def _sell(action: Action, state: PublicState) -> str | None:
    return None if state.phase in _IN_PLAY else "the mod can sell only in a round and in the shop"


def _use(action: Action, state: PublicState) -> str | None:
    if state.phase not in _IN_PLAY:
        return "the mod can use consumables only in a round and in the shop"
    if state.consumables[action.index].key == "c_aura":
        return "the mod cannot choose a card for Aura before its version 2"
    return None


def _move(action: Action, state: PublicState) -> str | None:
    return None if state.phase in _MOVING else "the mod can rearrange only in a round, in the shop and in packs"


def _buy(action: Action, state: PublicState) -> str | None:
    """A Negative card needs no slot, and is refused all the same."""
    offer = state.shop[action.index]
    full = (offer.joker and state.joker_room <= 0) or (offer.consumable and state.consumable_room <= 0)
    return "the mod buys nothing while the slots are full" if full else None


def _buy_and_use(action: Action, state: PublicState) -> str | None:
    if state.consumable_room <= 0:
        return "the mod puts what it buys into a slot first, and none is free"
    if state.shop[action.index].consumable == "c_aura":
        return "the mod cannot choose a card for Aura before its version 2"
    return None


def _pick(action: Action, state: PublicState) -> str | None:
    full = state.pack and state.pack.cards[action.index].joker and state.joker_room <= 0
    return "the mod takes no joker while the slots are full" if full else None


_REFUSALS: dict[ActionKind, Callable[[Action, PublicState], str | None]] = {
    ActionKind.reroll_boss: _reroll_boss,
    ActionKind.sort_hand_by_rank: _sort,
    ActionKind.sort_hand_by_suit: _sort,
    ActionKind.sell_joker: _sell,
    ActionKind.sell_consumable: _sell,
    ActionKind.use: _use,
    ActionKind.move_joker: _move,
    ActionKind.move_consumable: _move,
    ActionKind.buy: _buy,
    ActionKind.buy_and_use: _buy_and_use,
    ActionKind.pick: _pick,
}


# --- Calls ------------------------------------------------------------------------------------------------------------


def _order(size: int, action: Action) -> list[int]:
    """The new i-th is the one that was at ``order[i]``."""
    order = list(range(size))
    order.insert(action.to, order.pop(action.index))
    return order


def _cards(name: str, cards: Sequence[int]) -> dict[str, Any]:
    return {name: list(cards)} if cards else {}


_CALLS: dict[ActionKind, Callable[[Action, PublicState], Call]] = {
    ActionKind.select_blind: lambda a, s: Call("select", {}),
    ActionKind.skip_blind: lambda a, s: Call("skip", {}),
    ActionKind.reroll_boss: lambda a, s: Call("reroll_boss", {}),
    ActionKind.play: lambda a, s: Call("play", {"cards": list(a.cards)}),
    ActionKind.discard: lambda a, s: Call("discard", {"cards": list(a.cards)}),
    ActionKind.cash_out: lambda a, s: Call("cash_out", {}),
    ActionKind.buy: lambda a, s: Call("buy", {"card": a.index}),
    ActionKind.buy_and_use: lambda a, s: Call("buy_and_use", {"card": a.index}),
    ActionKind.redeem: lambda a, s: Call("buy", {"voucher": a.index}),
    ActionKind.open_booster: lambda a, s: Call("buy", {"pack": a.index}),
    ActionKind.reroll: lambda a, s: Call("reroll", {}),
    ActionKind.leave_shop: lambda a, s: Call("next_round", {}),
    ActionKind.pick: lambda a, s: Call("pack", {"card": a.index, **_cards("targets", a.cards)}),
    ActionKind.skip_pack: lambda a, s: Call("pack", {"skip": True}),
    ActionKind.use: lambda a, s: Call("use", {"consumable": a.index, **_cards("cards", a.cards)}),
    ActionKind.sell_joker: lambda a, s: Call("sell", {"joker": a.index}),
    ActionKind.sell_consumable: lambda a, s: Call("sell", {"consumable": a.index}),
    ActionKind.move_joker: lambda a, s: Call("rearrange", {"jokers": _order(len(s.jokers), a)}),
    ActionKind.move_consumable: lambda a, s: Call("rearrange", {"consumables": _order(len(s.consumables), a)}),
    ActionKind.move_card: lambda a, s: Call("rearrange", {"hand": _order(len(s.hand), a)}),
    ActionKind.sort_hand_by_rank: lambda a, s: Call("sort", {"by": "rank"}),
    ActionKind.sort_hand_by_suit: lambda a, s: Call("sort", {"by": "suit"}),
}
