"""An aggregator as a process of its own."""

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from prometheus_client.parser import text_string_to_metric_families
from websockets.sync.client import ClientConnection, connect

from jimbo.serve.events.client import headers_of

COMMAND = [sys.executable, "-m", "jimbo", "events", "serve", "--json"]


@dataclass
class Served:
    process: subprocess.Popen[str]
    url: str
    http: str

    @property
    def port(self) -> int:
        return int(self.http.rpartition(":")[2])

    def get(self, path: str) -> Any:
        asked = urllib.request.Request(self.http + path, headers=headers_of(os.environ.get("JIMBO_EVENTS_TOKEN", "")))
        with urllib.request.urlopen(asked, timeout=20) as answer:
            return json.load(answer)

    def health(self) -> dict[str, Any]:
        found: dict[str, Any] = self.get("/health")
        return found

    def post(self, path: str, body: bytes | str, **headers: str) -> tuple[int, dict[str, Any]]:
        link = HTTPConnection("127.0.0.1", self.port, timeout=20)
        link.request("POST", path, body, headers)
        answer = link.getresponse()
        return answer.status, json.loads(answer.read())

    def metrics(self) -> dict[str, float]:
        with urllib.request.urlopen(f"{self.http}/metrics", timeout=20) as answer:
            text = answer.read().decode()
        samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
        return {f"{one.name}{''.join(one.labels.values())}": one.value for one in samples}

    def client(self, **options: Any) -> ClientConnection:
        return connect(self.url, compression=None, **options)

    def until(self, holds: Callable[[dict[str, Any]], bool], seconds: float = 20.0) -> dict[str, Any]:
        """The health, as soon as something holds of it."""
        end = time.monotonic() + seconds
        while not holds(health := self.health()):
            assert time.monotonic() < end, health
            time.sleep(0.02)
        return health

    def status(self, name: str) -> int:
        """A number of kibibytes in what Linux tells of the process."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))

    def processor_seconds(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100


@contextmanager
def served(*options: str, port: int = 0, command: Sequence[str] = COMMAND) -> Iterator[Served]:
    command = [*command, "--port", str(port), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            assert line, process.stderr and process.stderr.read()
            told = json.loads(line)
            found = Served(process, told["url"], told["http"])
            found.until(lambda _: True)
            yield found
        finally:
            process.terminate()
            process.communicate(timeout=20)


def event(kind: str = "round_started", game: str = "g", **data: Any) -> str:
    return json.dumps({"type": kind, "timestamp": time.time(), "game_id": game, "data": data})
