"""The mod's methods as functions, and actions whose answer was lost."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from jimbo.wire import client as client_module
from jimbo.wire.client import Client
from jimbo.wire.errors import BadReply, BadRequest, Late, NoReply
from jimbo.wire.methods import METHODS
from wire.scripted import STATE, Scripted, closes, error, http, raw, result, scripted, waits

BEFORE, AFTER = STATE, {**STATE, "money": 9}


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "GRACE", 0.0)
    monkeypatch.setattr(client_module, "ASK_AGAIN", (0.0, 0.0))


def client_of(server: Scripted, **more: Any) -> Client:
    return Client(server.url, settle=0.0, **more)


CALLS: dict[str, tuple[Callable[[Client], object], dict[str, Any]]] = {
    "health": (lambda c: c.health(), {}),
    "gamestate": (lambda c: c.gamestate(), {}),
    "rpc.discover": (lambda c: c.discover(), {}),
    "start": (lambda c: c.start("RED", "WHITE", "ABC"), {"deck": "RED", "stake": "WHITE", "seed": "ABC"}),
    "menu": (lambda c: c.menu(), {}),
    "save": (lambda c: c.save("/tmp/a"), {"path": "/tmp/a"}),
    "load": (lambda c: c.load("/tmp/a"), {"path": "/tmp/a"}),
    "screenshot": (lambda c: c.screenshot("/tmp/a"), {"path": "/tmp/a"}),
    "select": (lambda c: c.select(), {}),
    "skip": (lambda c: c.skip(), {}),
    "play": (lambda c: c.play([0, 2]), {"cards": [0, 2]}),
    "discard": (lambda c: c.discard((1,)), {"cards": [1]}),
    "rearrange": (lambda c: c.rearrange_hand([1, 0]), {"hand": [1, 0]}),
    "cash_out": (lambda c: c.cash_out(), {}),
    "buy": (lambda c: c.buy_card(1), {"card": 1}),
    "reroll": (lambda c: c.reroll(), {}),
    "next_round": (lambda c: c.next_round(), {}),
    "pack": (lambda c: c.pick(1, [0]), {"card": 1, "targets": [0]}),
    "use": (lambda c: c.use(0, [1]), {"consumable": 0, "cards": [1]}),
    "sell": (lambda c: c.sell_joker(2), {"joker": 2}),
    "add": (
        lambda c: c.add("j_joker", edition="FOIL", eternal=True),
        {"key": "j_joker", "edition": "FOIL", "eternal": True},
    ),
    "set": (lambda c: c.set(money=5, shop=True), {"money": 5, "shop": True}),
}
MORE: list[tuple[str, Callable[[Client], object], dict[str, Any]]] = [
    ("rearrange", lambda c: c.rearrange_jokers([0]), {"jokers": [0]}),
    ("rearrange", lambda c: c.rearrange_consumables([0]), {"consumables": [0]}),
    ("buy", lambda c: c.buy_voucher(0), {"voucher": 0}),
    ("buy", lambda c: c.buy_pack(1), {"pack": 1}),
    ("pack", lambda c: c.skip_pack(), {"skip": True}),
    ("pack", lambda c: c.pick(0), {"card": 0}),
    ("use", lambda c: c.use(1), {"consumable": 1}),
    ("sell", lambda c: c.sell_consumable(0), {"consumable": 0}),
    ("start", lambda c: c.start("RED", "WHITE"), {"deck": "RED", "stake": "WHITE"}),
    ("start", lambda c: c.start("", "", "A", challenge="c_x"), {"challenge": "c_x", "seed": "A"}),
    ("health", lambda c: c.answers(), {}),
    ("rpc.discover", lambda c: c.version(), {}),
    ("rpc.discover", lambda c: c.simulated(), {}),
    ("sort", lambda c: c.sort("suit"), {"by": "suit"}),
    ("buy_and_use", lambda c: c.buy_and_use(0), {"card": 0}),
    ("reroll_boss", lambda c: c.reroll_boss(), {}),
]


def test_every_method_of_the_mod_is_there() -> None:
    assert {*CALLS} == {*METHODS}
    for name, (_, params) in CALLS.items():
        assert {*params} <= {param.name for param in METHODS[name].params}


@pytest.mark.parametrize(("method", "call", "params"), [*((name, *entry) for name, entry in CALLS.items()), *MORE])
def test_methods_are_sent_as_documented(method: str, call: Callable[[Client], object], params: dict[str, Any]) -> None:
    with scripted(result(STATE)) as server:
        call(client_of(server))
    sent = [one for one in server.calls if one["method"] != "gamestate"] or server.calls
    assert [(one["method"], one["params"]) for one in sent] == [(method, params)]


def test_all_public_functions_are_tried() -> None:
    tried = "".join(inspect.getsource(inspect.getmodule(CALLS["set"][0]) or client_module))
    names = [name for name, _ in inspect.getmembers(Client, inspect.isfunction) if not name.startswith("_")]
    assert [name for name in names if f"c.{name}(" not in tried] == ["act", "settled"]


# --- Answers that are lost --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lost", [closes, raw(http(b"oops", "500 Internal Server Error")), raw(http(b"{"))])
def test_an_action_that_took_effect_is_not_sent_again(lost: Any) -> None:
    with scripted(result(BEFORE), result(BEFORE), lost, result(AFTER)) as server:
        assert client_of(server).select() == AFTER
    assert server.methods == ["gamestate", "gamestate", "select", "gamestate", "gamestate"]


@pytest.mark.parametrize(
    "lost", [closes, raw(http(b"oops", "500 Internal Server Error")), error(-32000, "no blind on deck")]
)
def test_an_action_without_effect_is_sent_once_more(lost: Any) -> None:
    with scripted(result(BEFORE), result(BEFORE), lost, result(BEFORE), result(BEFORE), result(AFTER)) as server:
        assert client_of(server).select() == AFTER
    assert server.methods == ["gamestate", "gamestate", "select", "gamestate", "gamestate", "select"]


def test_and_no_more_than_once() -> None:
    with (
        scripted(
            result(BEFORE), result(BEFORE), closes, result(BEFORE), result(BEFORE), closes, result(BEFORE)
        ) as server,
        pytest.raises(NoReply),
    ):
        client_of(server).select()
    assert server.methods.count("select") == 2


@pytest.mark.parametrize(
    "lost", [closes, raw(http(b"oops", "500 Internal Server Error")), raw(http(b"{")), error(-32000, "Lua error")]
)
def test_an_effect_after_the_answer_was_lost_is_waited_for(monkeypatch: pytest.MonkeyPatch, lost: Any) -> None:
    """A game that has closed the connection may still be about to do it."""
    monkeypatch.setattr(client_module, "GRACE", 20.0)
    monkeypatch.setattr(client_module, "LOOK_AGAIN", 0.01)
    with scripted(*[result(BEFORE)] * 2, lost, *[result(BEFORE)] * 8, result(AFTER)) as server:
        assert client_of(server).sell_joker(0) == AFTER
    assert server.methods.count("sell") == 1


def test_what_moved_before_the_action_is_not_its_effect() -> None:
    moving = result({**BEFORE, "money": 1})
    with scripted(moving, *[result(BEFORE)] * 2, closes, *[result(BEFORE)] * 2, result(AFTER)) as server:
        assert client_of(server).select() == AFTER
    assert server.methods.count("select") == 2


def test_what_was_loaded_is_not_the_effect_of_an_action() -> None:
    loaded = result({"success": True})
    with scripted(result(AFTER), loaded, *[result(BEFORE)] * 2, closes, *[result(BEFORE)] * 2, result(AFTER)) as server:
        client = client_of(server)
        client.gamestate()
        client.load("/tmp/a")
        assert client.select() == AFTER
    assert server.methods.count("select") == 2


def test_what_may_still_happen_is_not_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "LOOK_AGAIN", 0.05)
    with scripted(result(BEFORE), result(BEFORE), waits(0.5), result(BEFORE)) as server, pytest.raises(Late):
        client_of(server, timeout=0.2).select()
    assert server.methods.count("select") == 1


def test_a_late_effect_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "LOOK_AGAIN", 0.01)
    looks = [result(BEFORE)] * 6
    with scripted(result(BEFORE), result(BEFORE), waits(0.4), *looks, result(AFTER)) as server:
        assert client_of(server, timeout=0.2).select() == AFTER
    assert server.methods.count("select") == 1


def test_a_game_that_does_not_answer_any_more() -> None:
    with (
        scripted(result(BEFORE), result(BEFORE), closes) as server,
        pytest.raises(NoReply, match=r"the gamestate is not answered either.*Restart the game"),
    ):
        client_of(server).select()
    assert server.methods.count("select") == 1


def test_refusals_are_not_tried_again() -> None:
    with (
        scripted(result(BEFORE), result(BEFORE), error(-32001, "No.")) as server,
        pytest.raises(BadRequest, match="in the state SHOP"),
    ):
        client_of(server).select()
    assert server.methods == ["gamestate", "gamestate", "select"]


# --- Looks that are lost ----------------------------------------------------------------------------------------------

LOST = [
    closes,
    raw(http(b"oops", "500 Internal Server Error")),
    raw(http(b"{")),
    error(-32000, "Lua error"),
    waits(0.4),
]


@pytest.mark.parametrize("lost", LOST)
def test_a_look_whose_answer_is_lost_is_sent_again(lost: Any) -> None:
    with scripted(lost, lost, result(STATE)) as server:
        assert client_of(server, timeout=0.2).gamestate() == STATE
    assert server.methods == ["gamestate"] * 3


def test_a_look_is_given_up_in_the_end() -> None:
    with scripted(closes) as server, pytest.raises(NoReply):
        client_of(server).gamestate()
    assert server.methods == ["gamestate"] * 3


@pytest.mark.parametrize("look", [lambda c: c.health(), lambda c: c.discover()])
def test_every_call_that_changes_nothing_is_sent_again(look: Callable[[Client], object]) -> None:
    with scripted(closes, result({"status": "ok"})) as server:
        assert look(client_of(server))
    assert len(server.methods) == 2


def test_what_writes_a_file_is_sent_once() -> None:
    with scripted(closes) as server, pytest.raises(NoReply):
        client_of(server).save("/tmp/a")
    assert server.methods == ["save"]


# --- Settling ---------------------------------------------------------------------------------------------------------


def test_the_game_is_waited_for_until_it_rests() -> None:
    moving = {**STATE, "state": "HAND_PLAYED"}
    looks = [result(moving), result(moving), result({**AFTER, "money": 7}), result(AFTER), result(AFTER)]
    with scripted(result(BEFORE), result(BEFORE), result(moving), *looks) as server:
        assert client_of(server).play([0]) == AFTER
    assert server.methods == ["gamestate", "gamestate", "play", *["gamestate"] * 5]


@pytest.mark.parametrize("method", sorted(client_module.UNSETTLED))
def test_methods_that_answer_too_early_are_looked_after(method: str) -> None:
    with scripted(result(BEFORE), result(BEFORE), result(BEFORE), result(AFTER)) as server:
        assert client_of(server).act(method) == AFTER


def test_a_game_that_never_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "SETTLE_AT_MOST", 0.1)
    with scripted(result({**STATE, "state": "NEW_ROUND"})) as server, pytest.raises(NoReply, match="come to rest"):
        client_of(server).settled()


PACK: dict[str, Any] = {**STATE, "state": "SMODS_BOOSTER_OPENED"}
OPENED = {**PACK, "pack": {"cards": [{"key": "c_mars"}], "count": 1, "limit": 1}}


@pytest.mark.parametrize("opening", [PACK, {**PACK, "pack": []}, {**PACK, "pack": {"cards": [], "count": 0}}])
def test_a_pack_that_is_being_opened_is_waited_for(opening: dict[str, Any]) -> None:
    with scripted(*[result(opening)] * 4, result(OPENED)) as server:
        assert client_of(server).settled() == OPENED


def test_an_answer_that_comes_before_the_cards_of_a_pack() -> None:
    with scripted(result(BEFORE), result(BEFORE), *[result(PACK)] * 4, result(OPENED)) as server:
        assert client_of(server).act("pack") == OPENED


@pytest.mark.parametrize("wrong", [[], {}, {"state": 3}, {**STATE, "money": None}, "SHOP"])
def test_what_is_no_gamestate(wrong: Any) -> None:
    with scripted(result(wrong)) as server, pytest.raises(BadReply, match="the answer is not a gamestate"):
        client_of(server).gamestate()


def test_every_action_is_told_before_it_goes_out() -> None:
    told: list[tuple[str, Any]] = []
    with scripted(result(BEFORE), result(BEFORE), closes, result(BEFORE), result(BEFORE), result(AFTER)) as server:
        client_of(server, sent=lambda method, params: told.append((method, params))).play([1])
    assert told == [("play", {"cards": [1]})] * 2
