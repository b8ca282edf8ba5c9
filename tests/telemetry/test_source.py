"""A program's events on their way: never in its way, and never lost without being counted."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from jimbo.telemetry import source as sources
from jimbo.telemetry.events import TrainingNote, TrainingRow
from jimbo.telemetry.program import begin
from jimbo.telemetry.sender import HEAD_START
from jimbo.telemetry.source import EventSource, place_of


class Aggregator:
    """Answers as an aggregator does, or as it is told to."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.tokens: list[str | None] = []
        self.answers: list[tuple[int, bytes]] = []
        """What to answer first, in place of the truth."""
        self.breaks = 0
        """Requests that get no answer."""
        self.sleeps = 0.0


@contextmanager
def answering(port: int = 0) -> Iterator[tuple[str, Aggregator]]:
    state = Aggregator()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            state.tokens.append(self.headers["Authorization"])
            time.sleep(state.sleeps)
            if state.breaks:
                state.breaks -= 1
                self.close_connection = True
                return
            status, answer = 200, b""
            if state.answers:
                status, answer = state.answers.pop(0)
            else:
                told = json.loads(body)
                state.messages += told
                answer = json.dumps({"status": "accepted", "accepted": len(told)}).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", state
    finally:
        server.shutdown()
        server.server_close()


NOTE = TrainingNote(text="hello")


@pytest.mark.parametrize(
    ("url", "http"),
    [
        ("ws://127.0.0.1:8765/events", "http://127.0.0.1:8765"),
        ("http://localhost:9000", "http://localhost:9000"),
        ("http://localhost:9000/", "http://localhost:9000"),
        ("wss://lab.example/events", "https://lab.example:443"),
        ("ws://[::1]:8765/events", "http://[::1]:8765"),
    ],
)
def test_addresses(url: str, http: str) -> None:
    assert place_of(url).http == http


@pytest.mark.parametrize(
    "url", ["", "8765", "localhost:8765", "ftp://a/events", "ws://a/other", "ws://:1/events", "ws://a:x"]
)
def test_other_texts_are_no_addresses(url: str) -> None:
    with pytest.raises(ValueError, match="is not an address of an event aggregator"):
        EventSource(url)


def test_events_arrive_in_order_and_numbered() -> None:
    with answering() as (url, state):
        source = EventSource(url, name="me", token="secret")
        for number in range(1200):
            source.tell(TrainingNote(text=str(number)), "game")
        source.close()
    assert [one["data"]["text"] for one in state.messages] == [str(number) for number in range(1200)]
    assert [one["sequence"] for one in state.messages] == list(range(1, 1201))
    assert {(one["source"], one["session_id"], one["game_id"]) for one in state.messages} == {
        ("me", source.session_id, "game")
    }
    assert set(state.tokens) == {"Bearer secret"}
    assert (source.told, source.arrived, source.dropped, source.left) == (1200, 1200, 0, 0)


def test_nothing_waits_where_nobody_answers() -> None:
    """The queue fills, the rest is dropped and counted, and the end comes soon."""
    source = EventSource("http://127.0.0.1:9", size=100)
    began = time.process_time()
    for _ in range(10_000):
        source.tell(NOTE)
    assert time.process_time() - began < 1.0
    source.close(0.3)
    assert source.told == 10_000
    assert source.dropped + source.left == 10_000
    assert source.left <= 100 + sources.AT_ONCE
    assert source.trouble == "Connection refused"


def test_an_aggregator_that_comes_later_gets_what_was_kept() -> None:
    with answering() as (url, _):
        port = int(url.rpartition(":")[2])
    source = EventSource(url)
    source.tell(NOTE)
    time.sleep(0.3)
    with answering(port) as (_, state):
        source.close(5.0)
        assert [one["data"] for one in state.messages] == [{"text": "hello"}]
    assert source.left == 0


def test_a_request_without_an_answer_is_made_again() -> None:
    with answering() as (url, state):
        state.breaks = 1
        source = EventSource(url)
        source.tell(NOTE)
        source.close(5.0)
        assert [one["sequence"] for one in state.messages] == [1]
    assert (source.arrived, source.left) == (1, 0)


def test_what_the_aggregator_drops_is_counted() -> None:
    with answering() as (url, state):
        answer = {
            "status": "partial",
            "accepted": 1,
            "repeated": 1,
            "dropped": 1,
            "message": "Of 3 events, 1 was dropped.",
        }
        state.answers = [(200, json.dumps(answer).encode())]
        source = EventSource(url)
        for _ in range(3):
            source.tell(NOTE)
        source.close()
    assert (source.arrived, source.dropped, source.left) == (2, 1, 0)
    assert source.trouble == "Of 3 events, 1 was dropped."


@pytest.mark.parametrize("answer", [b"", b"nonsense", b"[]", b'{"accepted": "many"}', b'{"status": "ok"}'])
def test_answers_that_are_none_stop_nothing(answer: bytes) -> None:
    with answering() as (url, state):
        state.answers = [(200, answer)] * 3
        source = EventSource(url)
        source.tell(NOTE)
        source.close(5.0)
    assert (source.arrived, source.left) == (1, 0)
    assert source.trouble


def test_an_event_that_is_too_large_is_dropped_alone() -> None:
    with answering() as (url, state):
        source = EventSource(url)
        source.tell(TrainingRow(row={str(i): "x" * 1000 for i in range(40)}, best=False))
        source.tell(NOTE)
        source.close()
        assert [one["type"] for one in state.messages] == ["training.note"]
    assert (source.arrived, source.dropped, source.left) == (1, 1, 0)


def test_threads_count_together() -> None:
    with answering() as (url, _):
        source = EventSource(url, size=100_000)
        threads = [threading.Thread(target=lambda: [source.tell(NOTE) for _ in range(2000)]) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        source.close(20)
    assert (source.told, source.arrived) == (16_000, 16_000)


def test_a_share_of_the_time_is_spent_and_no_more() -> None:
    with answering() as (url, _):
        source = EventSource(url)
        assert source.may_tell()
        with source.spending():
            end = time.thread_time() + HEAD_START + 0.1
            while time.thread_time() < end:
                pass
        assert not source.may_tell()
        source.close()


def test_a_program_says_when_it_starts_and_ends_and_what_was_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JIMBO_EVENTS", raising=False)
    with answering() as (url, state):
        assert begin(url, "a test")() == ""
        assert [(one["type"], one["source"]) for one in state.messages] == [
            ("monitoring.started", "a test"),
            ("monitoring.ended", "a test"),
        ]
    assert begin(url, "a test")() == f"2 of 2 events did not reach {url}. Connection refused."
