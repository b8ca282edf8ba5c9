"""Events by HTTP, and what can be asked of an aggregator."""

import json
import socket
import time
import urllib.request
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from serve.events.running import Served, event, served

BUS = {"type": "training.loss", "source": "lab", "payload": {"loss": 0.5}}


def test_one_event(aggregator: Served) -> None:
    assert aggregator.post("/api/v1/events", json.dumps(BUS)) == (200, {"status": "accepted"})
    aggregator.until(lambda health: health["events_processed"] == 1)
    status, answer = aggregator.post("/api/v1/events", "{}")
    assert (status, answer["status"], answer["reason"]) == (400, "error", "bad_field")
    assert answer["error"] == 'The message has no "type".'
    assert aggregator.post("/api/v1/events", "x" * 20_000)[0] == 413
    assert aggregator.metrics()["mcp_events_received_total"] == 3


def test_a_batch_takes_what_is_right_and_names_what_is_wrong(aggregator: Served) -> None:
    good = json.loads(event())
    status, answer = aggregator.post("/api/v1/events/batch", json.dumps([good, {"type": 1}, BUS, 7]))
    assert status == 200
    assert (answer["status"], answer["accepted"], answer["refused"], answer["dropped"]) == ("partial", 2, 2, 0)
    assert [one["index"] for one in answer["errors"]] == [1, 3]
    assert answer["message"] == "Of 4 events, 2 were refused."
    status, answer = aggregator.post("/api/v1/events/batch", json.dumps({"events": [good] * 1000}))
    assert (status, answer["status"], answer["accepted"]) == (200, "accepted", 1000)
    aggregator.until(lambda health: health["events_processed"] == 1002)


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ("", 400, "cannot be read"),
        ("[", 400, "cannot be read"),
        ("[" * 100_000, 400, "nested too deeply"),
        (b"\xff", 400, "not UTF-8 text"),
        ("7", 400, "A batch is a list"),
        ("{}", 400, "A batch is a list"),
        (json.dumps([1] * 1001), 413, "at most 1,000 events, not 1,001"),
        ("x" * (1 << 20 | 1), 413, "more than 1,048,576 bytes"),
    ],
)
def test_what_is_no_batch(standing: Served, body: str | bytes, status: int, words: str) -> None:
    got, answer = standing.post("/api/v1/events/batch", body)
    assert (got, answer["status"]) == (status, "error")
    assert words in answer["error"]


def test_an_event_of_a_batch_is_no_larger_than_alone(aggregator: Served) -> None:
    large = {"type": "unknown", "data": {str(i): "x" * 900 for i in range(12)}}
    status, answer = aggregator.post("/api/v1/events/batch", json.dumps([large, BUS]))
    assert (status, answer["accepted"], answer["errors"][0]["reason"]) == (200, 1, "too_large")


def test_a_batch_for_a_full_queue_is_dropped_and_counted() -> None:
    with served("--batch-window-ms", "60000", "--max-queue-size", "10") as found:
        status, answer = found.post("/api/v1/events/batch", json.dumps([BUS] * 15))
        assert (status, answer["accepted"], answer["dropped"]) == (200, 10, 5)
        assert answer["message"] == "Of 15 events, the queue was full, and 5 were dropped."
        status, answer = found.post("/api/v1/events/batch", json.dumps([BUS] * 2))
        assert (status, answer["status"], answer["dropped"]) == (503, "rejected", 2)
        assert found.post("/api/v1/events", json.dumps(BUS))[0] == 503
        assert found.health()["events_dropped"] == 8


def test_events_that_come_again_are_handed_on_once(aggregator: Served) -> None:
    batch = json.dumps([{**BUS, "session_id": "s", "sequence": number} for number in range(1, 6)])
    assert aggregator.post("/api/v1/events/batch", batch)[1]["accepted"] == 5
    answer = aggregator.post("/api/v1/events/batch", batch)[1]
    assert (answer["status"], answer["accepted"], answer["repeated"]) == ("accepted", 0, 5)
    aggregator.until(lambda health: health["events_processed"] == 5)
    assert aggregator.metrics()["mcp_events_repeated_total"] == 5


def test_health(aggregator: Served) -> None:
    with aggregator.client():
        health = aggregator.until(lambda health: health["connections"] == 1)
    assert {"status", "uptime", "connections", "events_processed", "avg_latency_ms"} <= health.keys()
    assert health["status"] == "healthy"


def test_stats_of_the_last_batches(aggregator: Served) -> None:
    aggregator.post("/api/v1/events/batch", json.dumps([BUS] * 7))
    aggregator.until(lambda health: health["events_processed"] == 7)
    stats = aggregator.get("/api/v1/stats")
    assert (stats["batch_count"], stats["avg_batch_size"], stats["current_queue_size"]) == (1, 7, 0)
    assert stats["recent_batches"][0]["size"] == 7
    assert {"avg_processing_time_ms", "max_processing_time_ms"} <= stats.keys()


def test_metrics_are_as_prometheus_reads_them(aggregator: Served) -> None:
    aggregator.post("/api/v1/events/batch", json.dumps([BUS] * 7))
    aggregator.until(lambda health: health["events_processed"] == 7)
    with urllib.request.urlopen(f"{aggregator.http}/metrics", timeout=20) as answer:
        assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
        text = answer.read().decode()
    families = {family.name: family for family in text_string_to_metric_families(text)}
    kinds = {name: family.type for name, family in families.items()}
    assert kinds["mcp_batch_latency_ms"] == kinds["mcp_events_per_batch"] == "histogram"
    assert kinds["mcp_queue_size"] == kinds["mcp_websocket_connections"] == "gauge"
    assert kinds["mcp_events_processed"] == "counter"
    assert all(family.documentation for family in families.values())
    for name in ("mcp_batch_latency_ms", "mcp_batch_latency_seconds", "mcp_events_per_batch"):
        samples = families[name].samples
        buckets = [one.value for one in samples if one.name.endswith("_bucket")]
        assert buckets == sorted(buckets)
        assert buckets[-1] == next(one.value for one in samples if one.name.endswith("_count")) == 1
    with urllib.request.urlopen(f"{aggregator.http}/metrics?units=base", timeout=20) as answer:
        assert "_ms" not in answer.read().decode()


# --- The stream -------------------------------------------------------------------------------------------------------


def read_stream(aggregator: Served, query: str, enough: str, **headers: str) -> list[tuple[str, Any]]:
    """The events of a stream until one of them says enough."""
    link = socket.create_connection(("127.0.0.1", aggregator.port), timeout=20)
    more = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    link.sendall(f"GET /api/v1/events/stream{query} HTTP/1.1\r\nHost: localhost\r\n{more}\r\n".encode())
    found: list[tuple[str, Any]] = []
    kind = ""
    with link, link.makefile("rb") as lines:
        for line in lines:
            text = line.decode().rstrip("\r\n")
            if text.startswith("event: "):
                kind = text.removeprefix("event: ")
            if text.startswith("data: "):
                found.append((kind, json.loads(text.removeprefix("data: "))))
                if enough in text:
                    return found
    raise AssertionError(found)


def test_a_watcher_chooses_types_and_games_and_where_to_begin(aggregator: Served) -> None:
    told = [("round_started", "a"), ("round_ended", "a"), ("round_started", "b"), ("training.x", ""), ("unknown", "z")]
    batch = [{"type": kind, "game_id": game, "data": {}} for kind, game in told]
    aggregator.post("/api/v1/events/batch", json.dumps(batch))
    aggregator.until(lambda health: health["events_processed"] == 5)

    def seen(query: str, enough: str, **headers: str) -> list[tuple[str, str]]:
        return [(kind, data["game_id"]) for kind, data in read_stream(aggregator, query, enough, **headers)]

    assert seen("?recent=99", '"unknown"') == told
    assert seen("?recent=2", '"unknown"') == told[3:]
    assert seen("?recent=99&type=round_started&type=unknown", '"unknown"') == [told[0], told[2], told[4]]
    assert seen("?recent=99&type=round_*,unknown", '"unknown"') == [*told[:3], told[4]]
    assert seen("?recent=99&game_id=b&game_id=z", '"z"') == [told[2], told[4]]
    assert seen("", '"unknown"', Last_Event_ID="3") == told[3:]
    with pytest.raises(urllib.error.HTTPError, match="400"):
        aggregator.get("/api/v1/events/stream?recent=many")


def test_a_watcher_that_does_not_read_misses_events_and_holds_up_nobody(aggregator: Served) -> None:
    slow = socket.create_connection(("127.0.0.1", aggregator.port), timeout=20)
    slow.sendall(b"GET /api/v1/events/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
    slow.recv(200)
    batch = json.dumps([{"type": "unknown", "data": {"text": "x" * 900}}] * 1000)
    before = aggregator.status("VmRSS")
    for number in range(1, 31):
        assert aggregator.post("/api/v1/events/batch", batch)[1]["accepted"] == 1000
        aggregator.until(lambda health, number=number: health["events_processed"] == 1000 * number)  # type: ignore[misc]
    assert aggregator.status("VmRSS") - before < 60_000
    slow.settimeout(5)
    text = b""
    end = time.monotonic() + 30
    while b"event: gap" not in text and time.monotonic() < end:
        text = text[-100:] + slow.recv(1 << 20)
    assert b"event: gap" in text
    slow.close()
