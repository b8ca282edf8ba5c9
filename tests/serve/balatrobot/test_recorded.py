"""The states of the simulator against recorded states of the real game, and against what the mod's own tests expect."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from serve.balatrobot.game import CONFORMANCE, SHARED, Game, Json, needs_recordings

pytestmark = needs_recordings


def recorded(name: str) -> Json:
    state: Json = json.loads((SHARED / "states" / f"{name}.vanilla_v1.json").read_text())
    return state


def without_ids(value: Any) -> Any:
    """Ids depend on what a program did before."""
    if isinstance(value, dict):
        return {name: without_ids(part) for name, part in value.items() if name != "id"}
    return [without_ids(part) for part in value] if isinstance(value, list) else value


def ids(state: Json) -> list[int]:
    areas = ("cards", "hand", "shop", "vouchers", "packs")
    return [card["id"] for area in areas if area in state for card in state[area]["cards"]]


def same(found: Json, name: str) -> None:
    """All of it; the ids in their order, from whichever number on."""
    there = recorded(name)
    assert without_ids(found) == without_ids(there)
    assert [number - min(ids(found)) for number in ids(found)] == [number - min(ids(there)) for number in ids(there)]


def test_a_run_of_seed_1(tmp_path: Path) -> None:
    game = Game(tmp_path, seed="1")
    same(game.call("gamestate"), "01_blind_select_seed1")
    same(game.call("select"), "02_selecting_hand_seed1")


def test_a_lost_run(tmp_path: Path) -> None:
    run = json.loads((CONFORMANCE / "real_runs" / "run_red_white_seed1.json").read_text())
    game = Game(tmp_path, seed="1")
    game.call("select")
    for action in (step["action"] for step in run["steps"]):
        if action["type"] == "play_cards":
            state = game.call("play", cards=action["cards"])
    same(state, "03_game_over_seed1")


def test_a_shop_of_seed_2507(tmp_path: Path) -> None:
    game = Game(tmp_path, seed="2507")
    game.call("select")
    game.call("play", cards=[0, 1, 2, 4, 5])
    same(game.call("cash_out"), "04_shop_seed2507")


def test_the_menu(tmp_path: Path) -> None:
    game = Game(tmp_path)
    menu = json.loads((SHARED / "states" / "real_zh_tick-000050.raw.json").read_text())
    assert game.call("gamestate") == menu
    game.call("start", deck="BLUE", stake="GOLD", seed="1")
    assert game.call("menu") == menu


CASES = json.loads((SHARED / "upstream_fixture_expectations.json").read_text())["cases"] if SHARED.is_dir() else []
RECIPES = [case for case in CASES if isinstance(case["recipe"], list)]


def part(state: Any, path: str) -> Any:
    for name in re.findall(r"[^.\[\]]+", path):
        state = state[int(name)] if name.isdigit() else state[name]
    return state


@pytest.mark.parametrize("case", RECIPES, ids=lambda case: " ".join(method for method, _ in case["recipe"]))
def test_what_the_mods_tests_expect(case: Json, tmp_path: Path) -> None:
    game, state = Game(tmp_path), {}
    for method, params in case["recipe"]:
        before, state = state, game.call(method, **params)
    for path, expected in case["expect"].items():
        if path == "absent":
            assert not {*expected} & {*state}
        elif path == "opened_pack":
            # No state shows which picture an open pack had; its kind and size are what the name stands for.
            assert before["packs"]["cards"][params["pack"]]["key"][:-1] == expected[:-1]
            assert state["pack"]["limit"] == state["pack"]["count"] == 5
        elif path == "blinds":
            for blind, fields in expected.items():
                assert {name: state["blinds"][blind][name] for name in fields} == fields
        else:
            assert part(state, path) == expected, path


def test_texts_that_the_mods_tests_expect(tmp_path: Path) -> None:
    for case in (case for case in CASES if isinstance(case["recipe"], str)):
        game = Game(tmp_path, seed="1")
        state = game.call("select")
        if added := re.search(r"'key':'(\w+)'", case["recipe"]):
            state = game.call("add", key=added[1])
        for path, expected in case["expect"].items():
            if path == "no value.suit":
                assert "suit" not in state["jokers"]["cards"][0]["value"]
            else:
                assert part(state if "." in path else state["hand"]["cards"][0], path) == expected
