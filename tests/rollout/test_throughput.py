"""How fast games over the wire are, measured at our own server. How fast they must be, no test asks."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from jimbo.rollout import throughput
from jimbo.rollout.throughput import LOOKS, MODES, Mode, TookTooLong, measure
from jimbo.wire.errors import Unreachable
from serve.balatrobot.running import running
from wire.test_launching import free_ports

NOT_STEPS = {"gamestate", "health", "menu", "start", "reset", "rpc.discover"}


@pytest.fixture
def urls(tmp_path: Path) -> Iterator[list[str]]:
    with running(tmp_path, instances=2) as ports:
        yield [f"http://127.0.0.1:{port}" for port in ports]


@pytest.mark.parametrize("mode", MODES)
def test_every_step_is_counted_once(urls: list[str], mode: Mode) -> None:
    told: list[None] = []
    start = time.perf_counter()
    found = measure(urls, mode, 25, settle=0.0, on_step=lambda: told.append(None))
    assert found.seconds < time.perf_counter() - start
    assert (found.mode, found.instances, found.steps, len(told)) == (mode, 2, 50, 50)
    assert found.steps_s_total == pytest.approx(50 / found.seconds)
    assert sum(one.calls for method, one in found.latency.items() if method not in NOT_STEPS) == 50
    assert found.latency["health"].calls == 2 * LOOKS
    assert found.latency["reset"].calls == found.latency["start"].calls >= 2
    for one in found.latency.values():
        assert 0 < one.p50 <= one.p95 <= one.p99 <= one.max
    assert {"select", "play"} < found.latency.keys()
    assert ("buy" in found.latency) == (mode == "rl_step")


def test_percentiles() -> None:
    found = throughput._summary([i / 1000 for i in range(101)])
    assert found == throughput.Latency(101, 50.0, 50.0, 95.0, 99.0, 100.0)


def test_one_that_does_not_answer_stops_the_others(urls: list[str]) -> None:
    with pytest.raises(Unreachable, match="nobody answers there"):
        measure([*urls, f"http://127.0.0.1:{free_ports()}"], "action_only", 1_000_000, settle=0.0)


def test_a_measurement_ends_in_time(urls: list[str]) -> None:
    with pytest.raises(TookTooLong, match="--timeout"):
        measure(urls, "action_only", 1_000_000, timeout=0.2, settle=0.0)
