"""Counts that Prometheus fetches: right, in its own eyes clean, summed over processes, and for programs only."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jimbo.telemetry.events import MetricSample
from jimbo.telemetry.program import begin, source_of
from jimbo.telemetry.prometheus import MOST_WORDS
from telemetry.happening import small_game
from telemetry.servers import asked, awaited, fetched, free_port, needed, prometheus

pytest.importorskip("prometheus_client", reason="prometheus-client is not installed: pip install -e '.[analytics]'")
PROGRAM = """
import sys
from multiprocessing import get_context
from jimbo.telemetry.events import MetricSample
from jimbo.telemetry.program import begin, events_url, source_of
from telemetry.happening import small_game

def play(number):
    for event in small_game("fast"):
        source_of(events_url()).tell(event, f"g{number}")
    source_of(events_url()).close()

if __name__ == "__main__":
    end = begin(sys.argv[1], "a test")
    workers = [get_context("spawn").Process(target=play, args=(number,)) for number in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    print("ready", flush=True)
    sys.stdin.read()
    print(end())
"""


@pytest.fixture
def place() -> str:
    return f"127.0.0.1:{free_port()}"


@pytest.fixture
def shown(place: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of the metrics of a program in which two games were played."""
    monkeypatch.delenv("JIMBO_EVENTS", raising=False)
    monkeypatch.delenv("JIMBO_EVENTS_TOKEN", raising=False)
    end = begin(f"prometheus://{place}", "a test")
    source = source_of(f"prometheus://{place}")
    assert source
    for number, won in enumerate((True, False)):
        for event in small_game(won=won):
            source.tell(event, f"g{number}")
    try:
        awaited(lambda: "jimbo_games_total" in fetched(f"http://{place}/metrics")[1])
        yield f"http://{place}/metrics"
    finally:
        assert end() == ""


def test_what_is_counted(shown: str) -> None:
    _, text = fetched(shown)
    lines = set(text.splitlines())
    assert {
        'jimbo_games_total{agent="fast",outcome="won"} 1.0',
        'jimbo_games_total{agent="fast",outcome="lost"} 1.0',
        'jimbo_blinds_total{agent="fast",blind_type="small",outcome="beaten"} 2.0',
        'jimbo_hands_played_total{agent="fast"} 4.0',
        'jimbo_dollars_total{agent="fast",transaction_type="purchase_joker"} 12.0',
        'jimbo_decision_seconds_count{agent="fast",phase="shop"} 4.0',
        'jimbo_score_ratio_bucket{agent="fast",le="0.5"} 2.0',
    } <= lines


def test_promtool_finds_nothing(shown: str) -> None:
    program = shutil.which(os.environ.get("PROMTOOL", "promtool"))
    if program is None:
        pytest.skip("promtool is not installed: make databases installs it.")
    done = subprocess.run([program, "check", "metrics"], input=fetched(shown)[1].encode(), capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost:1"}, 200),
        ({"Host": "evil.example"}, 403),
        ({"Host": "[x"}, 403),
        ({"Origin": "http://evil.example"}, 403),
    ],
)
def test_pages_in_a_browser_are_refused(shown: str, headers: dict[str, str], status: int) -> None:
    assert fetched(shown, headers=headers)[0] == status
    assert fetched(shown.replace("metrics", ""))[0] == 404


def test_others_show_a_token(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JIMBO_EVENTS", raising=False)
    monkeypatch.delenv("JIMBO_EVENTS_TOKEN", raising=False)
    port = place.rpartition(":")[2]
    with pytest.raises(ValueError, match=r"^Other machines can reach 0\.0\.0\.0: set JIMBO_EVENTS_TOKEN"):
        begin(f"prometheus://0.0.0.0:{port}", "a test")
    monkeypatch.setenv("JIMBO_EVENTS_TOKEN", "secret")
    end = begin(f"prometheus://{place}", "a test")
    assert fetched(f"http://{place}/metrics")[0] == 401
    assert fetched(f"http://{place}/metrics", headers={"Authorization": "Bearer secret"})[0] == 200
    with pytest.raises(ValueError, match=f"^Port {port} of 127.0.0.1 cannot be opened: Address already in use$"):
        begin(f"prometheus://{place}", "another")
    end()
    assert "PROMETHEUS_MULTIPROC_DIR" not in os.environ


def test_words_that_never_end_do_not_fill_the_memory(shown: str, place: str) -> None:
    source = source_of(f"prometheus://{place}")
    assert source
    for number in range(3 * MOST_WORDS):
        source.tell(MetricSample(name=f"number {number}", value=number))
    text = awaited(lambda: text if 'name="other"' in (text := fetched(shown)[1]) else "")
    assert text.count("jimbo_measured{") <= MOST_WORDS + 1


@pytest.mark.servers
def test_a_real_prometheus_sums_up_all_processes(place: str, tmp_path: Path) -> None:
    needed("prometheus")
    script = tmp_path / "program.py"
    script.write_text(PROGRAM)
    path = os.pathsep.join([str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])])
    process = subprocess.Popen(
        [sys.executable, str(script), f"prometheus://{place}"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path}, text=True,
    )  # fmt: skip
    try:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        with prometheus(tmp_path, place) as server:
            games = awaited(lambda: asked(server, 'sum by (agent) (jimbo_games_total{outcome="won"})'))
            p95 = asked(server, "histogram_quantile(0.95, sum by (le) (jimbo_decision_seconds_bucket))")
        assert games == [({"agent": "fast"}, 3.0)]
        assert 0.01 < p95[0][1] < 0.025
    finally:
        output, _ = process.communicate("", timeout=20)
    assert output == "\n"
