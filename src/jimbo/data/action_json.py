"""Actions as JSON, schema ``action_v1``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jimbo.engine import Action

ACTION_SCHEMA = "action_v1"

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ActionShape:
    """How one kind of action is written: its type, the parameter that holds its index, and fixed parameters."""

    action_type: str
    index: str | None = None
    fixed: tuple[tuple[str, Any], ...] = ()
    cards: bool = False
    to: str | None = None
    """The parameter that holds the place to move to."""

    def params(self, action: Action) -> Json:
        places = {self.index: action.index, self.to: action.to}
        return {**dict(self.fixed), **{name: place for name, place in places.items() if name}}

    def fits(self, action_type: str, params: Json) -> bool:
        wanted = {*dict(self.fixed), *filter(None, (self.index, self.to))}
        same = all(params.get(name) == value for name, value in self.fixed)
        return action_type == self.action_type and set(params) == wanted and same


SHAPES: dict[str, ActionShape] = {
    "select_blind": ActionShape("SELECT"),
    "skip_blind": ActionShape("SKIP"),
    "reroll_boss": ActionShape("REROLL", fixed=(("boss", True),)),
    "play": ActionShape("PLAY", cards=True),
    "discard": ActionShape("DISCARD", cards=True),
    "cash_out": ActionShape("CASH_OUT"),
    "buy": ActionShape("BUY", "card"),
    "buy_and_use": ActionShape("BUY", "card", fixed=(("use", True),), cards=True),
    "redeem": ActionShape("BUY", "voucher"),
    "open_booster": ActionShape("BUY", "pack"),
    "reroll": ActionShape("REROLL"),
    "leave_shop": ActionShape("NEXT_ROUND"),
    "pick": ActionShape("PACK", "card", cards=True),
    "skip_pack": ActionShape("PACK", fixed=(("skip", True),)),
    "use": ActionShape("USE", "consumable", cards=True),
    "sell_joker": ActionShape("SELL", "joker"),
    "sell_consumable": ActionShape("SELL", "consumable"),
    "move_joker": ActionShape("MOVE_JOKER", "src_index", to="dst_index"),
    "move_consumable": ActionShape("MOVE_CONSUMABLE", "src_index", to="dst_index"),
    "move_card": ActionShape("MOVE_HAND_CARD", "src_index", to="dst_index"),
    "sort_hand_by_rank": ActionShape("SORT_HAND", fixed=(("by", "rank"),)),
    "sort_hand_by_suit": ActionShape("SORT_HAND", fixed=(("by", "suit"),)),
}


def action_to_json(action: Action, phase: str) -> Json:
    """An action as ``action_v1``; ``phase`` is the run's phase before it."""
    shape = SHAPES[action.kind]
    record: Json = {"schema_version": ACTION_SCHEMA, "phase": phase, "action_type": shape.action_type}
    if action.cards:
        record["indices"] = action.cards
    if params := shape.params(action):
        record["params"] = params
    return record


def action_from_json(record: Json) -> Action:
    """The action of an ``action_v1`` record; ValueError says what does not fit."""
    if record.get("schema_version") != ACTION_SCHEMA:
        raise ValueError(f"only {ACTION_SCHEMA} actions can be read, not {record.get('schema_version')!r}")
    for name in record:
        if name not in ("schema_version", "phase", "action_type", "indices", "params"):
            raise ValueError(f"an action has no field {name!r}")
    action_type, params, cards = record.get("action_type"), record.get("params", {}), record.get("indices", [])
    if not isinstance(params, dict):
        raise ValueError(f"params must be an object, not {params!r}")
    if not (isinstance(cards, list) and all(map(_is_whole, cards))):
        raise ValueError(f"indices must be a list of whole numbers, not {cards!r}")
    for kind, shape in SHAPES.items():
        if shape.fits(str(action_type), params):
            places = params.get(shape.index, 0), params.get(shape.to, 0)
            if not all(map(_is_whole, places)):
                raise ValueError(f"the places of an action are whole numbers: {params}")
            return Action(kind, *places, cards)
    raise ValueError(f"there is no action {action_type!r} with the parameters {sorted(params)}")


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
