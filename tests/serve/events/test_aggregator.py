"""The queue and its batches, without a server."""

import asyncio
import logging
import threading
from collections.abc import Coroutine
from typing import Any

import pytest

from jimbo.serve.events import aggregator as aggregators
from jimbo.serve.events.aggregator import EventAggregator


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 20))


def test_batches_are_collected_for_a_while() -> None:
    async def work() -> None:
        batches: list[int] = []
        aggregator = EventAggregator(batch_window_ms=50)
        aggregator.add_delivery_handler(lambda batch: batches.append(len(batch)))
        await aggregator.start()
        for number in range(10):
            assert aggregator.add_event({"n": number})
        await asyncio.sleep(0.3)
        assert batches == [10]
        await aggregator.stop()

    run(work())


def test_a_full_batch_does_not_wait() -> None:
    async def work() -> None:
        seen: list[list[int]] = []
        aggregator = EventAggregator(batch_window_ms=10_000, max_batch_size=4)
        aggregator.add_delivery_handler(lambda batch: seen.append([event["n"] for event in batch]))
        await aggregator.start()
        for number in range(9):
            aggregator.add_event({"n": number})
        while len(seen) < 2:
            await asyncio.sleep(0.01)
        assert seen == [[0, 1, 2, 3], [4, 5, 6, 7]]
        await aggregator.stop()
        assert seen[2:] == [[8]]

    run(work())


def test_a_full_queue_drops_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        aggregator = EventAggregator(max_queue_size=5)
        taken = [aggregator.add_event({"n": number}) for number in range(8)]
        assert taken == [True] * 5 + [False] * 3
        assert (aggregator.dropped, aggregator.queue_size) == (3, 5)
        await aggregator.start()
        await aggregator.stop()
        assert (aggregator.processed, aggregator.queue_size) == (5, 0)
        assert not aggregator.add_event({"n": 9})

    with caplog.at_level(logging.WARNING, "jimbo.events"):
        run(work())
    assert "The queue is full (5 events): 1 dropped." in caplog.text


def test_whoever_reads_waits_for_room_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aggregators, "STUCK_AFTER", 0.1)

    async def work() -> None:
        aggregator = EventAggregator(batch_window_ms=0, max_queue_size=10, max_batch_size=2)

        async def slow(batch: list[dict[str, Any]]) -> None:
            await asyncio.sleep(0.02)

        aggregator.add_delivery_handler(slow)
        await aggregator.start()
        for number in range(60):  # far more than the queue holds, from somebody who waits
            await aggregator.room()
            assert aggregator.add_event({"n": number})
        await aggregator.stop()
        assert (aggregator.processed, aggregator.dropped) == (60, 0)
        stuck = EventAggregator(max_queue_size=4)  # it is never started
        for number in range(10):
            await stuck.room()
            stuck.add_event({"n": number})
        assert (stuck.queue_size, stuck.dropped) == (4, 6)

    run(work())


def test_the_batch_handler_may_change_what_is_delivered() -> None:
    async def work() -> None:
        seen: list[Any] = []

        async def keep(batch: list[dict[str, Any]]) -> None:
            seen.extend(batch)

        aggregator = EventAggregator(batch_window_ms=0)
        aggregator.set_batch_handler(lambda batch: [event for event in batch if event["n"] % 2])
        aggregator.add_delivery_handler(keep)
        for number in range(6):
            aggregator.add_event({"n": number})
        await aggregator.start()
        await aggregator.stop()
        assert [event["n"] for event in seen] == [1, 3, 5]

    run(work())


def test_a_handler_that_fails_harms_no_other(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        seen: list[int] = []

        def fail(batch: list[dict[str, Any]]) -> None:
            raise RuntimeError("no")

        async def fail_too(batch: list[dict[str, Any]]) -> None:
            raise RuntimeError("no")

        aggregator = EventAggregator(batch_window_ms=0)
        for handler in (fail, lambda batch: seen.append(len(batch)), fail_too):
            aggregator.add_delivery_handler(handler)
        aggregator.add_event({})
        await aggregator.start()
        await aggregator.stop()
        assert (seen, aggregator.failures, aggregator.processed) == ([1], 2, 1)

    run(work())


def test_a_plain_function_runs_in_a_thread() -> None:
    async def work() -> None:
        threads: list[str] = []
        aggregator = EventAggregator(batch_window_ms=0)
        aggregator.add_delivery_handler(lambda batch: threads.append(threading.current_thread().name))
        aggregator.add_event({})
        await aggregator.start()
        await aggregator.stop()
        assert threads != [threading.main_thread().name]

    run(work())


def test_the_last_hundred_batches_are_remembered() -> None:
    async def work() -> None:
        aggregator = EventAggregator(batch_window_ms=0, max_batch_size=1)
        for number in range(130):
            aggregator.add_event({"n": number})
        await aggregator.start()
        await aggregator.stop()
        stats = aggregator.get_stats()
        assert (stats["batch_count"], len(stats["recent_batches"]), stats["avg_batch_size"]) == (130, 100, 1.0)
        assert stats["max_processing_time_ms"] >= stats["avg_processing_time_ms"] > 0
        assert stats["current_queue_size"] == 0

    run(work())


@pytest.mark.parametrize("wrong", [{"max_queue_size": 0}, {"batch_window_ms": -1}, {"max_batch_size": 0}])
def test_sizes_make_sense(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="at least"):
        EventAggregator(**wrong)
