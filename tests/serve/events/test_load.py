"""Many clients at once: nothing is lost below the limit of the queue, and memory stays bounded above it."""

import asyncio
import json
import time

import pytest
from websockets.asyncio.client import connect

from serve.events.running import Served, served

CLIENTS, RATE = 20, 500


def message(client: int, number: int) -> str:
    data = {
        "hand_type": "Two Pair",
        "cards": ["AH", "AD", "10S", "10C"],
        "score": number,
        "total": number,
        "client": client,
    }
    return json.dumps({"type": "hand_played", "timestamp": 1.0 + number, "game_id": f"game-{client}", "data": data})


async def steadily(url: str, client: int, seconds: float) -> int:
    """A client that sends RATE events a second, at once what it is late with."""
    async with connect(url, compression=None) as link:
        began, sent = time.monotonic(), 0
        while sent < RATE * seconds:
            due = min(int(RATE * seconds), int(RATE * (time.monotonic() - began)) + 1)
            for number in range(sent, due):
                await link.send(message(client, number))
            sent = due
            await asyncio.sleep(0.01)
    return sent


def loaded(aggregator: Served, seconds: float) -> float:
    """All clients for a while, and what became of their events; returns the server's share of one core."""

    async def work() -> list[int]:
        return await asyncio.gather(*(steadily(aggregator.url, client, seconds) for client in range(CLIENTS)))

    cpu, began = aggregator.processor_seconds(), time.monotonic()
    sent = sum(asyncio.run(work()))
    passed = time.monotonic() - began
    assert sent == CLIENTS * RATE * seconds
    health = aggregator.until(lambda health: health["events_processed"] == sent, 30)
    assert (health["events_received"], health["events_dropped"], health["events_refused"]) == (sent, 0, 0)
    found = aggregator.metrics()
    assert found["mcp_events_accepted_total"] == found["mcp_events_processed_total"] == sent
    cpu = aggregator.processor_seconds() - cpu
    print(f"{sent:,} events in {passed:.1f} s, {1e6 * cpu / sent:.1f} us of processor time each, {cpu:.1f} s in all")
    return cpu / seconds


def test_twenty_clients_for_two_seconds_lose_nothing() -> None:
    with served("--per-minute", "0") as aggregator:
        loaded(aggregator, 2)


@pytest.mark.slow
def test_twenty_clients_for_a_minute_lose_nothing() -> None:
    """With room for the clients: the aggregator takes less than three quarters of one core."""
    with served("--per-minute", "0") as aggregator:
        before = aggregator.status("VmRSS")
        assert loaded(aggregator, 60) < 0.75
        assert aggregator.status("VmRSS") - before < 50_000


def test_memory_stays_bounded_when_nothing_is_handed_on() -> None:
    """As many events as ever; what is above the limit of the queue is counted exactly."""
    slow = ("--batch-window-ms", "60000", "--max-queue-size", "2000", "--max-batch-size", "9999")
    with served(*slow) as aggregator:
        batch = json.dumps([json.loads(message(0, number)) for number in range(1000)])
        for _ in range(3):
            aggregator.post("/api/v1/events/batch", batch)
        before = aggregator.status("VmRSS")
        for _ in range(60):
            aggregator.post("/api/v1/events/batch", batch)
        assert aggregator.status("VmRSS") - before < 10_000
        health = aggregator.health()
        assert (health["queue_size"], health["events_dropped"]) == (2000, 61_000)
