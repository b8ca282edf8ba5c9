"""Numbers for Prometheus: text on a port of this machine."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from jimbo.files import reason

log = logging.getLogger(__name__)
_PREFIX = "jimbo_az_"
_TYPE = "text/plain; version=0.0.4; charset=utf-8"


@contextmanager
def served(port: int, numbers: Callable[[], Mapping[str, float]]) -> Iterator[int]:
    """Answers ``GET /metrics`` with what ``numbers`` says then; yields the port, or 0 where it is taken."""
    server = _server(port, numbers) if port else None
    if server is None:
        yield 0
        return
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


def _server(port: int, numbers: Callable[[], Mapping[str, float]]) -> ThreadingHTTPServer | None:
    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path not in ("/metrics", "/"):
                self.send_error(404)
                return
            body = as_text(numbers()).encode()
            self.send_response(200)
            self.send_header("Content-Type", _TYPE)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            return

    try:
        return ThreadingHTTPServer(("127.0.0.1", port), Answer)
    except OSError as error:
        log.warning("No metrics on port %d: %s. Choose another with --metrics-port.", port, reason(error))
        return None


def as_text(numbers: Mapping[str, float]) -> str:
    """Names that end in ``_total`` only ever rise."""
    lines = []
    for name, value in numbers.items():
        kind = "counter" if name.endswith("_total") else "gauge"
        lines += [
            f"# TYPE {_PREFIX}{name} {kind}",
            f"{_PREFIX}{name} {value:g}" if value != int(value) else f"{_PREFIX}{name} {int(value)}",
        ]
    return "\n".join(lines) + "\n"
