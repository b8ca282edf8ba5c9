"""One call over HTTP, and all that can go wrong with it."""

import json
import threading
import time
from typing import Any

import pytest

from jimbo.wire import transport
from jimbo.wire.errors import (
    BadReply,
    BadRequest,
    InternalError,
    InvalidState,
    Late,
    NoReply,
    NotAllowed,
    Refused,
    Unreachable,
    WireError,
)
from jimbo.wire.transport import Transport, address
from wire.scripted import Reply, closes, drips, drips_head, error, http, raw, result, scripted, waits


def called(url: str, timeout: float = 5.0) -> Any:
    return Transport(url).call("gamestate", {"a": 1}, timeout=timeout, state="SHOP")


def test_a_call_has_a_connection_of_its_own() -> None:
    with scripted(result({"x": 1})) as server:
        wire = Transport(server.url)
        for _ in range(3):
            assert wire.call("health", {}, timeout=5.0, state=None) == {"x": 1}
    assert server.connections == 3
    assert [call["id"] for call in server.calls] == [1, 2, 3]
    assert server.calls[0] == {"jsonrpc": "2.0", "method": "health", "params": {}, "id": 1}


def test_calls_to_one_address_wait_for_each_other() -> None:
    busy, overlapping = threading.Lock(), []

    def slow(connection: Any, call: Any) -> None:
        overlapping.append(not busy.acquire(blocking=False))
        waits(0.05)(connection, call)
        busy.release()
        result(1)(connection, call)

    with scripted(slow) as server:
        names = (server.url, server.url.replace("127.0.0.1", "localhost"))
        threads = [threading.Thread(target=called, args=(names[number % 2],)) for number in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert overlapping == [False] * 5


@pytest.mark.parametrize(
    ("reply", "expected", "what"),
    [
        (closes, NoReply, "the connection was closed before the answer"),
        (raw(http(b'{"jsonrpc"', length=500)), NoReply, "the connection was closed before the answer"),
        (raw(b"HTTP/1.1 200 OK\r\nContent-Le"), BadReply, "the answer is not JSON"),
        (waits(2.0), Late, "no answer came in time"),
        (drips, Late, "no answer came in time"),
        (drips_head, Late, "no answer came in time"),
        (raw(b"SSH-2.0-OpenSSH_9\r\n"), BadReply, "the answer is not HTTP"),
        (raw(http(b"oops", "500 Internal Server Error")), BadReply, "the answer is HTTP 500"),
        (raw(http(b"<html>")), BadReply, "the answer is not JSON"),
        (raw(http(b"[" * 100_000)), BadReply, "the answer is not JSON"),
        (raw(http(b"[]")), BadReply, "neither a result nor an error"),
        (raw(http(b'{"result": 1, "id": 77}')), BadReply, "the answer belongs to another call"),
        (error(-32000, "Lua error"), InternalError, "Lua error"),
        (error(-32001, "Missing required field 'cards'"), BadRequest, "Missing required field 'cards'"),
        (error(-32002, "Method 'play' requires one of these states: X"), InvalidState, "requires one of these states"),
        (error(-32003, "Cannot skip Boss blind."), NotAllowed, "Cannot skip Boss blind"),
        (error([1], "Odd"), Refused, "Odd"),  # type: ignore[arg-type]
        (error(-1, ""), Refused, "refused without a reason"),
    ],
)
def test_errors_are_named_and_tell_what_to_do(reply: Reply, expected: type[WireError], what: str) -> None:
    began = time.monotonic()
    with scripted(reply) as server, pytest.raises(expected, match=what) as raised:
        called(server.url, timeout=0.3)
    assert time.monotonic() - began < 1.5
    assert type(raised.value) is expected
    assert raised.value.method == "gamestate"
    assert raised.value.state == "SHOP"
    sentences = str(raised.value)
    assert sentences.startswith(f"{server.url}, method gamestate in the state SHOP: ")
    assert sentences.endswith(f"{raised.value.remedy}.")
    assert len(server.calls) == 1


def test_a_look_that_is_not_answered_has_a_remedy_of_its_own() -> None:
    """To ask for the gamestate is what just failed."""
    with scripted(closes) as server:
        with pytest.raises(NoReply, match=r"closed before the answer\. Make sure that the game runs there") as look:
            called(server.url)
        with pytest.raises(NoReply, match="Ask for the gamestate before anything else"):
            Transport(server.url).call("play", {}, timeout=5.0, state=None)
    assert "(" not in str(look.value)


def test_nobody_there() -> None:
    with scripted(closes) as server:
        url = server.url
    with pytest.raises(Unreachable, match="Connection refused"):
        called(url)


def test_an_answer_without_end_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "MAX_REPLY", 1000)
    with scripted(result("x" * 2000)) as server, pytest.raises(BadReply, match="more than 1000 bytes"):
        called(server.url)


def test_numbers_as_lua_writes_them() -> None:
    body = b'{"result": {"chips": 1.2345678901234e+15, "cards": []}, "id": 1}'
    with scripted(raw(http(body))) as server:
        assert called(server.url) == json.loads(body)["result"]


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("http://127.0.0.1:12346", ("127.0.0.1", 12346)),
        ("http://localhost:80/", ("localhost", 80)),
        ("127.0.0.1:5", ("127.0.0.1", 5)),
        ("http://[::1]:7", ("::1", 7)),
        ("http://box", ("box", 12346)),
    ],
)
def test_addresses(url: str, found: tuple[str, int]) -> None:
    assert address(url) == found


@pytest.mark.parametrize("url", ["", "https://x:1", "http://x:0", "http://x:port", "http://x:70000", "http://x/path"])
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(ValueError, match=r"is not an address such as http://127\.0\.0\.1:12346"):
        address(url)
