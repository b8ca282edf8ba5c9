"""The words of recordings, field by field: what each card shows, in every spelling, and that a wrong value is found."""

import csv
import json
import os
from pathlib import Path
from typing import Any

import pytest

from conformance.recorded import Recorded
from conformance.recorded_items import UNCOMPARED, UNKNOWN, UNRULED
from conformance.recordings import Json, state_of
from conformance.runs import Replay, compare
from jimbo.engine import Action, Run
from jimbo.engine.catalog import CONSUMABLES, HANDS, JOKERS
from jimbo.wire.recorded_actions import engine_actions

ROOT = Path(__file__).resolve().parents[2]
FACTS = ROOT / os.environ.get("JIMBO_CONFORMANCE", "../shared/conformance") / ".." / "game"


def wrong(run: Run, **after: Any) -> list[str]:
    """Paths of the differences."""
    return [case.path[1:] for case in compare("", Recorded(run), after) if not case.passed]


def with_joker(key: str, **state: Any) -> Run:
    """A run that owns one joker in a certain state."""
    run = Run(seed="RECORDED")
    run.debug_add_joker(key)
    return edited(run, jokers=state)


def edited(run: Run, **changes: Json) -> Run:
    state = state_of(run)
    for name, change in changes.items():
        (state[name][0] if isinstance(state[name], list) else state[name]).update(change)
    return Run.from_json(json.dumps(state))


# --- Numbers of jokers ------------------------------------------------------------------------------------------------

GROWN = [
    ("j_green_joker", {"count": 7}, {"mult": 7, "extra": {"hand_add": 1, "discard_sub": 1}}),
    ("j_green_joker", {"count": 7}, {"mult": 7, "hand_add": 1}),
    ("j_ceremonial", {"count": 12}, {"mult": 12}),
    ("j_popcorn", {"count": 16}, {"mult": 16, "extra": 4}),
    ("j_runner", {"count": 30}, {"chips": 30, "chip_mod": 15}),
    ("j_runner", {"count": 30}, {"ability": {"extra": {"chips": 30, "chip_mod": 15}, "x_mult": 1}}),
    ("j_ice_cream", {"count": 85}, {"extra": {"chips": 85}}),
    ("j_castle", {"count": 9}, {"chips": 9, "chip_mod": 3}),
    ("j_constellation", {"x_mult": 1.1 + 0.1}, {"x_mult": 1.2, "extra": 0.1}),
    ("j_hologram", {"x_mult": 2.25}, {"x_mult": 2.25}),
    ("j_hologram", {"x_mult": 2.25}, {"Xmult": 2.25}),
    ("j_yorick", {"x_mult": 2, "count": 5}, {"x_mult": 2, "yorick_discards": 5}),
    ("j_caino", {"x_mult": 3}, {"caino_xmult": 3, "extra": 1}),
    ("j_caino", {"x_mult": 3}, {"x_mult": 3}),
    ("j_rocket", {"count": 5}, {"extra": {"dollars": 5, "increase": 2}}),
    ("j_turtle_bean", {"count": 3}, {"h_size": 3, "h_mod": 1}),
    ("j_selzer", {"count": 4}, {"extra": 4}),
    ("j_invisible", {"count": 1}, {"invis_rounds": 1, "extra": 2}),
    ("j_gros_michel", {}, {"mult": 15, "odds": 6}),
    ("j_bloodstone", {}, {"Xmult": 1.5, "odds": 2}),
    ("j_cavendish", {}, {"extra": {"Xmult": 3, "odds": 1000}}),
    ("j_jolly", {}, {"t_mult": 8, "type": "Pair"}),
    ("j_duo", {}, {"x_mult": 2, "type": "Pair"}),
    ("j_abstract", {}, {"mult": 3, "extra": 3}),
    ("j_blue_joker", {}, {"chips": 104, "extra": 2}),
    ("j_stencil", {}, {"x_mult": 5}),
    ("j_egg", {"sell_bonus": 6}, {"extra_value": 6, "extra": 3, "sell": 8}),
    ("j_joker", {"disabled": True, "debuffed_by_blind": True}, {"debuff": True}),
    ("j_joker", {"perishable": True, "perish_left": 3}, {"perishable": 3, "mult": 4}),
    ("j_joker", {"perishable": True}, {"perishable": True}),
    ("j_joker", {"eternal": True}, {"modifier": {"eternal": True}, "state": []}),
    ("j_joker", {"edition": "e_holo"}, {"modifier": {"edition": "HOLO"}, "rarity": 1, "label": "Joker"}),
]


@pytest.mark.parametrize(("key", "state", "stated"), GROWN)
def test_a_joker_shows_what_the_game_keeps(key: str, state: Json, stated: Json) -> None:
    assert wrong(with_joker(key, **state), jokers=[{"key": key, **stated}]) == []


@pytest.mark.parametrize(("key", "state", "stated"), GROWN)
def test_a_wrong_number_of_a_joker_is_found(key: str, state: Json, stated: Json) -> None:
    run = with_joker(key, **state)
    for path, changed in _changed(stated):
        assert wrong(run, jokers=[{"key": key, **changed}]) == [f"jokers[0].{path}"]


def _changed(stated: Json) -> list[tuple[str, Json]]:
    """Each number, word or flag in turn, changed."""
    found = []
    for name, value in stated.items():
        if isinstance(value, dict):
            found += [(f"{name}.{path}", {**stated, name: inner}) for path, inner in _changed(value)]
        elif value != []:
            found.append((name, {**stated, name: f"no {value}" if isinstance(value, str) else value + 0.5}))
    return found


def test_a_field_that_no_joker_has_is_a_difference() -> None:
    (case,) = compare("", Recorded(with_joker("j_joker")), {"jokers": [{"colour": "red"}]})
    assert (case.path, case.found) == (".jokers[0].colour", UNKNOWN)


@pytest.mark.skipif(not FACTS.is_dir(), reason=f"no facts at {FACTS}")
@pytest.mark.parametrize(("file", "area"), [("jokers.csv", "jokers"), ("tarots.csv", "consumables")])
def test_constants_are_those_of_the_game(file: str, area: str) -> None:
    with (FACTS / file).open() as lines:
        rows = [(row["key"], json.loads(row["numbers"] or "{}")) for row in csv.DictReader(lines)]
    assert len(rows) == (150 if area == "jokers" else 22)
    for key, numbers in rows:
        if "Xmult" in numbers:
            numbers["x_mult"] = numbers.pop("Xmult")
        run = with_joker(key) if area == "jokers" else _with_consumable(key)
        # Swashbuckler counts the others at once, and here there are none.
        if key != "j_swashbuckler":
            assert wrong(run, **{area: [{"key": key, **numbers}]}) == [], key


def _with_consumable(key: str) -> Run:
    run = Run(seed="RECORDED")
    run.debug_add_consumable(key)
    return run


def test_constants_that_no_rule_speaks_of_are_of_known_cards() -> None:
    assert {key for key, _ in UNRULED} <= JOKERS.keys() | CONSUMABLES.keys()


# --- Texts ------------------------------------------------------------------------------------------------------------

TEXTS = [
    ("j_green_joker", {"count": 7}, "+1 Mult per hand played -1 Mult per discard (Currently +{} Mult)", "7", "8"),
    ("j_hologram", {"x_mult": 1.25}, "gains X0.25 Mult per playing card (Currently X{} Mult)", "1.25", "1.5"),
    ("j_blue_joker", {}, "+2 Chips for each remaining card in deck (Currently +{} Chips)", "104", "102"),
    ("j_ice_cream", {"count": 85}, "+{} Chips -5 Chips for every hand played", "85", "90"),
    ("j_ramen", {"x_mult": 1.93}, "X{} Mult, loses X0.01 Mult per card discarded", "1.93", "1.92"),
    ("j_selzer", {"count": 4}, "Retrigger all cards played for the next {} hands", "4", "5"),
    ("j_loyalty_card", {"count": 0}, "X4 Mult every 6 hands played {} remaining", "5", "4"),
    ("j_invisible", {"count": 2}, "After 2 rounds, sell this card (Currently {}/2)", "2", "1"),
    ("j_constellation", {"x_mult": 1.1 + 0.1}, "gains X0.1 Mult per Planet card (Currently X{} Mult)", "1.2", "1.1"),
    ("j_hologram", {"x_mult": 12.25}, "gains X0.25 Mult per playing card (Currently X{} Mult)", "12.25", "12.2"),
]


@pytest.mark.parametrize(("key", "state", "text", "right", "other"), TEXTS)
def test_the_number_in_a_text_is_compared(key: str, state: Json, text: str, right: str, other: str) -> None:
    run = with_joker(key, **state)
    (case,) = compare("", Recorded(run), {"jokers": [{"effect": text.format(right)}]})
    assert case.passed
    (case,) = compare("", Recorded(run), {"jokers": [{"effect": text.format(other)}]})
    assert not case.passed
    assert right in case.found


def shop_with(key: str, edition: str) -> Run:
    """Joker and an Egg that has grown (they sell for $1 and $5) are owned, and this one is on sale."""
    run = Run(seed="2507")
    for owned in ("j_joker", "j_egg"):
        run.debug_add_joker(owned)
    run.step(Action("select_blind"))
    run.chips = run.target
    for action in (Action("play", cards=[0]), Action("cash_out")):
        run.step(action)
    state = state_of(run)
    joker = next(card["offer"] for card in state["shop"]["cards"] if card["offer"]["kind"] == "joker")
    joker |= {"joker": key, "edition": edition}
    state["shop"]["cards"] = [{"offer": joker, "free": False}]
    return Run.from_json(json.dumps(state))


OFFERED = [
    ("j_abstract", "e_base", "+3 Mult for each Joker card (Currently +{} Mult)", "6", "9"),
    ("j_stencil", "e_base", "X1 Mult for each empty Joker slot (Currently X{} Mult)", "3", "2"),
    ("j_stencil", "e_negative", "X1 Mult for each empty Joker slot (Currently X{} Mult)", "3", "4"),
    ("j_swashbuckler", "e_base", "Adds the sell value of all other Jokers (Currently +{} Mult)", "6", "8"),
]


@pytest.mark.parametrize(("key", "edition", "text", "right", "other"), OFFERED)
def test_a_joker_on_offer_does_not_count_itself(key: str, edition: str, text: str, right: str, other: str) -> None:
    run = shop_with(key, edition)
    assert wrong(run, shop=[{"key": key, "effect": text.format(right)}]) == []
    assert wrong(run, shop=[{"key": key, "effect": text.format(other)}]) == ["shop[0].effect"]


def test_a_text_without_a_number_is_not_compared() -> None:
    assert list(compare("", Recorded(with_joker("j_joker")), {"jokers": [{"effect": "+4 Mult"}]})) == []


def test_the_level_in_the_text_of_a_planet_is_compared() -> None:
    run = _with_consumable("c_mercury")
    run.debug_raise_level("Pair", 2)
    text = "(lvl.3) Level up Pair +1 Mult and +15 chips"
    assert wrong(run, consumables=[{"effect": text}]) == []
    assert wrong(run, consumables=[{"effect": text.replace("lvl.3", "lvl.2")}]) == ["consumables[0].effect"]


# --- Spellings --------------------------------------------------------------------------------------------------------

EDITIONS = {
    "e_base": ["", None, "NONE", "BASE"],
    "e_foil": ["FOIL", "foil", "e_foil", "Foil"],
    "e_holo": ["HOLO", "holo", "e_holo", "HOLOGRAPHIC", "Holographic", {"type": "holo", "mult": 10}, {"holo": True}],
    "e_polychrome": ["POLYCHROME", "polychrome", "e_polychrome"],
    "e_negative": ["NEGATIVE", "negative", "e_negative"],
}


@pytest.mark.parametrize("edition", EDITIONS)
def test_editions_have_many_spellings(edition: str) -> None:
    run = with_joker("j_joker", edition=edition)
    for other, spellings in EDITIONS.items():
        for word in spellings:
            assert bool(wrong(run, jokers=[{"edition": word}])) == (other != edition), word


def dealt_with(*marks: str, **card: Any) -> tuple[Run, str]:
    """A run whose first card in hand carries something, and the front of that card."""
    run = Run(seed="RECORDED")
    run.step(Action("select_blind"))
    state = state_of(run)
    state["zones"]["hand"][0] |= {"modifier": list(marks), **card}
    return Run.from_json(json.dumps(state)), state["zones"]["hand"][0]["key"]


CARDS = [
    ((), {}, ["{}", {"key": "{}"}, {"enhancement": None}], ["{}:GLASS", {"enhancement": "GLASS"}, {"seal": "RED"}]),
    (("m_gold",), {}, ["{}:GOLD", {"enhancement": "m_gold"}], ["{}", "{}:GLASS", {"enhancement": "LUCKY"}]),
    (("m_glass", "seal_red"), {}, ["{}:GLASS", "{}:GLASS:RED", "{}:GLASS:Red Seal"], ["{}:GLASS:BLUE", "{}:RED:FOIL"]),
    (("e_holo",), {}, ["{}", "{}:HOLO", {"modifier": {"edition": "HOLO"}}], ["{}:FOIL", {"edition": "FOIL"}]),
    (("seal_gold",), {}, ["{}", "{}:GOLD", {"seal": "Gold"}], [{"seal": "RED"}, {"enhancement": "GOLD"}]),
    ((), {"bonus": 15}, [{"perma_bonus": 15}, {"effect": "+10 chips +15 extra chips"}], [{"perma_bonus": 10}]),
    ((), {"state": ["debuffed"]}, [{"state": {"debuff": True}}, "{}:DEBUFF"], [{"debuff": False}]),
    (("m_glass",), {}, [{"ability": {"x_mult": 2, "extra": 4}}], [{"ability": {"x_mult": 1}}]),
]


@pytest.mark.parametrize(("marks", "card", "right", "other"), CARDS)
def test_playing_cards(marks: tuple[str, ...], card: Json, right: list[Any], other: list[Any]) -> None:
    run, front = dealt_with(*marks, **card)
    hand = [held["key"] for held in state_of(run)["zones"]["hand"]]
    for stated, is_right in [(form, True) for form in right] + [(form, False) for form in other]:
        first = json.loads(json.dumps(stated).replace("{}", front)) if stated != "{}" else front
        assert bool(wrong(run, hand=[first, *hand[1:]])) != is_right, stated


# --- Consumables and vouchers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", [key for key, fact in CONSUMABLES.items() if fact.hand])
def test_planets_name_their_hand(key: str) -> None:
    hand = CONSUMABLES[key].hand
    run = _with_consumable(key)
    for name in ("poker_hand", "hand_type"):
        assert wrong(run, consumables=[{"key": key, name: hand}]) == []
        for other in HANDS.keys() - {hand}:
            assert wrong(run, consumables=[{"key": key, name: other}]) == [f"consumables[0].{name}"]


def test_vouchers_that_were_used() -> None:
    run = Run(seed="RECORDED")
    assert wrong(run, used_vouchers=[]) == []
    run.debug_redeem("v_grabber")
    run.debug_redeem("v_hone")
    for right in (["v_hone", "v_grabber"], ["Grabber", "Hone"], {"v_grabber": "", "v_hone": ""}):
        assert wrong(run, used_vouchers=right) == [], right
    assert wrong(run, used_vouchers=["v_grabber"]) == ["used_vouchers[1]"]
    assert wrong(run, used_vouchers=["v_grabber", "v_blank"]) == ["used_vouchers[1]", "used_vouchers[2]"]
    for other in ({}, {"v_grabber": ""}, {"v_grabber": "", "v_hone": "", "v_blank": ""}):
        assert wrong(run, used_vouchers=other) == ["used_vouchers"]


def test_what_is_left_out_has_a_reason() -> None:
    assert all(reason.strip() for reason in UNCOMPARED.values())


# --- To Do List -------------------------------------------------------------------------------------------------------


def to_do(**fields: Any) -> Json:
    return {"action": {"type": "wait"}, "after": {"jokers": [{"key": "j_todo_list", **fields}]}}


@pytest.mark.parametrize(
    "fields",
    [
        {"poker_hand": "Full House"},
        {"to_do_poker_hand": "Full House", "extra": {"poker_hand": "High Card", "dollars": 4}},
        {"poker_hand": "High Card", "effect": "Earn $4 if poker hand is a Full House, poker hand changes"},
    ],
)
def test_to_do_list_asks_for_what_the_recording_says(fields: Json) -> None:
    run = with_joker("j_todo_list", count=HANDS["Pair"].order)
    step = to_do(**fields)
    replay = Replay(run, [step])
    assert all(case.passed for case in replay.step("", step))
    assert state_of(replay.run)["jokers"][0]["count"] == HANDS["Full House"].order


def test_to_do_list_takes_over_no_constant_and_no_secret_hand() -> None:
    run = with_joker("j_todo_list", count=HANDS["Pair"].order)
    for fields, right in (({"poker_hand": "High Card"}, True), ({"poker_hand": "Flush Five"}, False)):
        step = to_do(**fields)
        replay = Replay(run, [step])
        assert all(case.passed for case in replay.step("", step)) == right
        assert state_of(replay.run)["jokers"][0]["count"] == HANDS["Pair"].order


# --- Actions ----------------------------------------------------------------------------------------------------------

ACTIONS = [
    ({"type": "start", "deck": "RED"}, []),
    ({"type": "select_blind"}, [Action("select_blind")]),
    ({"method": "select"}, [Action("select_blind")]),
    ({"type": "skip"}, [Action("skip_blind")]),
    ({"type": "reroll_boss"}, [Action("reroll_boss")]),
    ({"type": "play_cards", "cards": [1, 3]}, [Action("play", cards=[1, 3])]),
    ({"method": "discard", "params": {"cards": [0]}}, [Action("discard", cards=[0])]),
    ({"type": "cash_out"}, [Action("cash_out")]),
    ({"type": "buy_shop_card", "card": 1, "mode": "store"}, [Action("buy", 1)]),
    ({"type": "buy_shop_card", "card": 0, "mode": "use", "targets": [2]}, [Action("buy_and_use", 0, cards=[2])]),
    ({"method": "buy", "params": {"card": 1}}, [Action("buy", 1)]),
    ({"method": "buy", "params": {"voucher": 0}}, [Action("redeem", 0)]),
    ({"method": "buy", "params": {"pack": 1}}, [Action("open_booster", 1)]),
    ({"method": "buy_and_use", "params": {"card": 1}}, [Action("buy_and_use", 1)]),
    ({"type": "buy_voucher", "voucher": 0}, [Action("redeem", 0)]),
    ({"type": "buy_pack", "pack": 1}, [Action("open_booster", 1)]),
    ({"type": "choose_pack_card", "card": 2, "targets": []}, [Action("pick", 2)]),
    ({"method": "pack", "params": {"card": 0, "targets": [1]}}, [Action("pick", 0, cards=[1])]),
    ({"method": "pack", "params": {"skip": True}}, [Action("skip_pack")]),
    ({"type": "skip_pack"}, [Action("skip_pack")]),
    ({"type": "reroll_shop"}, [Action("reroll")]),
    ({"type": "leave_shop"}, [Action("leave_shop")]),
    ({"method": "next_round"}, [Action("leave_shop")]),
    ({"type": "use_consumable", "consumable": 1, "targets": [4]}, [Action("use", 1, cards=[4])]),
    ({"method": "use", "params": {"consumable": 0, "cards": [0, 1]}}, [Action("use", 0, cards=[0, 1])]),
    ({"type": "sell_joker", "joker": 2}, [Action("sell_joker", 2)]),
    ({"type": "sell_consumable", "consumable": 0}, [Action("sell_consumable", 0)]),
    ({"method": "sell", "params": {"joker": 0}}, [Action("sell_joker", 0)]),
    ({"method": "sell", "params": {"consumable": 1}}, [Action("sell_consumable", 1)]),
    ({"type": "sort", "by": "rank"}, [Action("sort_hand_by_rank")]),
    ({"type": "reorder_consumables", "order": [1, 0]}, [Action("move_consumable", 1, 0)]),
    ({"type": "reorder_jokers", "order": [0, 1, 2]}, []),
    ({"type": "reorder_jokers", "order": [2, 0, 1]}, [Action("move_joker", 2, 0)]),
    ({"type": "rearrange", "hand": [1, 2, 0]}, [Action("move_card", 1, 0), Action("move_card", 2, 1)]),
]


@pytest.mark.parametrize(("recorded", "actions"), ACTIONS)
def test_actions_by_every_name(recorded: Json, actions: list[Action]) -> None:
    assert engine_actions(recorded, Run()) == actions
