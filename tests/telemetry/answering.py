"""A server that gives one answer to everything."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Answers:
    """What it was asked."""

    paths: list[str] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    authorizations: list[str | None] = field(default_factory=list)


@contextmanager
def answering(answer: tuple[int, bytes]) -> Iterator[tuple[str, Answers]]:
    heard = Answers()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            heard.paths.append(self.path)
            heard.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            heard.authorizations.append(self.headers["Authorization"])
            self.send_response(answer[0])
            if answer[0] != 204:
                self.send_header("Content-Length", str(len(answer[1])))
            self.end_headers()
            if answer[0] != 204:
                self.wfile.write(answer[1])

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", heard
    finally:
        server.shutdown()
        server.server_close()
