"""Actions as JSON, schema ``action_v1``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jimbo.engine import Action

ACTION_SCHEMA = "action_v1"

Json = dict[str, Any]


# --- Actions ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shape:
    """How one kind of action is written: its type, the parameter that holds its index, and fixed parameters."""

    action_type: str
    index: str | None = None
    fixed: tuple[tuple[str, Any], ...] = ()
    cards: bool = False
    move: bool = False

    def params(self, action: Action) -> Json:
        params: Json = dict(self.fixed)
        if self.index is not None:
            params[self.index] = action.index
        if self.move:
            params |= {"src_index": action.index, "dst_index": action.to}
        return params

    def fits(self, action_type: str, params: Json) -> bool:
        wanted = {name for name, _ in self.fixed} | ({self.index} if self.index is not None else set())
        wanted |= {"src_index", "dst_index"} if self.move else set()
        return (
            action_type == self.action_type
            and set(params) == wanted
            and all(params[name] == value for name, value in self.fixed)
        )


SHAPES: dict[str, Shape] = {
    "select_blind": Shape("SELECT"),
    "skip_blind": Shape("SKIP"),
    "reroll_boss": Shape("REROLL", fixed=(("boss", True),)),
    "play": Shape("PLAY", cards=True),
    "discard": Shape("DISCARD", cards=True),
    "cash_out": Shape("CASH_OUT"),
    "buy": Shape("BUY", "card"),
    "buy_and_use": Shape("BUY", "card", fixed=(("use", True),), cards=True),
    "redeem": Shape("BUY", "voucher"),
    "open_booster": Shape("BUY", "pack"),
    "reroll": Shape("REROLL"),
    "leave_shop": Shape("NEXT_ROUND"),
    "pick": Shape("PACK", "card", cards=True),
    "skip_pack": Shape("PACK", fixed=(("skip", True),)),
    "use": Shape("USE", "consumable", cards=True),
    "sell_joker": Shape("SELL", "joker"),
    "sell_consumable": Shape("SELL", "consumable"),
    "move_joker": Shape("MOVE_JOKER", move=True),
    "move_consumable": Shape("MOVE_CONSUMABLE", move=True),
    "move_card": Shape("MOVE_HAND_CARD", move=True),
    "sort_hand_by_rank": Shape("SORT_HAND", fixed=(("by", "rank"),)),
    "sort_hand_by_suit": Shape("SORT_HAND", fixed=(("by", "suit"),)),
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
            places = (params["src_index"] if shape.move else params.get(shape.index, 0), params.get("dst_index", 0))
            if not all(map(_is_whole, places)):
                raise ValueError(f"the places of an action are whole numbers: {params}")
            return Action(kind, *places, cards)
    raise ValueError(f"there is no action {action_type!r} with the parameters {sorted(params)}")


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
