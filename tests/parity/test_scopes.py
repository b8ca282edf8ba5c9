"""What each scope compares, and that it sees a change in it."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from jimbo.agents import make_agent
from jimbo.backends import SimBackend
from jimbo.parity.playing import record, replay, simulator
from jimbo.parity.scopes import PARTS, SCOPES, project, scope_named
from jimbo.parity.trace import Trace, first_difference, trace_differences
from jimbo.rollout import Rollout

Json = dict[str, Any]
SEEDS_SCOPES = (
    "full hand_core score_core p0_hand_score_core p0_hand_score_observed_core p1_hand_score_observed_core "
    "p2_hand_score_observed_core p2b_hand_score_observed_core p3_hand_score_observed_core p4_consumable p5_modifier "
    "p5_voucher_pack p7_stateful p8_shop p8_rng p9_episode p10_long_episode p11_prob_econ p14_real_action zones_core "
    "zones_counts_core economy_core rng_events_core"
)


CALLS: list[tuple[str, Json]] = [
    ("select", {}),
    ("play", {"cards": [0]}),
    ("set", {"chips": 1000, "money": 100}),
    ("play", {"cards": [0, 1]}),
    ("cash_out", {}),
    ("add", {"key": "j_runner"}),
    ("buy", {"pack": 0}),
    ("pack", {"card": 0}),
    ("buy", {"pack": 9}),
    ("reroll", {}),
    ("next_round", {}),
    ("select", {}),
    ("play", {"cards": [2, 1, 0]}),
]


@pytest.fixture(scope="module")
def trace() -> Trace:
    """A run with jokers, an open pack and a refused call in it."""
    asked = Trace("b_red", "stake_white", "TEST123", "nowhere", {})
    for method, params in CALLS:
        asked.add(method, params, {})
    with simulator() as server:
        return replay(asked, server)


def test_an_agent_plays_the_same_over_the_wire_and_without_it() -> None:
    start = {"deck": "b_red", "stake": "stake_white", "seed": "2507"}
    with simulator() as server:
        played = record(server, make_agent("greedy"), **start, max_steps=40)
    rollout = Rollout(SimBackend())
    rollout.start(**start)
    moments = list(rollout.play(make_agent("greedy"), 0, max_steps=40))
    assert len(played.steps) == len(moments) == 40
    last = moments[-1].after
    assert [card["key"] for card in played.steps[-1]["state"]["jokers"]["cards"]] == [
        joker.key for joker in last.jokers
    ]
    assert played.steps[-1]["state"]["money"] == last.dollars


def test_all_scopes_are_there() -> None:
    assert {*SEEDS_SCOPES.split()} == {*SCOPES} - {"texts", "joker_marks"}
    assert {part for parts in SCOPES.values() for part in parts} == {*PARTS}


@pytest.mark.parametrize("scope", SCOPES)
def test_a_run_played_again_has_no_difference(trace: Trace, scope: str) -> None:
    assert list(trace_differences(trace, played_again(trace), scope)) == []


_again: dict[int, Trace] = {}


def played_again(trace: Trace) -> Trace:
    if id(trace) not in _again:
        with simulator() as server:
            _again[id(trace)] = replay(trace, server)
    return _again[id(trace)]


def play_step(trace: Trace) -> int:
    """The first step that plays a hand and another one follows."""
    return next(
        place
        for place, step in enumerate(trace.steps)
        if step["method"] == "play" and step["state"]["state"] == "SELECTING_HAND"
    )


def shop_step(trace: Trace) -> int:
    return next(place for place, step in enumerate(trace.steps) if step["state"]["state"] == "SHOP")


def pack_step(trace: Trace) -> int:
    return next(place for place, step in enumerate(trace.steps) if "pack" in step["state"])


def joker_step(trace: Trace) -> int:
    return next(
        place
        for place, step in enumerate(trace.steps)
        if step["state"]["state"] == "SELECTING_HAND" and step["state"]["jokers"]["count"]
    )


def _put(*path: Any, value: Any) -> Callable[[Json], None]:
    def put(state: Json) -> None:
        for name in path[:-1]:
            state = state[name]
        state[path[-1]] = value

    return put


CARD: Json = {"key": "H_A", "set": "DEFAULT", "modifier": {"seal": "RED"}, "state": [], "value": {}, "cost": {"buy": 9}}
JOKER: Json = {"key": "j_wee", "set": "JOKER", "state": {"debuff": True}, "value": {"effect": "(Currently +15 Chips)"}}
CHANGES: dict[str, tuple[Callable[[Trace], int], Callable[[Json], None]]] = {
    "phase": (play_step, _put("state", value="HAND_PLAYED")),
    "ante": (play_step, _put("ante_num", value=99)),
    "round_num": (play_step, _put("round_num", value=99)),
    "money": (play_step, _put("money", value=-99)),
    "won": (play_step, _put("won", value=True)),
    "done": (play_step, _put("state", value="GAME_OVER")),
    "stake": (play_step, _put("stake", value="GOLD")),
    "hands_left": (play_step, _put("round", "hands_left", value=99)),
    "discards_left": (play_step, _put("round", "discards_left", value=99)),
    "reroll_cost": (play_step, _put("round", "reroll_cost", value=99)),
    "chips": (play_step, _put("round", "chips", value=0.5)),
    "chips_delta": (play_step, _put("round", "chips", value=0.5)),
    "last_hand": (play_step, lambda state: state["hands"]["High Card"].update(played=0)),
    "target": (play_step, _put("blinds", "small", "score", value=1)),
    "blind": (play_step, _put("blinds", "small", "name", value="The Hook")),
    "blind_present": (play_step, _put("blinds", value=[])),
    "blinds": (play_step, _put("blinds", "big", "tag_name", value="No Tag")),
    "hand": (play_step, _put("hand", "cards", 0, value=CARD)),
    "hand_sorted": (play_step, _put("hand", "cards", 0, value=CARD)),
    "hand_count": (play_step, _put("hand", "cards", value=[CARD])),
    "hand_modified": (play_step, _put("hand", "cards", 0, value=CARD)),
    "draw_pile": (play_step, _put("cards", "cards", -1, value=CARD)),
    "draw_pile_count": (play_step, _put("cards", "cards", value=[])),
    "hand_size": (play_step, _put("hand", "cards", value=[])),
    "levels": (play_step, _put("hands", "Pair", "level", value=9)),
    "jokers": (joker_step, _put("jokers", "cards", 0, value=JOKER)),
    "jokers_disabled": (joker_step, _put("jokers", "cards", 0, value=JOKER)),
    "joker_marks": (joker_step, _put("jokers", "cards", 0, "modifier", value={"eternal": True})),
    "joker_numbers": (joker_step, _put("jokers", "cards", 0, value=JOKER)),
    "card_bonuses": (play_step, _put("hand", "cards", 0, "value", "effect", value="+9 chips +5 extra chips")),
    "consumables": (play_step, _put("consumables", "cards", value=[CARD])),
    "shop": (shop_step, _put("shop", "cards", 0, value=CARD)),
    "vouchers": (shop_step, _put("vouchers", "cards", value=[CARD])),
    "packs": (shop_step, _put("packs", "cards", 0, value=CARD)),
    "pack": (pack_step, _put("pack", "cards", 0, value=CARD)),
    "used_vouchers": (shop_step, _put("used_vouchers", value={"v_none": ""})),
    "used_voucher_count": (shop_step, _put("used_vouchers", value={"v_none": "", "v_other": ""})),
    "can_play": (play_step, _put("round", "hands_left", value=0)),
    "can_discard": (play_step, _put("round", "discards_left", value=0)),
    "everything": (play_step, _put("consumables", "limit", value=9)),
    "texts": (play_step, _put("hand", "cards", 0, "value", "effect", value="another")),
}


@pytest.mark.parametrize("part", [part for part in PARTS if not part.startswith("played")])
def test_every_part_is_seen_by_its_scopes(trace: Trace, part: str) -> None:
    place, change = CHANGES[part]
    step = place(trace)
    changed = copy.deepcopy(trace)
    change(changed.steps[step]["state"])
    for scope in (scope for scope, parts in SCOPES.items() if part in parts):
        first = next(trace_differences(trace, changed, scope), None)
        assert first is not None, scope
        assert first.step == step + 1
    moments = [list(side.moments())[step + 1] for side in (trace, changed)]
    assert PARTS[part](moments[0]) != PARTS[part](moments[1])


@pytest.mark.parametrize("part", ["played", "played_sorted"])
def test_played_cards_are_those_of_the_hand_before(trace: Trace, part: str) -> None:
    step = play_step(trace)
    changed = copy.deepcopy(trace)
    before = changed.steps[step - 1]["state"] if step else changed.start
    before["hand"]["cards"][changed.steps[step]["params"]["cards"][0]] = CARD
    for scope in (scope for scope, parts in SCOPES.items() if part in parts):
        assert any(found.step == step + 1 for found in trace_differences(trace, changed, scope)), scope


def test_ids_and_words_do_not_count(trace: Trace) -> None:
    changed = copy.deepcopy(trace)
    for step in changed.steps:
        for card in step["state"]["cards"]["cards"]:
            card["id"] += 100
            card["value"]["effect"] += " in other words"
    assert not list(trace_differences(trace, changed, "full"))
    assert list(trace_differences(trace, changed, "texts"))


def test_refusals_count_in_every_scope(trace: Trace) -> None:
    assert [place for place, step in enumerate(trace.steps) if "refused" in step] == [8]
    assert trace.steps[8]["refused"] == "BadRequest"
    changed = copy.deepcopy(trace)
    changed.steps[3]["refused"] = "NotAllowed"
    for scope in SCOPES:
        (found,) = trace_differences(trace, changed, scope)
        assert (found.step, found.path, found.one, found.other) == (4, "$.refused", None, "NotAllowed")


def test_other_calls_end_the_comparison(trace: Trace) -> None:
    changed = copy.deepcopy(trace)
    changed.steps[5]["params"] = {"cards": [7]}
    (found,) = trace_differences(trace, changed, "p8_shop")
    assert (found.step, found.path) == (6, "$.call")
    del changed.steps[4:]
    (found,) = trace_differences(trace, changed, "p8_shop")
    assert (found.step, found.path, found.other) == (5, "$.call", None)


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}, ("$.a[1].b", 2, 3)),
        ({"a": 1}, {}, ("$.a", 1, "nothing")),
        ([1], [1, 2], ("$[1]", "nothing", 2)),
        ({"a": []}, {"a": {}}, None),
        (1.0, 1, None),
        (1.2000000000000002, 1.2, None),
        (True, 1, ("$", True, 1)),
        (None, 0, ("$", None, 0)),
    ],
)
def test_the_first_difference(one: Any, other: Any, found: Any) -> None:
    assert first_difference(one, other) == found


def test_full_sees_what_only_the_text_of_a_joker_tells(trace: Trace) -> None:
    one, other = copy.deepcopy(trace), copy.deepcopy(trace)
    text = "Gains +15 Chips if played hand contains a Straight (Currently +{} Chips)"
    for side, chips in ((one, 33), (other, 34)):
        side.steps[-1]["state"]["jokers"]["cards"][0]["value"]["effect"] = text.format(chips)
    (found,) = trace_differences(one, other, "full")
    assert (found.path, found.one, found.other) == ("$.joker_numbers[0][1].chips", "33", "34")


@pytest.mark.parametrize(("name", "other"), [("seed", "0THER"), ("deck", "b_blue"), ("stake", "stake_gold")])
def test_traces_of_different_runs_differ_from_the_start(trace: Trace, name: str, other: str) -> None:
    changed = copy.deepcopy(trace)
    setattr(changed, name, other)
    (found,) = trace_differences(trace, changed, "zones_counts_core")
    assert (found.step, found.path, found.one, found.other) == (0, f"$.{name}", getattr(trace, name), other)


@pytest.mark.parametrize("phase", ["P0", "P1", "P2", "P2b", "P3"])
def test_phases_are_scopes_for_short(phase: str) -> None:
    assert scope_named(phase) == f"{phase.lower()}_hand_score_observed_core"
    assert scope_named("Hand_Core") == "hand_core"


def test_no_such_scope(trace: Trace) -> None:
    with pytest.raises(ValueError, match='There is no scope "p99"'):
        project(next(trace.moments()), "p99")
