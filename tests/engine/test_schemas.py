"""Actions, traces and the schema page."""

import json
import random
from pathlib import Path

import pytest

from jimbo.engine import Action, Run, action_kinds, schema_hash
from jimbo.engine._core import schema_table  # noqa: TID251
from jimbo.engine.schemas import (
    TraceRecorder,
    action_from_json,
    action_to_json,
    markdown,
    replay_trace,
    state_hashes,
)

PAGE = Path(__file__).parents[2] / "docs" / "schemas.md"


def recorded(steps: int, snapshot_every: int = 0) -> TraceRecorder:
    recorder = TraceRecorder(Run("b_magic", "black", "TRACE1"), snapshot_every=snapshot_every)
    choice = random.Random(7)
    for _ in range(steps):
        actions = recorder.run.legal_actions(with_moves=True)
        if not actions:
            break
        recorder.step(choice.choice(actions))
    return recorder


@pytest.mark.parametrize("kind", action_kinds())
def test_every_kind_of_action_comes_back_from_json(kind: str) -> None:
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


def test_a_trace_replays_to_the_same_run() -> None:
    recorder = recorded(60, snapshot_every=10)
    run = replay_trace(recorder.dumps().splitlines())
    assert state_hashes(run) == state_hashes(recorder.run)
    snapshots = [record for record in recorder.records if "canonical_state_snapshot" in record]
    assert len(snapshots) == (len(recorder.records) - 1) // 10


def test_a_changed_trace_is_noticed() -> None:
    lines = recorded(20).dumps().splitlines()
    record = json.loads(lines[8])
    record["state_hash_full"] = "0" * 64
    lines[8] = json.dumps(record)
    with pytest.raises(ValueError, match="differs from the trace at step 7: state_hash_full"):
        replay_trace(lines)


def test_a_trace_needs_its_start() -> None:
    with pytest.raises(ValueError, match="first line must be the start"):
        replay_trace(recorded(3).dumps().splitlines()[1:])


@pytest.mark.parametrize(
    ("lines", "message"),
    [(["[]"], "every line must be an object"), (['{"type":"start","schema_version":"trace_v1"}'], "lacks the field")],
)
def test_a_line_that_does_not_fit_is_refused_with_a_sentence(lines: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        replay_trace(lines)


def test_the_schema_page_is_up_to_date() -> None:
    assert PAGE.read_text() == markdown(), "run: python -m jimbo.engine.schemas > docs/schemas.md"


def test_the_schema_hash_covers_paths_and_kinds_but_no_meanings() -> None:
    layout = "".join("\t".join(line.split("\t")[:2]) + "\n" for line in schema_table().splitlines())
    fnv = 14695981039346656037
    for byte in layout.encode():
        fnv = (fnv ^ byte) * 1099511628211 % 2**64
    assert schema_hash() == f"{fnv:016x}"
