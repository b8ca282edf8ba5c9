"""The actions of a recording, by the names of the transcriptions and by those of the mod's own calls."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from jimbo.engine import Action, Run

Record = Mapping[str, Any]


class UnknownAction(Exception):
    """The name of an action that this checker has no counterpart for."""


NOTHING = {"start", "gamestate", "wait"}
"""Steps that only look."""


def _place(action: Record, *names: str) -> int:
    """The number under the first of these names that is there."""
    for name in names:
        if action.get(name) is not None:
            return int(action[name])
    raise KeyError(names[0])


def _targets(action: Record) -> list[int]:
    return list(action.get("targets") or action.get("cards") or [])


def _buy_card(action: Record) -> Action:
    use = "use" in str(action.get("mode", ""))
    return Action("buy_and_use" if use else "buy", _place(action, "card", "index"), cards=_targets(action))


def _redeem(action: Record) -> Action:
    return Action("redeem", _place(action, "voucher", "index"))


def _open_pack(action: Record) -> Action:
    return Action("open_booster", _place(action, "pack", "index"))


def _pick(action: Record) -> Action:
    if action.get("skip"):
        return Action("skip_pack")
    return Action("pick", _place(action, "card", "index"), cards=_targets(action))


def _use(action: Record) -> Action:
    return Action("use", _place(action, "consumable", "index"), cards=_targets(action))


def _sell_joker(action: Record) -> Action:
    return Action("sell_joker", _place(action, "joker", "index"))


def _sell_consumable(action: Record) -> Action:
    return Action("sell_consumable", _place(action, "consumable", "index"))


def _buy(action: Record) -> Action:
    """The mod has one call for all that is on sale."""
    if action.get("voucher") is not None:
        return _redeem(action)
    return _buy_card(action) if action.get("pack") is None else _open_pack(action)


ACTIONS: dict[str, Callable[[Record], Action]] = {
    "select_blind": lambda a: Action("select_blind"),
    "select": lambda a: Action("select_blind"),
    "skip_blind": lambda a: Action("skip_blind"),
    "skip": lambda a: Action("skip_blind"),
    "reroll_boss": lambda a: Action("reroll_boss"),
    "play_cards": lambda a: Action("play", cards=a["cards"]),
    "play": lambda a: Action("play", cards=a["cards"]),
    "discard_cards": lambda a: Action("discard", cards=a["cards"]),
    "discard": lambda a: Action("discard", cards=a["cards"]),
    "cash_out": lambda a: Action("cash_out"),
    "buy_shop_card": _buy_card,
    "buy_and_use": lambda a: _buy_card({**a, "mode": "use"}),
    "buy_voucher": _redeem,
    "redeem_voucher": _redeem,
    "buy_pack": _open_pack,
    "open_pack": _open_pack,
    "buy": _buy,
    "choose_pack_card": _pick,
    "pack": _pick,
    "skip_pack": lambda a: Action("skip_pack"),
    "reroll_shop": lambda a: Action("reroll"),
    "reroll": lambda a: Action("reroll"),
    "leave_shop": lambda a: Action("leave_shop"),
    "next_round": lambda a: Action("leave_shop"),
    "use_consumable": _use,
    "use": _use,
    "sell_joker": _sell_joker,
    "sell_consumable": _sell_consumable,
    "sell": lambda a: _sell_joker(a) if a.get("joker") is not None else _sell_consumable(a),
    "sort_hand": lambda a: Action(f"sort_hand_by_{a['by']}"),
    "sort": lambda a: Action(f"sort_hand_by_{a['by']}"),
}

MOVES = {"jokers": "move_joker", "hand": "move_card", "consumables": "move_consumable"}
REORDERS = {f"{verb}_{area}": area for verb in ("reorder", "rearrange") for area in MOVES}


def engine_actions(action: Record, run: Run) -> list[Action]:
    """What the run has to do; nothing for a step that only looks. Raises UnknownAction for any other name."""
    kind, action = str(action["type"] if "type" in action else action["method"]), action.get("params") or action
    if kind in NOTHING:
        return []
    if kind in ACTIONS:
        return [ACTIONS[kind](action)]
    if kind in REORDERS or kind == "rearrange":
        area = REORDERS.get(kind) or next((area for area in MOVES if area in action), "jokers")
        return list(_reordered(action, area, run))
    raise UnknownAction(f'no action "{kind}" is known')


def _reordered(action: Record, area: str, run: Run) -> Iterator[Action]:
    """The new order is the one list of the action: the new i-th card is the one that was at ``order[i]``."""
    if "from" in action and "to" in action:
        yield Action(MOVES[area], action["from"], action["to"])
        return
    order = next((value for value in action.values() if isinstance(value, list)), None)
    if order is None:
        raise ValueError("the action names no new order")
    now = list(range(len(order)))
    places = _places(order, area, run)
    if sorted(places) != now:
        raise ValueError(f"{order} is not an order of {len(order)} places")
    for to, card in enumerate(places):
        place = now.index(card)
        if place != to:
            now.insert(to, now.pop(place))
            yield Action(MOVES[area], place, to)


def _places(order: Sequence[Any], area: str, run: Run) -> list[int]:
    """An order can name the cards instead of their places; equal ones keep theirs."""
    if not all(isinstance(name, str) for name in order):
        return [int(place) for place in order]
    here: list[str | None] = _keys(area, run)
    places = []
    for name in order:
        places.append(here.index(name))
        here[places[-1]] = None
    return places


def _keys(area: str, run: Run) -> list[str | None]:
    """Of all that lies there, face down or not."""
    state = json.loads(run.to_json())
    if area == "jokers":
        return [joker["joker_id"] for joker in state["jokers"]]
    return [card["key"] for card in (state["zones"]["hand"] if area == "hand" else state["consumables"])]
