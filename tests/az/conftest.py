"""Stores and servers for the tests of the workshop."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

_FOLDERS = ("/usr/lib/postgresql/*/bin", "/usr/local/pgsql/bin", "/opt/homebrew/opt/postgresql*/bin")


def _program(name: str) -> Path | None:
    if found := shutil.which(name):
        return Path(found)
    places = [path for folder in _FOLDERS for path in Path("/").glob(f"{folder[1:]}/{name}")]
    return max(places, default=None)


def _as_user(command: list[str]) -> list[str]:
    """PostgreSQL refuses to run as root."""
    return (
        ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command] if os.getuid() == 0 else command
    )


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A server of its own, on a free port, with its data in a temporary folder."""
    pytest.importorskip("psycopg")
    initdb, server = _program("initdb"), _program("postgres")
    if initdb is None or server is None:
        pytest.skip("PostgreSQL is not installed")
    with tempfile.TemporaryDirectory(prefix="jimbo-postgres-") as folder:
        if os.getuid() == 0:
            shutil.chown(folder, "postgres")
        data, port = f"{folder}/data", _free_port()
        made = [str(initdb), "-D", data, "-U", "jimbo", "-A", "trust", "--no-sync", "-E", "UTF8"]
        subprocess.run(_as_user(made), check=True, capture_output=True, cwd=folder)
        options = ["-p", str(port), "-c", "listen_addresses=127.0.0.1", "-k", folder, "-c", "fsync=off"]
        with subprocess.Popen(
            _as_user([str(server), "-D", data, *options]), stderr=subprocess.DEVNULL, cwd=folder
        ) as process:
            url = f"postgresql://jimbo@127.0.0.1:{port}/postgres"
            try:
                _wait_for(url)
                yield url
            finally:
                process.terminate()


def _wait_for(url: str) -> None:
    import psycopg

    end = time.monotonic() + 30
    while True:
        try:
            psycopg.connect(url).close()
            return
        except psycopg.OperationalError:
            assert time.monotonic() < end, "PostgreSQL did not start"
            time.sleep(0.1)


@pytest.fixture
def empty_postgres(postgres_url: str) -> str:
    import psycopg

    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return postgres_url


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a store can be made: a file, or a database."""
    if request.param == "sqlite":
        return str(tmp_path / "replay.db")
    return str(request.getfixturevalue("empty_postgres"))
