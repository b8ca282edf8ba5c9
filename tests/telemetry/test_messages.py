"""Messages of events: what must be in them, what they may hold, and how they are refused."""

import json
import math
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jimbo.telemetry.events import EVENTS, EventData, TrainingRow
from jimbo.telemetry.messages import MAX_EVENT, REASONS, BadMessage, checked_message, message_text, read_message

SAMPLES: dict[str, dict[str, Any]] = {
    "game_start": {"seed": "ALEEB", "stake": "stake_white", "deck": "b_red"},
    "hand_played": {"hand_type": "Pair", "cards": ["AH", "10H"], "score": 42},
    "joker_triggered": {"joker_id": "j_joker", "trigger_type": "mult", "effect": "+4 Mult"},
    "blind_defeated": {"blind_type": "small", "score": 392, "required_score": 300},
    "shop_entered": {"round": 1, "money": 7, "available_items": ["j_joker"]},
    "card_purchased": {"card_type": "joker", "card_id": "j_joker", "cost": 2},
    "game_over": {"final_score": 280, "round_reached": 1, "reason": "lost"},
}
"""The types whose data must hold something, with what it must hold."""
FREE = (
    "card_sold",
    "card_discarded",
    "card_enhanced",
    "round_started",
    "round_ended",
    "state_snapshot",
    "error",
    "unknown",
)


def message(kind: str = "unknown", **more: Any) -> dict[str, Any]:
    return {"type": kind, "timestamp": 12.5, "game_id": "g", "data": {}, **more}


def refused(data: Any) -> BadMessage:
    with pytest.raises(BadMessage) as caught:
        read_message(data if isinstance(data, str | bytes) else json.dumps(data))
    assert caught.value.reason in REASONS
    assert str(caught.value).endswith(".")
    return caught.value


def test_the_fifteen_types_of_games_are_known() -> None:
    assert {kind for kind in EVENTS if "." not in kind} == {*SAMPLES, *FREE}


@pytest.mark.parametrize("kind", FREE)
def test_most_types_need_no_data(kind: str) -> None:
    assert checked_message(message(kind)) == message(kind)


@pytest.mark.parametrize("kind", SAMPLES)
def test_every_required_field_is_required(kind: str) -> None:
    whole = SAMPLES[kind]
    assert checked_message(message(kind, data=whole))["data"] == whole
    assert checked_message(message(kind, data={**whole, "more": [1]}))["data"]["more"] == [1]
    for name in whole:
        less = {key: value for key, value in whole.items() if key != name}
        assert str(refused(message(kind, data=less))) == f'The data of {kind} has no "{name}".'


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"hand_type": 1, "cards": [], "score": 1}, "hand_type of hand_played must be text, not 1."),
        ({"hand_type": "Pair", "cards": "AH", "score": 1}, 'cards of hand_played must be a list, not "AH".'),
        ({"hand_type": "Pair", "cards": [], "score": "1"}, 'score of hand_played must be a number, not "1".'),
        ({"hand_type": "Pair", "cards": [], "score": True}, "score of hand_played must be a number, not True."),
    ],
)
def test_data_has_its_shape(data: dict[str, Any], sentence: str) -> None:
    assert str(refused(message("hand_played", data=data))) == sentence


@pytest.mark.parametrize("kind", ["training.loss", "strategy.plan", "game.state.money", "monitoring.metric"])
def test_topics_are_open(kind: str) -> None:
    told = {"type": kind, "source": "lab", "version": "1.0", "payload": {"x": 1}, "headers": {"a": "b"}}
    found = checked_message(told)
    assert (found["type"], found["data"], found["game_id"]) == (kind, {"x": 1}, "")
    assert (found["source"], found["version"], found["headers"]) == ("lab", "1.0", {"a": "b"})
    assert abs(found["timestamp"] - time.time()) < 60


@pytest.mark.parametrize(
    "kind",
    ["training.", "Training.loss", "game_started", "", "training", "training.x\nid: 1", "training.\x1b[2J", "game a b"],
)
def test_other_types_are_unknown(kind: str) -> None:
    assert refused(message(kind)).reason == "unknown_type"


@pytest.mark.parametrize("timestamp", [-1, -1e300, 1e300])
def test_times_that_no_clock_shows_are_refused(timestamp: float) -> None:
    assert refused(message("game_over") | {"timestamp": timestamp}).reason == "bad_field"


def test_milliseconds_become_seconds() -> None:
    assert checked_message(message(timestamp=1_700_000_000_500))["timestamp"] == 1_700_000_000.5
    assert checked_message(message(timestamp=1_700_000_000.5))["timestamp"] == 1_700_000_000.5


def nested(depth: int) -> Any:
    return 1 if depth == 0 else {"a": nested(depth - 1)}


def test_limits_hold_to_the_last() -> None:
    for data, too_much in [
        ({"a": "x" * 1000}, {"a": "x" * 1001}),
        ({"a": [1] * 100}, {"a": [1] * 101}),
        ({str(i): i for i in range(50)}, {str(i): i for i in range(51)}),
        ({"k" * 50: 1}, {"k" * 51: 1}),
        (nested(9), nested(10)),
        ({"a": 2**63 - 1}, {"a": 2**63}),
        ({"a": "\U0001f0cf"}, {"a": "\ud800"}),
    ]:
        assert read_message(json.dumps(message(data=data)))["data"] == data
        assert refused(message(data=too_much)).reason == "limits"


def test_the_size_is_counted_in_bytes() -> None:
    text = json.dumps(message(data={str(i): "x" * 900 for i in range(11)}))
    fits = text.replace('"x', '"' + "x" * 0 + "x")[:]
    assert len(fits) <= MAX_EVENT
    assert read_message(fits + " " * (MAX_EVENT - len(fits)))
    assert refused(fits + " " * (MAX_EVENT - len(fits) + 1)).reason == "too_large"
    wide = json.dumps(message(data={str(i): "é" * 900 for i in range(6)}), ensure_ascii=False)
    assert len(wide) < MAX_EVENT < len(wide.encode())
    assert refused(wide).reason == "too_large"


@pytest.mark.parametrize("text", ["", "{", "[]", "1", "null", '"a"', "\x00", '{"type": NaN}', b"\xff\xfe", "[" * 9000])
def test_what_is_no_object_is_refused(text: str | bytes) -> None:
    assert refused(text).reason == "not_json"


@pytest.mark.parametrize(
    "wrong",
    [
        {"timestamp": "now"}, {"timestamp": True}, {"game_id": 7}, {"data": []}, {"data": None}, {"extra": 1},
        {"sequence": 1.5}, {"session_id": 4}, {"headers": []}, {"type": 1}, {"type": None},
    ],
)  # fmt: skip
def test_fields_of_the_envelope_are_checked(wrong: dict[str, Any]) -> None:
    assert refused(message() | wrong).reason == "bad_field"


# --- What is sent -----------------------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=1200),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=70), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=60), JSON, max_size=60))
def test_whatever_is_told_can_be_taken(row: dict[str, Any]) -> None:
    text = message_text(TrainingRow(row=row, best=False), 1.0, source="test")
    if len(text.encode()) <= MAX_EVENT:
        assert read_message(text.encode())["type"] == "training.row"


def test_deep_long_and_odd_values_become_short_ones() -> None:
    row: dict[str, Any] = {
        "deep": nested(30),
        "long": "x" * 5000,
        "many": list(range(500)),
        "inf": math.inf,
        "me": object,
    }
    found = read_message(message_text(TrainingRow(row=row | {"loss": math.nan}, best=True), 1.0))["data"]["row"]
    assert (len(found["long"]), len(found["many"]), found["loss"]) == (1000, 100, 0.0)
    assert found["inf"] > 1e308


def test_an_event_says_only_what_it_knows() -> None:
    assert all(issubclass(kind, EventData) and kind.__doc__ for kind in EVENTS.values())
    assert EVENTS["game_over"](final_score=1, round_reached=2, reason="won").to_data() == {
        "final_score": 1,
        "round_reached": 2,
        "reason": "won",
    }
