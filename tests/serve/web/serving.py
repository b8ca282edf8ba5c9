"""A server of the page for tests, in a thread of its own, and its streams of events."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import uvicorn

from jimbo.agents import make_agent
from jimbo.serve.web.app import WebServer, listen, make_app
from jimbo.serve.web.state import WebSettings

HOST = "127.0.0.1:8340"
LOCAL = f"http://{HOST}"


def settings_for(folder: Path, agent: str = "greedy", **more: Any) -> WebSettings:
    options = more.pop("options", {})
    (folder / "runs").mkdir(exist_ok=True)
    made = WebSettings(new_agent=partial(make_agent, agent, **options), games=folder / "games", runs=folder / "runs")
    return replace(made, **more)


@contextmanager
def serving(settings: WebSettings, port: int = 0) -> Iterator[str]:
    """Serve until the block is left; the address of the page."""
    app = make_app(settings)
    listener = listen("127.0.0.1", port)
    config = uvicorn.Config(app, log_level="error", ws="none", timeout_graceful_shutdown=2)
    server = WebServer(config, app.state.web)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()
        assert not thread.is_alive()


class Stream:
    """Events of a path, one after another."""

    def __init__(self, url: str, path: str, last: str = "") -> None:
        parts = urlsplit(url)
        self._link = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=20)
        self._link.request("GET", path, headers={"Last-Event-ID": last} if last else {})
        self.answer = self._link.getresponse()

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self._link.close()

    def next(self) -> tuple[str, str, Any]:
        """Return id, name and data of the next event."""
        found: dict[str, str] = {}
        for line in iter(self.answer.readline, b""):
            text = line.decode().rstrip("\n")
            if not text and "data" in found:
                return found["id"], found["event"], json.loads(found["data"])
            name, _, value = text.partition(": ")
            found[name] = value
        raise EOFError
