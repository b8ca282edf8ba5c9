"""Actions as JSON."""

import json

import pytest

from jimbo.data import action_from_json, action_to_json
from jimbo.engine import Action, ActionKind


@pytest.mark.parametrize("kind", ActionKind)
def test_every_kind_of_action_comes_back_from_json(kind: ActionKind) -> None:
    moves = kind.startswith("move_")
    cards = [0, 3] if kind in {"play", "discard", "use", "pick", "buy_and_use"} else []
    indexed = moves or kind in {
        "buy", "buy_and_use", "redeem", "open_booster", "pick", "use", "sell_joker", "sell_consumable",
    }  # fmt: skip
    action = Action(kind, 2 if indexed else 0, 1 if moves else 0, cards)
    record = json.loads(json.dumps(action_to_json(action, "shop")))
    assert action_from_json(record) == action


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"schema_version": "action_v0"}, "only action_v1"),
        ({"schema_version": "action_v1", "action_type": "DANCE"}, "no action 'DANCE'"),
        ({"schema_version": "action_v1", "action_type": "BUY", "params": {"moon": 1}}, "parameters"),
        ({"schema_version": "action_v1", "action_type": "BUY", "params": None}, "params must be an object, not None"),
        ({"schema_version": "action_v1", "action_type": "BUY", "params": {"card": "x"}}, "places .* whole numbers"),
        ({"schema_version": "action_v1", "action_type": "BUY", "params": {"card": True}}, "places .* whole numbers"),
        ({"schema_version": "action_v1", "action_type": "BUY", "params": {"card": 300}}, "count from 0 to 255"),
        ({"schema_version": "action_v1", "action_type": "PLAY", "indices": "01"}, "indices must be a list of whole"),
        ({"schema_version": "action_v1", "action_type": "PLAY", "indices": [1.5]}, "indices must be a list of whole"),
        ({"schema_version": "action_v1", "action_type": "PLAY", "colour": 1}, "an action has no field 'colour'"),
    ],
)
def test_an_unknown_action_is_refused_with_a_sentence(record: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        action_from_json(record)
