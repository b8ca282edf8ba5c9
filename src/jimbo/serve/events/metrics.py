"""What the aggregator has counted, and the text in which Prometheus reads it."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from jimbo.serve.events.aggregator import BatchStats, EventAggregator
from jimbo.telemetry.messages import REASONS

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
LIMITED = "rate_limit"
_LATENCIES_MS = (1, 5, 10, 25, 50, 100, 150, 200, 500, 1000, 5000)
_SIZES = (1, 5, 10, 50, 100, 250, 500, 1000, 5000)


class Histogram:
    """Numbers counted by size."""

    def __init__(self, limits: Sequence[float]) -> None:
        self.limits = limits
        self.counts = [0] * (len(limits) + 1)
        self.total = 0.0

    def add(self, value: float) -> None:
        self.counts[bisect_left(self.limits, value)] += 1
        self.total += value


class Counts:
    """What has come in, by what became of it; and how batches went."""

    def __init__(self) -> None:
        self.received = 0
        self.accepted = 0
        self.repeated = 0
        self.refused: Counter[str] = Counter()
        """Messages by the reason for which they were refused."""
        self.latencies = Histogram(_LATENCIES_MS)
        self.sizes = Histogram(_SIZES)

    def batch(self, stats: BatchStats) -> None:
        self.latencies.add(stats.latency_ms)
        self.sizes.add(stats.size)


def prometheus_text(
    counts: Counts, aggregator: EventAggregator, clients: int, watchers: int, *, base_units: bool = False
) -> str:
    """Return the metrics. ``base_units`` leaves out the one that is in milliseconds, which Prometheus advises against;
    the same in seconds is always there."""
    return "\n".join(_lines(counts, aggregator, clients, watchers, base_units)) + "\n"


def _lines(counts: Counts, aggregator: EventAggregator, clients: int, watchers: int, base_units: bool) -> Iterator[str]:
    latency = "Time from the arrival of the first event of a batch to the end of its delivery, in"
    if not base_units:
        yield from _histogram("mcp_batch_latency_ms", f"{latency} milliseconds.", counts.latencies)
    yield from _histogram("mcp_batch_latency_seconds", f"{latency} seconds.", counts.latencies, 1000)
    yield from _histogram("mcp_events_per_batch", "Events in a batch.", counts.sizes)
    yield from _one("mcp_queue_size", "gauge", "Events that wait to be handed on.", aggregator.queue_size)
    yield from _one("mcp_websocket_connections", "gauge", "Clients that are connected by WebSocket.", clients)
    yield from _one("mcp_stream_watchers", "gauge", "Programs that read the stream of events.", watchers)
    yield from _one("mcp_events_received_total", "counter", "Messages that have come.", counts.received)
    yield from _one("mcp_events_accepted_total", "counter", "Events that were queued.", counts.accepted)
    yield from _one("mcp_events_repeated_total", "counter", "Events that had come before.", counts.repeated)
    yield from _one("mcp_events_processed_total", "counter", "Events that were handed on.", aggregator.processed)
    yield from _one("mcp_events_dropped_total", "counter", "Events that found the queue full.", aggregator.dropped)
    yield from _one("mcp_handler_failures_total", "counter", "Batches that a handler failed.", aggregator.failures)
    refused = {reason: counts.refused[reason] for reason in (*REASONS, LIMITED)}
    yield from _labelled("mcp_events_refused_total", "counter", "Messages that were refused.", "reason", refused)


def _head(name: str, kind: str, help: str) -> list[str]:
    return [f"# HELP {name} {help}", f"# TYPE {name} {kind}"]


def _one(name: str, kind: str, help: str, value: float) -> list[str]:
    return [*_head(name, kind, help), f"{name} {value}"]


def _labelled(name: str, kind: str, help: str, label: str, values: Mapping[str, float]) -> list[str]:
    return [*_head(name, kind, help), *(f'{name}{{{label}="{key}"}} {value}' for key, value in values.items())]


def _histogram(name: str, help: str, histogram: Histogram, divisor: float = 1) -> Iterator[str]:
    yield from _head(name, "histogram", help)
    below = 0
    for limit, count in zip((*histogram.limits, None), histogram.counts, strict=True):
        below += count
        yield f'{name}_bucket{{le="{"+Inf" if limit is None else format(limit / divisor, "g")}"}} {below}'
    yield f"{name}_sum {histogram.total / divisor}"
    yield f"{name}_count {below}"
