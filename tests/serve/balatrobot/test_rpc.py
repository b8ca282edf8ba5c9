"""Envelopes and parameters that the mod refuses, in its words and in its order."""

import random
from pathlib import Path
from typing import Any

import pytest

from jimbo.wire.methods import METHODS
from serve.balatrobot.game import Game

OK = {"jsonrpc": "2.0", "method": "health", "id": 1}
VERSION = "Invalid JSON-RPC version: expected '2.0'"
JSON = "Invalid JSON in request body"
ID = "Invalid Request: 'id' "


@pytest.mark.parametrize(
    ("request_", "message", "has_id"),
    [
        (b"", JSON, False),
        (b"not json", JSON, False),
        (b"[]", JSON, False),
        (b"3", JSON, False),
        (b"\xff\xfe", JSON, False),
        (b"[" * 60_000, JSON, False),
        (b'{"jsonrpc":"2.0","id":' + b"9" * 6000 + b"}", JSON, False),
        ({"method": "health", "id": 1}, VERSION, False),
        (OK | {"jsonrpc": "1.0"}, VERSION, False),
        (OK | {"jsonrpc": 2.0}, VERSION, False),
        ({"jsonrpc": "2.0", "method": "health"}, f"{ID}field is required", False),
        (OK | {"id": None}, f"{ID}field is required", False),
        (OK | {"id": True}, f"{ID}must be an integer or string", False),
        (OK | {"id": [1]}, f"{ID}must be an integer or string", False),
        (OK | {"id": 1.5}, f"{ID}must be an integer, not a float", False),
        ({"jsonrpc": "2.0", "id": 1}, "Request missing 'method' field", True),
        (OK | {"method": 5}, "Request missing 'method' field", True),
        (OK | {"method": "fly"}, "Unknown method: fly", True),
        (OK | {"params": "x"}, "Invalid Request: 'params' must be an object", True),
    ],
)
def test_bad_envelopes(tmp_path: Path, request_: Any, message: str, has_id: bool) -> None:
    reply = Game(tmp_path).reply(request_)
    assert reply["error"] == {"code": -32001, "message": message, "data": {"name": "BAD_REQUEST"}}
    assert reply["jsonrpc"] == "2.0"
    assert ("id" in reply) is has_id


@pytest.mark.parametrize("known", [7, "seven", 7.0, -1, ""])
def test_ids_come_back(tmp_path: Path, known: Any) -> None:
    assert Game(tmp_path).reply(OK | {"id": known}) == {"jsonrpc": "2.0", "result": {"status": "ok"}, "id": known}


@pytest.mark.parametrize("params", [None, [], [None], {}, {"unknown": 1}, {"unknown": None}])
def test_needless_parameters_are_ignored(tmp_path: Path, params: Any) -> None:
    assert "result" in Game(tmp_path).reply(OK | {"params": params})


@pytest.mark.parametrize(
    ("method", "params", "message"),
    [
        ("start", {"stake": "WHITE"}, "Missing required field 'deck'"),
        ("start", {"deck": 1, "stake": "WHITE"}, "Field 'deck' must be of type string"),
        ("play", {}, "Missing required field 'cards'"),
        ("play", {"cards": 1}, "Field 'cards' must be an array"),
        ("play", {"cards": {"a": 1}}, "Field 'cards' must be an array"),
        ("play", {"cards": [0, "1"]}, "Field 'cards' array item at index 1 must be of type integer"),
        ("play", {"cards": [True]}, "Field 'cards' array item at index 0 must be of type integer"),
        ("buy", {"card": "x"}, "Field 'card' must be an integer"),
        ("buy", {"card": 1.5}, "Field 'card' must be an integer"),
        ("buy", {"card": 1e400}, "Field 'card' must be an integer"),
        ("pack", {"skip": 1}, "Field 'skip' must be of type boolean"),
        ("add", {"key": 123}, "Field 'key' must be of type string"),
        ("set", {"shop": "x"}, "Field 'shop' must be of type boolean"),
        ("save", {}, "Missing required field 'path'"),
    ],
)
def test_types_are_checked_before_states(tmp_path: Path, method: str, params: dict[str, Any], message: str) -> None:
    assert Game(tmp_path).refused(method, **params) == ("BAD_REQUEST", message)


@pytest.mark.parametrize("method", [method for method in METHODS.values() if method.states], ids=lambda m: m.name)
def test_every_method_knows_its_states(tmp_path: Path, method: Any) -> None:
    game = Game(tmp_path, seed=None if "MENU" not in method.states else "1")
    given = {"string": "RED", "integer": 0, "boolean": True, "array": [0]}
    params = {param.name: given[param.type] for param in method.params if param.required}
    name, message = game.refused(method.name, **params)
    assert name == "INVALID_STATE"
    assert message == f"Method '{method.name}' requires one of these states: {', '.join(method.states)}"


def test_discovery_lists_every_method(game: Game) -> None:
    document = game.call("rpc.discover")
    assert document["openrpc"] == "1.3.2"
    assert {method["name"] for method in document["methods"]} == {*METHODS}


def test_whole_floats_are_integers(game: Game) -> None:
    game.call("select")
    assert game.call("play", cards=[0.0, 1.0])["round"]["hands_played"] == 1


@pytest.mark.parametrize("cards", [[None], [None, None], {}])
def test_to_the_mod_nothing_is_not_there(game: Game, cards: Any) -> None:
    game.call("select")
    assert game.refused("play", cards=cards) == ("BAD_REQUEST", "Must provide at least one card to play")
    assert game.refused("play", cards=[None, 1]) == ("BAD_REQUEST", "Field 'cards' must be an array")
    assert game.call("play", cards=[0, 1, None])["round"]["hands_played"] == 1


@pytest.mark.parametrize("depth", [100, 900, 1000, 5000, 25_000])
@pytest.mark.parametrize("field", ["params", "id", "method", "jsonrpc", "cards"])
def test_deep_nesting_is_refused(tmp_path: Path, field: str, depth: int) -> None:
    deep = "[" * depth + "]" * depth
    parts = {"jsonrpc": '"2.0"', "method": '"play"', "id": "1", "params": "{}"}
    parts |= {"params": f'{{"cards":{deep}}}'} if field == "cards" else {field: deep}
    body = "{" + ",".join(f'"{name}":{value}' for name, value in parts.items()) + "}"
    assert Game(tmp_path).reply(body.encode())["error"]["data"] == {"name": "BAD_REQUEST"}


def test_half_a_character_is_no_text(game: Game) -> None:
    """JSON can write one; nothing else can."""
    for half in ("\ud800", "a\udc80"):
        refusal = ("BAD_REQUEST", "Field 'path' is not valid Unicode text")
        assert game.refused("save", path=half) == refusal


def test_nonsense_never_breaks_a_game(tmp_path: Path) -> None:
    """Calls of all methods with values of all kinds: each is answered, and none with an error of ours."""
    chance, game = random.Random(3), Game(tmp_path, seed="1")
    odd = [0, -1, 2.5, True, None, "", "RED", "j_joker", "c_death", "H_A", "a.jkr", [0, 1], [99], {}, {"a": 1}, 10**25]
    fair: dict[str, list[Any]] = {
        "string": ["RED", "WHITE", "j_egg", "c_death", "v_hone", "p_arcana_normal_1", "H_A", "a.jkr"],
        "integer": [0, 1, 1000],
        "boolean": [True, False],
        "array": [[0], [0, 1], [2, 1, 0]],
    }
    ours = ("Failed to", "Invalid save file format", "The simulator", "0 does not", "1000 does not")
    for _ in range(1000):
        method = METHODS[chance.choice([name for name in METHODS if name != "menu"])]
        params = {
            param.name: chance.choice(fair[param.type] if chance.random() < 0.8 else odd)
            for param in method.params
            if param.required or chance.random() < 0.6
        }
        reply = game.reply(OK | {"method": method.name, "params": params})
        if "error" in reply and reply["error"]["code"] == -32000:
            message = reply["error"]["message"]
            assert message.startswith(ours) or message.endswith("more than the simulator can hold"), (
                method.name,
                params,
            )
        if game.call("gamestate")["state"] == "GAME_OVER":
            game.call("menu")
            game.call("start", deck="RED", stake="WHITE")
