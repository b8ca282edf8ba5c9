"""The wire itself: good requests, bad ones, slow ones and many at once."""

import errno
import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import jimbo.serve.balatrobot.server as server
from jimbo.engine import Action, Run
from serve.balatrobot.running import called, connected, post, received, request, running, sent

OK = {"jsonrpc": "2.0", "result": {"status": "ok"}, "id": 1}


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    with running(tmp_path) as ports:
        yield ports[0]


def test_an_answer_and_its_headers(port: int) -> None:
    status, headers, reply = sent(port, request())
    assert (status, reply) == (200, OK)
    assert headers["Content-Type"] == "application/json"
    assert headers["Connection"] == "close"


def test_errors_of_the_protocol_are_answers_too(port: int) -> None:
    status, _, reply = sent(port, request("play", cards=[0]))
    assert status == 200
    assert reply["error"]["data"] == {"name": "INVALID_STATE"}


@pytest.mark.parametrize(
    ("data", "status", "message"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", 405, "Method not allowed. Use POST for JSON-RPC requests"),
        (b"PUT / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", 405, "Method not allowed. Use POST for JSON-RPC requests"),
        (b"POST /x HTTP/1.1\r\n\r\n", 404, "Not found. Use POST to '/' for JSON-RPC requests"),
        (b"nonsense\r\n\r\n", 400, "Invalid request line"),
        (b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03\r\n\r\n", 400, "Invalid request line"),
        (b"x" * 20_000, 400, "Invalid request line"),
        (b"\r\n\r\n", 400, "Empty request"),
        (b"POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n", 400, "Invalid Content-Length header"),
        (b"POST / HTTP/1.1\r\nContent-Length: 1e9\r\n\r\n", 400, "Invalid Content-Length header"),
        (b"POST / HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc", 400, "Invalid Content-Length header"),
        (post(b"x" * 65_537), 400, "Request body too large"),
        (post(b"x" * 3_000_000), 400, "Request body too large"),
        (b"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", 400, "Request body too large"),
    ],
)
def test_what_is_refused(port: int, data: bytes, status: int, message: str) -> None:
    found, _, reply = sent(port, data)
    assert (found, reply["error"]["message"]) == (status, message)
    assert reply["error"]["code"] == -32001
    assert "id" not in reply
    assert sent(port, request())[2] == OK


START = json.dumps({"jsonrpc": "2.0", "method": "start", "params": {"deck": "RED", "stake": "WHITE"}, "id": 1}).encode()


@pytest.mark.parametrize(
    "headers",
    [
        ["Host: evil.example"],
        ["Host: evil.example:{port}"],
        ["Host: 127.0.0.1.evil.example:{port}"],
        ["Host: 127.0.0.1:{port}", "Host: evil.example"],
        ["Host:"],
        ["Host: ["],
        ["Host: localhost:{port}", "Origin: http://evil.example", "Content-Type: text/plain"],
        ["Host: localhost:{port}", "origin : null", "Content-Type: text/plain;charset=UTF-8"],
        ["Host: localhost:{port}", "Origin: http://localhost:3000", "Content-Type: application/json"],
        ["Origin: http://localhost:{port}"],
    ],
)
def test_web_pages_are_refused(port: int, headers: list[str]) -> None:
    status, answered, reply = sent(port, post(START, *(header.format(port=port) for header in headers)))
    assert status == 403
    assert reply["error"]["data"] == {"name": "BAD_REQUEST"}
    assert "is not an address of this server" in reply["error"]["message"] or "web pages" in reply["error"]["message"]
    assert not [name for name in answered if name.lower().startswith("access-control")]
    assert called(port, "gamestate")["state"] == "MENU"


@pytest.mark.parametrize(
    "headers",
    [
        ["Host: 127.0.0.1:{port}", "Content-Type: application/json", "User-Agent: python-httpx/0.28.1"],
        ["host: LOCALHOST:{port}", "content-type: application/json; charset=utf-8"],
        ["Host: [::1]:{port}", "Content-Type: application/x-www-form-urlencoded", "User-Agent: curl/8.5.0"],
        ["Host: localhost:8080"],  # through a tunnel
        ["Host: localhost:{port}", "Origin: http://localhost:{port}"],  # a page of the server itself
        ["Accept: */*"],
    ],
)
def test_programs_are_answered(port: int, headers: list[str]) -> None:
    status, _, reply = sent(port, post(START, *(header.format(port=port) for header in headers)))
    assert (status, reply["result"]["state"]) == (200, "BLIND_SELECT")


@pytest.mark.parametrize("size", [65_535, 65_536])
def test_the_largest_body(port: int, size: int) -> None:
    body = json.dumps({"jsonrpc": "2.0", "method": "health", "id": 1}).encode()
    assert sent(port, post(body + b" " * (size - len(body))))[2] == OK


def test_a_body_without_a_length_is_empty(port: int) -> None:
    _, _, reply = sent(port, b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
    assert reply["error"]["message"] == "Invalid JSON in request body"


def test_headers_in_any_case_and_lines_without_returns(port: int) -> None:
    body = json.dumps({"jsonrpc": "2.0", "method": "health", "id": 1}).encode()
    assert sent(port, b"POST / HTTP/1.0\nCONTENT-LENGTH:%d\n\n" % len(body) + body)[2] == OK


def test_a_request_byte_by_byte(port: int) -> None:
    with connected(port) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for place in range(len(request())):
            connection.sendall(request()[place : place + 1])
        assert received(connection)[2] == OK


def test_senders_that_leave(port: int) -> None:
    for data in (b"", b"POST / HT", request()[:-5]):
        with connected(port) as connection:
            connection.sendall(data)
    with connected(port) as connection:
        connection.shutdown(socket.SHUT_WR)
        assert received(connection)[2]["error"]["message"] == "Empty request"
    assert sent(port, request())[2] == OK


def test_a_connection_that_takes_no_options_ends_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As that of a sender who has gone on some systems."""

    class Gone(socket.socket):
        def setsockopt(self, *given: object) -> None:
            raise OSError(errno.EINVAL, "Invalid argument")

    accept = socket.socket.accept

    def accepts(self: socket.socket) -> tuple[socket.socket, object]:
        link, address = accept(self)
        return Gone(link.family, link.type, link.proto, fileno=link.detach()), address

    with running(tmp_path) as (port,):
        monkeypatch.setattr(socket.socket, "accept", accepts)
        for _ in range(2):
            assert sent(port, request())[2] == OK


def test_a_sleeping_sender_keeps_nobody_waiting_and_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "PATIENCE", 0.3)
    monkeypatch.setattr(server, "SWEEP", 0.05)
    with running(tmp_path) as (port,), connected(port) as sleeper:
        sleeper.sendall(request()[:30])
        assert sent(port, request())[2] == OK
        assert sleeper.recv(10) == b""


def test_a_reader_that_reads_nothing(port: int) -> None:
    """Its answer does not fit into the buffers of the system, and waits there."""
    called(port, "start", deck="RED", stake="WHITE", seed="1")
    with socket.socket() as lazy:
        lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        lazy.settimeout(20)
        lazy.connect(("127.0.0.1", port))
        lazy.sendall(request("gamestate"))
        time.sleep(0.1)
        assert sent(port, request())[2] == OK
        assert received(lazy)[2]["result"]["state"] == "BLIND_SELECT"


def test_a_thousand_connections_at_once(port: int) -> None:
    everyone = [connected(port) for _ in range(1000)]
    try:
        assert sent(port, request())[2] == OK
        for connection in everyone:
            connection.sendall(request())
        assert all(received(connection)[2] == OK for connection in everyone)
    finally:
        for connection in everyone:
            connection.close()


def test_too_many_connections_cost_the_oldest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_most_connections", lambda: 10)
    with running(tmp_path) as (port,):
        everyone = [connected(port) for _ in range(15)]
        assert sent(port, request())[2] == OK
        assert everyone[0].recv(10) == b""
        everyone[-1].sendall(request())
        assert received(everyone[-1])[2] == OK
        for connection in everyone:
            connection.close()


def test_equal_cards_are_counted_in_the_order_of_the_suits_they_were_created_with(port: int) -> None:
    """The Checkered Deck has all Spades and Hearts twice; its cards are numbered Clubs, Diamonds, Hearts, Spades."""
    created = "C" * 13 + "D" * 13 + "H" * 13 + "S" * 13
    pairs = 0
    for seed in range(8):
        state = called(port, "start", deck="CHECKERED", stake="WHITE", seed=str(seed))
        first = min(card["id"] for card in state["cards"]["cards"])
        state = called(port, "select")
        for _ in range(3):
            hand = state["hand"]["cards"]
            twins = [place for place in range(len(hand) - 1) if hand[place]["key"] == hand[place + 1]["key"]]
            for place in twins:
                suits = [created[card["id"] - first] for card in hand[place : place + 2]]
                assert suits in (["S", "C"], ["H", "D"]), (seed, suits)
            pairs += len(twins)
            # An index means the card that was listed there.
            thrown = twins[:1] or [0]
            state = called(port, "discard", cards=thrown)
            assert hand[thrown[0]]["id"] not in [card["id"] for card in state["hand"]["cards"]]
            kept = [card["id"] for place, card in enumerate(hand) if place not in thrown]
            assert {*kept} < {card["id"] for card in state["hand"]["cards"]}
        called(port, "menu")
    assert pairs > 5


def test_eight_games_side_by_side(tmp_path: Path) -> None:
    """Eight clients at once, each with a game of its own."""
    found: dict[int, list[str]] = {}

    def play(port: int, place: int) -> None:
        state = called(port, "start", deck="RED", stake="WHITE", seed=f"SIDE{place}")
        moves = {"BLIND_SELECT": "select", "ROUND_EVAL": "cash_out", "SHOP": "next_round"}
        while state["state"] != "GAME_OVER":
            given = {"cards": [0, 1, 2, 3, 4]} if state["state"] == "SELECTING_HAND" else {}
            state = called(port, moves.get(state["state"], "play"), **given)
        found[place] = [state["seed"], *(card["key"] for card in state["cards"]["cards"])]

    with running(tmp_path, instances=8) as ports:
        threads = [threading.Thread(target=play, args=(port, place)) for place, port in enumerate(ports)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    for place in range(8):
        run = Run(seed=f"SIDE{place}")
        moves = {"blind_select": "select_blind", "round_eval": "cash_out", "shop": "leave_shop"}
        while run.phase != "game_over":
            action = moves.get(run.phase)
            run.step(Action(action) if action else Action("play", cards=[0, 1, 2, 3, 4]))
        keys = [f"{card.suit}_{str(card.rank).replace('10', 'T')}" for card in run.draw_pile]
        assert found[place] == [f"SIDE{place}", *keys]
