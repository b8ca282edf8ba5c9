"""Jokers that Amber Acorn has turned over: recordings and traces state them all the same."""

import json
from typing import Any

import pytest

from conformance.recorded import Recorded
from conformance.recordings import state_of
from conformance.runs import compare
from conformance.trace_cards import Tokens
from conformance.trace_view import view
from jimbo.engine import Run
from jimbo.wire.codec.write import open_state
from jimbo.wire.recorded_actions import engine_actions


def turned_over() -> Run:
    """Green Joker and Egg lie face down, Joker does not."""
    run = Run(seed="ACORN")
    for key in ("j_green_joker", "j_egg", "j_joker"):
        run.debug_add_joker(key)
    state = state_of(run)
    state["jokers"][0] |= {"count": 7, "face_down": True}
    state["jokers"][1] |= {"sell_bonus": 6, "face_down": True}
    return Run.from_json(json.dumps(state))


def test_a_player_knows_less() -> None:
    run = turned_over()
    assert [joker.key for joker in run.public_state().jokers] == [None, None, "j_joker"]
    assert [joker.key for joker in open_state(run).jokers] == ["j_green_joker", "j_egg", "j_joker"]


@pytest.mark.parametrize(
    ("place", "fields", "changed"),
    [
        (0, {"key": "j_green_joker", "mult": 7, "hidden": True}, {"mult": 8}),
        (0, {"key": "j_green_joker", "effect": "-1 Mult per discard (Currently +7 Mult)"}, {"effect": "Currently +8"}),
        (1, {"key": "j_egg", "sell": 8, "hidden": True}, {"sell": 2}),
        (2, {"key": "j_joker", "hidden": False}, {"hidden": True}),
    ],
)
def test_a_recording_states_what_lies_face_down(place: int, fields: dict[str, Any], changed: dict[str, Any]) -> None:
    recorded = Recorded(turned_over())
    for stated, is_right in ((fields, True), (fields | changed, False)):
        jokers = [{} for _ in range(place)] + [stated] + [{} for _ in range(2 - place)]
        assert all(case.passed for case in compare("", recorded, {"jokers": jokers})) == is_right


def test_a_trace_states_what_lies_face_down() -> None:
    run = turned_over()
    jokers = view(run, state_of(run), Tokens(run.seed, run.deck))["jokers"]
    assert [(joker["k"], joker["sell"], joker.get("fd")) for joker in jokers] == [
        ("j_green_joker", 2, 1),
        ("j_egg", 8, 1),
        ("j_joker", 1, None),
    ]


def test_an_order_can_name_what_lies_face_down() -> None:
    order = ["j_egg", "j_green_joker", "j_joker"]
    run = turned_over()
    for action in engine_actions({"type": "reorder_jokers", "order": order}, run):
        run.step(action)
    assert [joker["joker_id"] for joker in state_of(run)["jokers"]] == order
