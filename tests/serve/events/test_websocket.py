"""Clients by WebSocket: good ones, wrong ones, too many events, and slow and hostile ones."""

import json
import socket
import sys
import time
from contextlib import ExitStack
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from serve.events.running import Served, event, served

GOOD = {
    "type": "hand_played",
    "timestamp": 1.5,
    "game_id": "g",
    "data": {"hand_type": "Pair", "cards": ["AH"], "score": 4},
}


def told(client: ClientConnection, timeout: float = 10) -> dict[str, Any]:
    message = json.loads(client.recv(timeout=timeout))
    assert message["type"] == "error"
    data: dict[str, Any] = message["data"]
    return data


def malformed() -> list[str | bytes]:
    """Fifty messages, each wrong in its own way."""

    def of(**more: Any) -> str:
        return json.dumps({**GOOD, **more})

    def data(**more: Any) -> str:
        return json.dumps({**GOOD, "data": {**GOOD["data"], **more}})  # type: ignore[dict-item]

    def without(name: str) -> str:
        return json.dumps({key: value for key, value in GOOD.items() if key != name})

    def lacking(kind: str) -> str:
        return json.dumps({"type": kind, "timestamp": 1, "game_id": "g", "data": {}})

    deep: Any = 1
    for _ in range(12):
        deep = [deep]
    kinds = (
        "game_start",
        "hand_played",
        "joker_triggered",
        "blind_defeated",
        "shop_entered",
        "card_purchased",
        "game_over",
    )
    return [
        *("", " ", "{", "}", "[]", "[1, 2]", "null", "true", "12", '"text"', "hand_played", "\x00\x01", "{'type': 1}"),
        *(b"\xff\xfe\xfa", b"\x80", "[" * 9000, '{"type": "unknown", "data": {"a": NaN}}', '{"data": {"a": Infinity}}'),
        *(without("type"), without("data"), of(type=None), of(type=7), of(type="no_such_type"), of(type="training.")),
        *(of(type=""), of(data=[]), of(data="x"), of(timestamp="now"), of(timestamp=[]), of(game_id=5), of(surplus=1)),
        *(lacking(kind) for kind in kinds),
        *(data(score="4"), data(cards="AH"), data(hand_type=3), data(score=None), data(more="x" * 1001)),
        *(data(more=[0] * 101), data(**{"k" * 51: 1}), data(more={str(i): 1 for i in range(51)}), data(more=deep)),
        *(data(**{f"t{i}": "x" * 990 for i in range(11)}), of(sequence="1"), data(more=10**400)),
    ]


def test_fifty_malformed_messages_are_each_answered_and_counted(aggregator: Served) -> None:
    wrong = malformed()
    assert len(wrong) == len({str(one) for one in wrong}) == 50
    sentences = set()
    with aggregator.client() as client:
        for message in wrong:
            client.send(message)
            answer = told(client)
            assert answer["message"].endswith(".")
            assert len(answer["message"]) < 400
            sentences.add(answer["message"])
        client.send(json.dumps(GOOD))
        aggregator.until(lambda health: health["events_processed"] == 1)
    assert len(sentences) > 30
    found = aggregator.metrics()
    assert found["mcp_events_received_total"] == 51
    assert sum(value for name, value in found.items() if name.startswith("mcp_events_refused_total")) == 50
    assert found["mcp_events_processed_total"] == found["mcp_events_accepted_total"] == 1


def test_an_event_reaches_whoever_watches(aggregator: Served) -> None:
    stream = socket.create_connection(("127.0.0.1", aggregator.port), timeout=20)
    stream.sendall(b"GET /api/v1/events/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
    text = stream.recv(4096).decode()
    assert "text/event-stream" in text
    with aggregator.client() as client:
        client.send(json.dumps(GOOD))
        while "data:" not in text or not text.rstrip("\r\n0123456789abcdef").endswith("}"):
            text += stream.recv(4096).decode()
    stream.close()
    line = next(line for line in text.splitlines() if line.startswith("data: "))
    found = json.loads(line.removeprefix("data: "))
    assert {name: found[name] for name in GOOD} == GOOD
    assert found["_client_id"]
    assert abs(found["_received_at"] - time.time()) < 60


def test_what_is_above_the_limit_of_a_minute_is_counted_exactly_and_told() -> None:
    with served("--batch-window-ms", "5") as found, found.client() as client, found.client() as other:
        for _ in range(640):
            client.send(event())
        other.send(event())
        lost = 0
        while lost < 40:
            answer = told(client)
            assert answer["reason"] == "rate_limit"
            assert "600 events a minute are allowed" in answer["message"]
            lost += answer["dropped"]
        assert lost == 40
        found.until(lambda health: health["events_processed"] == 601)
        assert found.metrics()["mcp_events_refused_totalrate_limit"] == 40


def test_what_is_above_the_limit_of_the_queue_is_counted_exactly_and_told() -> None:
    """Nothing is handed on meanwhile, so the queue takes as many as it holds."""
    slow = ("--batch-window-ms", "60000", "--max-queue-size", "100", "--per-minute", "0")
    with served(*slow) as found, ExitStack() as stack:
        clients = [stack.enter_context(found.client()) for _ in range(4)]
        for number in range(50):
            clients[number % 4].send(event())
        found.until(lambda health: health["queue_size"] == 50)
        for number in range(90):
            clients[number % 4].send(event())
        lost = [0, 0, 0, 0]
        while sum(lost) < 40:
            for place, client in enumerate(clients):
                try:
                    answer = told(client, timeout=0.2)
                except TimeoutError:
                    continue
                assert answer["reason"] == "queue_full"
                lost[place] += answer["dropped"]
        health = found.health()
        assert sum(lost) == health["events_dropped"] == 40
        assert (health["status"], health["queue_size"], health["events_received"]) == ("overloaded", 100, 140)


@pytest.mark.parametrize(
    ("headers", "sentence"),
    [
        ({"Origin": "http://evil.example"}, "Requests from web pages are refused"),
        ({"Origin": "null"}, "Requests from web pages are refused"),
        ({"Host": "evil.example"}, "is not an address of this server"),
    ],
)
def test_pages_are_refused(standing: Served, headers: dict[str, str], sentence: str) -> None:
    link = socket.create_connection(("127.0.0.1", standing.port), timeout=20)
    lines = {"Host": "localhost", "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
    lines |= {"Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="} | headers
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    link.sendall(f"GET /events HTTP/1.1\r\n{head}\r\n".encode())
    answer = link.recv(65536).decode()
    link.close()
    assert answer.startswith("HTTP/1.1 403")
    assert sentence in answer
    assert standing.post("/api/v1/events", event(), **headers)[0] == 403


def test_a_token_is_wanted_where_one_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JIMBO_EVENTS_TOKEN", "secret")
    right = {"Authorization": "Bearer secret"}
    with served() as found:
        status, answer = found.post("/api/v1/events", event())
        assert (status, answer["error"]) == (401, "This aggregator wants a token: Authorization: Bearer TOKEN.")
        assert found.post("/api/v1/events", event(), Authorization="Bearer wrong")[0] == 401
        with pytest.raises(InvalidStatus) as caught:
            connect(found.url)
        assert caught.value.response.status_code == 401
        assert found.post("/api/v1/events", event(), **right) == (200, {"status": "accepted"})
        with found.client(additional_headers=right) as client:
            client.send("no")
            assert told(client)["reason"] == "not_json"


def test_a_message_far_too_large_ends_the_connection_and_nothing_else(aggregator: Served) -> None:
    with aggregator.client() as client, aggregator.client() as other:
        client.send("x" * (1 << 20 | 1))
        with pytest.raises(ConnectionClosed):
            client.recv(timeout=10)
        other.send(event())
        aggregator.until(lambda health: health["events_processed"] == 1)


def test_no_more_than_so_many_clients(aggregator: Served) -> None:
    with ExitStack() as stack:
        last = [stack.enter_context(aggregator.client()) for _ in range(256)][-1]
        with pytest.raises(InvalidStatus) as caught:
            connect(aggregator.url)
        assert caught.value.response.status_code == 503
        last.close()
        aggregator.until(lambda health: health["connections"] == 255)
        with aggregator.client() as client:
            client.send(event())
            aggregator.until(lambda health: health["events_processed"] == 1)


def test_a_client_that_does_not_read_its_complaints_holds_up_nobody(aggregator: Served) -> None:
    deaf = socket.create_connection(("127.0.0.1", aggregator.port), timeout=20)
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
    deaf.sendall(
        f"GET /events HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{key}\r\n".encode()
    )
    assert b" 101 " in deaf.recv(1024)
    before = aggregator.status("VmRSS")
    deaf.settimeout(1.0)
    wrong = b"\x81\x82\x00\x00\x00\x00{}"  # a masked text frame with the message {}
    sent = 0
    try:
        while sent < 400_000:
            sent += deaf.send(wrong * 1000) // len(wrong)
    except TimeoutError:
        pass
    with aggregator.client() as client:
        for _ in range(100):
            client.send(event())
        aggregator.until(lambda health: health["events_processed"] == 100)
    assert aggregator.status("VmRSS") - before < 30_000
    deaf.close()


def test_connections_that_say_nothing_are_closed(aggregator: Served) -> None:
    silent = [socket.create_connection(("127.0.0.1", aggregator.port), timeout=30) for _ in range(50)]
    for link in silent[:25]:
        link.sendall(b"GET /health HTTP/1.1\r\nHost: loc")
    assert aggregator.health()["status"] == "healthy"
    for link in silent:
        assert link.recv(100) == b""
        link.close()


# --- Pings ------------------------------------------------------------------------------------------------------------

_IMPATIENT = (
    "import jimbo.serve.events.server as server; server.PING_EVERY = server.PING_WITHIN = 0.3; "
    "from jimbo.cli.main import app; app()"
)


def deaf(aggregator: Served) -> socket.socket:
    """A client that answers no ping."""
    made = socket.create_connection(("127.0.0.1", aggregator.port))
    head = {"Host": f"127.0.0.1:{aggregator.port}", "Upgrade": "websocket", "Connection": "Upgrade"}
    head |= {"Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version": "13"}
    lines = ["GET /events HTTP/1.1", *(f"{name}: {value}" for name, value in head.items()), "", ""]
    made.sendall("\r\n".join(lines).encode())
    assert made.recv(4096).startswith(b"HTTP/1.1 101")
    return made


def frame(text: str) -> bytes:
    """A text message with a mask of zeros."""
    return b"\x81\xfe" + len(text).to_bytes(2, "big") + bytes(4) + text.encode()


def test_a_client_that_sends_is_not_left_for_want_of_a_pong() -> None:
    """Its answer to a ping waits behind what it has sent, so that whatever comes is a sign of life."""
    command = [sys.executable, "-c", _IMPATIENT, "events", "serve", "--json"]
    with served("--per-minute", "0", command=command) as aggregator, deaf(aggregator) as busy, deaf(aggregator):
        aggregator.until(lambda health: health["connections"] == 2)
        for number in range(20):
            busy.sendall(frame(event(round=number, padding=100 * "x")))
            time.sleep(0.1)
        health = aggregator.until(lambda health: health["connections"] <= 1)
        assert (health["connections"], health["events_received"]) == (1, 20)
        aggregator.until(lambda health: health["connections"] == 0)
