"""Replaying recordings: short ones made here from the engine's own truth, then with a wrong value."""

import json
from pathlib import Path
from typing import Any

import pytest

from conformance import FileResult, verify_folder
from conformance.runs import Action, Run

SEED = "REPLAY"
START = {"type": "start", "deck": "RED", "stake": "WHITE", "seed": SEED}
SELECT = {"type": "select_blind"}


def state_of(run: Run) -> dict[str, Any]:
    state: dict[str, Any] = json.loads(run.to_json())
    return state


def fronts(run: Run, zone: str) -> list[str]:
    return [card["key"] for card in state_of(run)["zones"][zone]]


def check(folder: Path, *steps: tuple[dict[str, Any], dict[str, Any]], name: str = "run_x.json") -> FileResult:
    path = folder / "real_runs" / name
    path.parent.mkdir(exist_ok=True)
    recorded = [{"action": action, "after": after} for action, after in steps]
    path.write_text(json.dumps({"deck": "RED", "stake": "WHITE", "seed": SEED, "steps": recorded}))
    (result,) = verify_folder(folder).files
    return result


def dealt() -> Run:
    run = Run(seed=SEED)
    run.step(Action("select_blind"))
    return run


def winning_play() -> tuple[Run, list[tuple[dict[str, Any], dict[str, Any]]]]:
    """A run that wins its first round without discards, and the recorded actions up to there."""
    run = dealt()
    steps: list[tuple[dict[str, Any], dict[str, Any]]] = [(START, {}), (SELECT, {})]
    while run.phase == "selecting_hand":
        plays = [action for action in run.legal_actions() if action.kind == "play" and len(action.cards) == 5]
        best = max(plays, key=lambda action: run.preview(action.cards).score)
        run.step(best)
        steps.append(({"type": "play_cards", "cards": best.cards}, {}))
    assert run.phase == "round_eval"
    return run, steps


def test_a_right_recording_passes(tmp_path: Path) -> None:
    run = Run(seed=SEED)
    start = {"phase": "BLIND_SELECT", "ante": 1, "round": 0, "money": 4, "hand": [], "deck_order": fronts(run, "deck")}
    start["blinds"] = {"small": {"score": 300, "status": "SELECT"}, "big": {"score": 450, "status": "UPCOMING"}}
    run = dealt()
    after = {
        "phase": "SELECTING_HAND",
        "round": 1,
        "blind": "small (300)",
        "hand": fronts(run, "hand"),
        "deck_count": 44,
    }
    result = check(tmp_path, (START, start), (SELECT, after | {"blinds": {"small": "CURRENT"}, "note": "free text"}))
    # Cards count one by one, and so does every value of a blind; an empty hand is one value.
    assert (result.passed, result.failed) == (5 + 52 + 4 + 4 + 8 + 1, 0)


WRONG = [
    ("phase", "SHOP", ""),
    ("ante", 2, ""),
    ("round", 2, ""),
    ("money", 5, ""),
    ("chips", 1, ""),
    ("hands_left", 3, ""),
    ("discards_left", 3, ""),
    ("reroll_cost", 6, ""),
    ("deck_count", 43, ""),
    ("blind", "big", ""),
    ("blind", "small (301)", ""),
    ("blinds", {"small": "UPCOMING"}, ".small"),
    ("blinds", {"boss": {"score": 601}}, ".boss.score"),
    ("hand", ["S_1"], "[0]"),
    ("discard_pile", ["S_A"], "[0]"),
    ("debuffed_in_hand", [3], "[0]"),
    ("jokers", [{"key": "j_joker"}], "[0]"),
    ("consumables", ["c_fool"], "[0]"),
    ("tags", ["Double Tag"], "[0]"),
    ("shop", [{"key": "j_joker", "cost": 2}], "[0]"),
    ("vouchers", [{"key": "v_hone", "cost": 10}], "[0]"),
    ("pack", ["c_fool"], "[0]"),
    ("pack_choices_remaining", 1, ""),
    ("hands_played_counts", {"Pair": 1}, ".Pair"),
    ("hand_levels", {"Pair": {"level": 1, "chips": 11}}, ".Pair.chips"),
    ("last_tarot_planet", "c_fool", ""),
    ("most_played_poker_hand", "Pair", ""),
    ("won", True, ""),
    ("a_new_field", 1, ""),
]


@pytest.mark.parametrize(("name", "value", "inside"), WRONG)
def test_every_field_is_compared(tmp_path: Path, name: str, value: Any, inside: str) -> None:
    first = check(tmp_path, (START, {}), (SELECT, {name: value})).first_difference
    assert first is not None
    assert first.path == f"steps[1].after.{name}{inside}"


def test_shop_and_payout(tmp_path: Path) -> None:
    run, steps = winning_play()
    hand = state_of(run)["score"]["last_hand"]
    steps[-1][1].update({"phase": "ROUND_EVAL", "chips": run.chips, "hand_type_played": hand, "hand": []})
    run.step(Action("cash_out"))
    shop = state_of(run)["shop"]
    offers = [card["offer"] for card in shop["cards"]]
    keys = [offer[offer["kind"]] for offer in offers]
    prices = [offer.price for offer in run.public_state().shop]
    after = {
        "phase": "SHOP",
        "money": run.dollars,
        "reroll_cost": 5,
        "shop": [{"key": key, "cost": cost} for key, cost in zip(keys, prices, strict=True)],
        "packs": [{"key": pack["key"], "cost": 4 if "normal" in pack["key"] else 6} for pack in shop["boosters"]],
        "deck_order": fronts(run, "deck"),
    }
    leave = ({"type": "leave_shop"}, {"phase": "BLIND_SELECT", "deck_order": "same order as in the shop"})
    right = check(tmp_path, *steps, ({"type": "cash_out"}, after), leave)
    assert right.first_difference is None

    # Which picture the run's first pack shows is not seeded; its kind is, and all of the second pack.
    packs = [dict(pack) for pack in after["packs"]]
    packs[0]["key"] = packs[0]["key"].replace("_1", "_2")
    result = check(tmp_path, *steps, ({"type": "cash_out"}, after | {"packs": packs}))
    assert (result.failed, result.excepted) == (0, 0)
    packs[0]["key"] = "p_arcana_normal_1"
    assert check(tmp_path, *steps, ({"type": "cash_out"}, after | {"packs": packs})).failed == 1
    packs = [after["packs"][0], {"key": "p_nothing_1"}]
    assert check(tmp_path, *steps, ({"type": "cash_out"}, after | {"packs": packs})).failed == 1


def test_debuffs_are_places_or_fronts(tmp_path: Path) -> None:
    run = dealt()
    right = check(tmp_path, (START, {}), (SELECT, {"debuffed_in_hand": []}))
    assert right.passed == 1
    first = check(tmp_path, (START, {}), (SELECT, {"debuffed_in_hand": [fronts(run, "hand")[0]]})).first_difference
    assert first is not None
    assert first.found is None


def test_a_refused_action_ends_the_replay(tmp_path: Path) -> None:
    result = check(tmp_path, (START, {"money": 4}), ({"type": "cash_out"}, {"money": 4}), (SELECT, {"money": 4}))
    assert (result.passed, result.failed) == (1, 1)
    assert result.first_difference is not None
    assert result.first_difference.path == "steps[1].action"


def test_an_unknown_action_ends_the_replay(tmp_path: Path) -> None:
    result = check(tmp_path, (START, {"money": 4}), ({"type": "dance"}, {"money": 4}))
    assert (result.passed, result.failed) == (1, 1)
    assert result.first_difference is not None
    assert result.first_difference.found == 'no action "dance" is known'


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ({"type": "reorder_jokers", "order": [1, 1]}, "[1, 1] is not an order of 2 places"),
        ({"type": "reorder_jokers"}, "the action names no new order"),
        ({"type": "play_cards"}, "the field 'cards' is missing"),
        ({"type": "buy_pack", "pack": 10**30}, "a value has the wrong kind or size"),
        (7, "a value has the wrong kind or size"),
    ],
)
def test_an_action_that_makes_no_sense_names_its_step(tmp_path: Path, action: Any, reason: str) -> None:
    result = check(tmp_path, (START, {}), (action, {}))
    assert result.error is not None
    assert result.error.startswith(f"real_runs/run_x.json, steps[1]: not in the layout of this file: {reason}")
