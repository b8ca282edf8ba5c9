"""Servers of databases on this machine, started for a test and ended with it; it is skipped where there is none."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

PATIENCE = 60.0
DATABASE = "jimbo"


def needed(name: str) -> str:
    """Return where a program is; the test is skipped where it is not installed."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed: make databases installs it.")
    return found


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as made:
        return int(made.getsockname()[1])


def fetched(url: str, data: bytes | None = None, headers: dict[str, str] | None = None) -> tuple[int, str]:
    request = urllib.request.Request(url, data, headers or {})
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def awaited(look: Callable[[], Any], patience: float = PATIENCE) -> Any:
    """Return what is found, as soon as it is found; fail after a while."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        try:
            if found := look():
                return found
        except OSError:
            pass
        time.sleep(0.1)
    raise AssertionError("It did not happen in time.")


class Influx:
    """An InfluxDB that can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self._program, self._folder = needed("influxd"), folder
        self.port = free_port()
        self.http = f"http://127.0.0.1:{self.port}"
        self.url = f"ilp+http://127.0.0.1:{self.port}/write?db={DATABASE}"
        config = folder / "influxdb.conf"
        config.write_text(
            f'reporting-disabled = true\nbind-address = "127.0.0.1:{free_port()}"\n'
            f'[meta]\ndir = "{folder}/meta"\n[data]\ndir = "{folder}/data"\nwal-dir = "{folder}/wal"\n'
            "query-log-enabled = false\n[monitor]\nstore-enabled = false\n"
            f'[http]\nbind-address = "127.0.0.1:{self.port}"\nlog-enabled = false\n[logging]\nlevel = "error"\n'
        )
        self._config = config
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with (self._folder / "log").open("ab") as log:
            command = [self._program, "-config", str(self._config)]
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self._folder)
        awaited(lambda: fetched(f"{self.http}/ping")[0] == 204)
        self.ask(f"CREATE DATABASE {DATABASE}")

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(20)
            self._process = None

    def ask(self, question: str) -> list[dict[str, Any]]:
        """Return the rows of an answer."""
        body = urllib.parse.urlencode({"db": DATABASE, "q": question}).encode()
        status, text = fetched(f"{self.http}/query", body)
        assert status == 200, text
        (result,) = json.loads(text)["results"]
        assert "error" not in result, result
        return [
            dict(zip(series["columns"], values, strict=True))
            for series in result.get("series", ())
            for values in series["values"]
        ]

    def count(self, table: str, column: str) -> int:
        rows = self.ask(f'SELECT count("{column}") AS n FROM {table}')
        return int(rows[0]["n"]) if rows else 0


@contextmanager
def influx(folder: Path) -> Iterator[Influx]:
    made = Influx(folder)
    try:
        made.start()
        yield made
    finally:
        made.kill()


@contextmanager
def prometheus(folder: Path, target: str) -> Iterator[str]:
    """Give the address of a Prometheus that scrapes a target every second."""
    program, port = needed("prometheus"), free_port()
    config = folder / "prometheus.yml"
    config.write_text(
        "global:\n  scrape_interval: 1s\nscrape_configs:\n  - job_name: jimbo\n    static_configs:\n"
        f"      - targets: ['{target}']\n"
    )
    command = [
        program,
        f"--config.file={config}",
        f"--storage.tsdb.path={folder}/tsdb",
        f"--web.listen-address=127.0.0.1:{port}",
        "--log.level=error",
    ]
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
    try:
        awaited(lambda: fetched(f"http://127.0.0.1:{port}/-/ready")[0] == 200)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait(20)


def asked(server: str, question: str) -> list[tuple[dict[str, str], float]]:
    """Return what Prometheus answers: labels and value of each series."""
    query = urllib.parse.urlencode({"query": question})
    answer = json.loads(fetched(f"{server}/api/v1/query?{query}")[1])
    return [(one["metric"], float(one["value"][1])) for one in answer["data"]["result"]]
