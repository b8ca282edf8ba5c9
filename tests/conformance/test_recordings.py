"""Whole recordings: made by playing here, then with one value changed; and states that the real game's mod sent."""

import copy
import json
import os
import re
from collections.abc import Callable
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from conformance import FileResult, verify_folder
from conformance.recorded import Recorded
from conformance.recordings import Json, Recorder, mutations, whole_recording
from conformance.runs import compare
from jimbo.engine import Action, Run

ROOT = Path(__file__).resolve().parents[2]
CONFORMANCE = ROOT / os.environ.get("JIMBO_CONFORMANCE", "../shared/conformance")
STATES = CONFORMANCE.parent / "balatrobot" / "states"


_played = cache(whole_recording)


def played(seed: str) -> Json:
    return copy.deepcopy(_played(seed))


def check(folder: Path, recording: Json) -> FileResult:
    path = folder / "real_runs" / "run_x.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(recording))
    (result,) = verify_folder(folder, every_difference=True).files
    assert result.error is None
    return result


def changed(recording: Json, list_name: str, fits: Callable[[Json], bool], change: Callable[[Json], Any]) -> str:
    """Changes the first entry that fits in a recorded list; the path of the entry."""
    for i, step in enumerate(recording["steps"]):
        for place, entry in enumerate(step["after"].get(list_name, ())):
            if fits(entry):
                change(entry)
                return f"steps[{i}].after.{list_name}[{place}]"
    raise AssertionError(f"no such entry among the recorded {list_name}")


@pytest.mark.parametrize("seed", ["R232", "R325"])
def test_a_right_recording_passes(tmp_path: Path, seed: str) -> None:
    result = check(tmp_path, played(seed))
    assert result.differences == ()
    assert result.passed > 1000


WRONG_JOKERS = [
    ("R232", "x_mult", 2.5),
    ("R232", "chips", 21),
    ("R232", "edition", "FOIL"),
    ("R232", "debuff", True),
    ("R325", "mult", 77),
    ("R325", "chips", 77),
    ("R325", "sell", 77),
    ("R325", "a_new_field", 1),
]


@pytest.mark.parametrize(("seed", "name", "value"), WRONG_JOKERS)
def test_a_wrong_value_of_a_joker_is_found(tmp_path: Path, seed: str, name: str, value: Any) -> None:
    recording = played(seed)
    path = changed(
        recording, "jokers", lambda joker: name in joker or name == "a_new_field", lambda j: j.update({name: value})
    )
    result = check(tmp_path, recording)
    assert [difference.path for difference in result.differences or ()] == [f"{path}.{name}"]


def test_a_wrong_hand_of_a_planet_is_found(tmp_path: Path) -> None:
    recording = played("R232")
    path = changed(
        recording,
        "consumables",
        lambda c: c.get("poker_hand") != "Flush Five" and "poker_hand" in c,
        lambda c: c.update(poker_hand="Flush Five"),
    )
    result = check(tmp_path, recording)
    assert [difference.path for difference in result.differences or ()] == [f"{path}.poker_hand"]


# --- Orders -----------------------------------------------------------------------------------------------------------


def reorders(recording: Json) -> list[Json]:
    return [step for step in recording["steps"] if step["action"]["type"] == "reorder_jokers"]


FORMS: list[Callable[[Json], Json]] = [
    lambda step: {"type": "rearrange", "jokers": step["action"]["order"]},
    lambda step: {"method": "rearrange", "params": {"jokers": step["action"]["order"]}},
    lambda step: {"type": "rearrange_jokers", "permutation": step["action"]["order"]},
    lambda step: {"type": "reorder_jokers", "order": [joker["key"] for joker in step["after"]["jokers"]]},
    lambda step: {"type": "reorder_jokers", "from": len(step["action"]["order"]) - 1, "to": 0},
]


@pytest.mark.parametrize("form", FORMS)
def test_an_order_of_jokers_has_many_forms(tmp_path: Path, form: Callable[[Json], Json]) -> None:
    recording = played("R232")
    steps = reorders(recording)
    assert any(len(step["action"]["order"]) > 2 for step in steps)
    for step in steps:
        step["action"] = form(step)
    assert check(tmp_path, recording).differences == ()


def test_a_wrong_order_of_jokers_is_found(tmp_path: Path) -> None:
    recording = played("R232")
    first = reorders(recording)[0]
    first["action"]["order"] = list(range(len(first["action"]["order"])))
    differences = check(tmp_path, recording).differences or ()
    step = recording["steps"].index(first)
    assert differences[0].path == f"steps[{step}].after.jokers[0].key"


def test_hands_and_consumables_can_be_put_in_order(tmp_path: Path) -> None:
    recorder = Recorder("R325")
    recorder.take(Action("select_blind"), {"type": "select_blind"})
    size = len(recorder.steps[-1]["after"]["hand"])
    recorder.take(Action("move_card", 0, size - 1), {"type": "reorder_hand", "order": [*range(1, size), 0]})
    recorder.take(Action("sort_hand_by_suit"), {"type": "sort", "by": "suit"})
    recorder.take(Action("discard", cards=[0]), {"method": "discard", "params": {"cards": [0]}})
    assert check(tmp_path, recorder.recording).differences == ()
    recorder.steps[2]["action"]["order"].reverse()
    assert check(tmp_path, recorder.recording).failed > 0


# --- Blinds that were skipped -----------------------------------------------------------------------------------------


def test_a_skipped_blind_stays_skipped(tmp_path: Path) -> None:
    recorder = Recorder("R325")
    recorder.take(Action("skip_blind"), {"type": "skip_blind"})
    blinds = {"small": {"status": "SKIPPED"}, "big": {"status": "SELECT"}, "boss": {"status": "UPCOMING"}}
    recorder.steps[-1]["after"] = {"blinds": blinds}
    assert check(tmp_path, recorder.recording).differences == ()
    blinds["small"]["status"] = "DEFEATED"
    assert check(tmp_path, recorder.recording).failed == 1


# --- States of the mod itself -----------------------------------------------------------------------------------------

REAL = [
    ("01_blind_select_seed1", "run_red_white_seed1.json", 0),
    ("02_selecting_hand_seed1", "run_red_white_seed1.json", 1),
    ("03_game_over_seed1", "run_red_white_seed1.json", 5),
    ("04_shop_seed2507", "run_red_white_seed2507.json", 3),
]
NOT_COMPARED = [
    r".*\.id",  # differs from one start of the program to the next
    r".*\.highlighted_limit",  # how many cards the mouse may hold
    r".*\.example\[.*",  # a picture
    r"poker_hand_iteration_order\[.*",  # of a table that has no order
    r".*effect",  # texts; the numbers in them have a test of their own
    r"cards\..*\.hidden",  # the draw pile lies face down always
    r"cards\..*\.cost\.(buy|sell)",  # not on sale
    r"(vouchers|packs)\..*\.cost\.sell",  # never owned
    r"shop\..*\.modifier\.enhancement",  # the mod writes there what kind of joker it is
]
MANY = {"cards": 23, "deck_composition": 17}
"""Of 52 like cards a part will do: one value in this many."""


@pytest.mark.skipif(not STATES.is_dir(), reason=f"no states at {STATES}")
@pytest.mark.parametrize("kind", ["raw", "vanilla_v1"])
@pytest.mark.parametrize(("name", "run", "step"), REAL)
def test_real_states_of_the_mod_agree_in_every_value(tmp_path: Path, name: str, run: str, step: int, kind: str) -> None:
    recording = json.loads((CONFORMANCE / "real_runs" / run).read_text())
    steps = [{"action": taken["action"], "after": {}} for taken in recording["steps"][: step + 1]]
    steps[-1]["after"] = json.loads((STATES / f"{name}.{kind}.json").read_text())
    result = check(tmp_path, recording | {"steps": steps})
    assert result.differences == ()
    assert result.passed > 200


@pytest.mark.skipif(not STATES.is_dir(), reason=f"no states at {STATES}")
def test_every_changed_value_of_a_real_state_is_found() -> None:
    stated = json.loads((STATES / "04_shop_seed2507.raw.json").read_text())
    run = Run(seed="2507")
    for action in (Action("select_blind"), Action("play", cards=[0, 1, 2, 4, 5]), Action("cash_out")):
        run.step(action)
    view = Recorded(run)
    missed = [
        path
        for name, part in stated.items()
        for path, wrong in islice(mutations(part, name), None, None, MANY.get(name, 1))
        if all(case.passed for case in compare("", view, {name: wrong}))
    ]
    assert [path for path in missed if not re.fullmatch("|".join(NOT_COMPARED), path)] == []
