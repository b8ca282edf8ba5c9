"""Rows as metrics that Prometheus scrapes from the program itself, summed over its processes."""

from __future__ import annotations

import hmac
import ipaddress
import os
import tempfile
import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from jimbo.extras import require
from jimbo.files import reason
from jimbo.telemetry.row_sink import RowSink
from jimbo.telemetry.sender import Packed
from jimbo.telemetry.tables import DecisionPoints, EconomicFlow, GameMetrics, NamedMetrics, TableRow

EXTRA = "analytics"
PORT = 9108
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Where processes of a program keep their counts, by the name that prometheus-client gives the variable."""
MOST_WORDS = 100
"""Different values of a label; whatever comes later is counted as "other"."""
_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2.5, 10)
_RATIOS = (0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 100)


class Metrics:
    """The metrics of a process."""

    def __init__(self) -> None:
        client = require("prometheus_client", EXTRA)
        values = require("prometheus_client.values", EXTRA)
        values.ValueClass = values.get_value_class()  # another package may have imported it before the folder was known

        def counter(name: str, help: str, *labels: str) -> Any:
            return client.Counter(name, help, labels, registry=None)

        def gauge(name: str, help: str, *labels: str, mode: str = "mostrecent") -> Any:
            return client.Gauge(name, help, labels, registry=None, multiprocess_mode=mode)

        def histogram(name: str, help: str, limits: Sequence[float], *labels: str) -> Any:
            return client.Histogram(name, help, labels, registry=None, buckets=limits)

        self.games = counter("jimbo_games", "Games that ended.", "agent", "outcome")
        self.blinds = counter("jimbo_blinds", "Blinds that ended.", "agent", "blind_type", "outcome")
        self.hands = counter("jimbo_hands_played", "Hands that were played.", "agent")
        self.discards = counter("jimbo_discards_used", "Discards that were used.", "agent")
        self.dollars = counter("jimbo_dollars", "Dollars that came or went.", "agent", "transaction_type")
        self.errors = counter("jimbo_errors", "Errors.")
        self.dropped = counter("jimbo_events_dropped", "Events that were dropped.")
        self.seconds = histogram("jimbo_decision_seconds", "Time of a decision.", _SECONDS, "agent", "phase")
        self.ratios = histogram("jimbo_score_ratio", "Score of a blind, by what it asked.", _RATIOS, "agent")
        self.measured = gauge("jimbo_measured", "The last value of a number that has a name.", "name")
        self.memory = gauge("jimbo_memory_bytes", "Memory of the process that used the most.", mode="max")
        self.last = gauge("jimbo_last_event_timestamp_seconds", "When the last event happened.")
        self._words: defaultdict[str, set[str]] = defaultdict(set)

    def count(self, row: TableRow) -> None:
        """Count a row."""
        match row:
            case GameMetrics():
                agent, outcome = self._word("agent", row.agent), self._word("outcome", row.outcome)
                self.blinds.labels(agent, self._word("blind_type", row.blind_type), outcome).inc()
                self.hands.labels(agent).inc(row.hands_played or 0)
                self.discards.labels(agent).inc(row.discards_used or 0)
                if outcome != "beaten":
                    self.games.labels(agent, outcome).inc()
                if row.score_ratio is not None:
                    self.ratios.labels(agent).observe(row.score_ratio)
            case DecisionPoints():
                if row.milliseconds is not None:
                    labels = self._word("agent", row.agent), self._word("phase", row.phase)
                    self.seconds.labels(*labels).observe(row.milliseconds / 1000)
            case EconomicFlow():
                kind = self._word("transaction_type", row.transaction_type)
                self.dollars.labels(self._word("agent", row.agent), kind).inc(abs(row.amount or 0))
            case NamedMetrics():
                self._measured(row)
        self.last.set(row.timestamp / 1e9)

    def _measured(self, row: NamedMetrics) -> None:
        if row.value is None:
            return
        match row.name:
            case "errors":
                self.errors.inc()
            case "events_dropped":
                self.dropped.inc(max(0.0, row.value))
            case "memory_usage":
                self.memory.set(row.value)
            case name:
                self.measured.labels(self._word("name", name)).set(row.value)

    def _word(self, label: str, value: str) -> str:
        known = self._words[label]
        if value not in known and len(known) >= MOST_WORDS:
            return "other"
        known.add(value)
        return value


class PrometheusSink(RowSink):
    """Counts rows; the process in which the program began shows the counts of all."""

    def __init__(self, session_id: str, program: str) -> None:
        super().__init__(session_id, program)
        self._metrics = Metrics()

    def encoded(self, rows: Sequence[TableRow]) -> list[TableRow]:
        return list(rows)

    def send(self, packed: Packed) -> tuple[int, str]:
        for row in packed.body:
            self._metrics.count(row)
        return packed.events, ""

    def hang_up(self) -> None:
        """There is nothing to let go of."""


def show(host: str, port: int, token: str) -> Callable[[], None]:
    """Serve the counts of this program's processes at http://HOST:PORT/metrics; return what ends that.

    ValueError with a sentence where that cannot be.
    """
    if not _is_loopback(host) and not token:
        raise ValueError(
            f"Other machines can reach {host}: set JIMBO_EVENTS_TOKEN, and let Prometheus show it as "
            "its authorization credentials; or use 127.0.0.1"
        )
    client, multiprocess = require("prometheus_client", EXTRA), require("prometheus_client.multiprocess", EXTRA)
    folder = tempfile.TemporaryDirectory(prefix="jimbo-metrics-", ignore_cleanup_errors=True)

    class Handler(_Refusing):
        wanted = f"Bearer {token}" if token else ""
        name = host

        def metrics(self) -> bytes:
            registry = client.CollectorRegistry()
            multiprocess.MultiProcessCollector(registry, path=folder.name)
            return bytes(client.generate_latest(registry))

    try:
        server = ThreadingHTTPServer((host, port), Handler)
    except OSError as error:
        folder.cleanup()
        raise ValueError(f"Port {port} of {host} cannot be opened: {reason(error)}") from None
    before = os.environ.get(FOLDER)
    os.environ[FOLDER] = folder.name
    threading.Thread(target=server.serve_forever, name="jimbo-metrics", daemon=True).start()

    def end() -> None:
        server.shutdown()
        server.server_close()
        os.environ.pop(FOLDER, None) if before is None else os.environ.update({FOLDER: before})
        folder.cleanup()

    return end


class _Refusing(BaseHTTPRequestHandler):
    """Answers programs, not pages in a browser."""

    wanted = ""
    name = ""
    timeout = 10.0

    def metrics(self) -> bytes:
        raise NotImplementedError

    def do_GET(self) -> None:
        shown = self.headers.get("Authorization", "").encode()
        if self.headers.get("Origin") is not None or not self._is_here(self.headers.get("Host", "")):
            self._answer(403, b"Requests from web pages are refused.\n")
        elif self.wanted and not hmac.compare_digest(shown, self.wanted.encode()):
            self._answer(401, b"A token is wanted: Authorization: Bearer TOKEN\n")
        elif urlsplit(self.path).path != "/metrics":
            self._answer(404, b"The metrics are at /metrics.\n")
        else:
            self._answer(200, self.metrics(), "text/plain; version=0.0.4; charset=utf-8")

    def _is_here(self, host: str) -> bool:
        """Whether this is not a domain that somebody has pointed here."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in ("", "localhost", self.name) or _is_address(name)

    def _answer(self, status: int, body: bytes, kind: str = "text/plain; charset=utf-8") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing: the terminal belongs to the program."""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_loopback(host: str) -> bool:
    return host == "localhost" or (_is_address(host) and ipaddress.ip_address(host).is_loopback)
