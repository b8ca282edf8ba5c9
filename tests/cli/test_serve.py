"""``jimbo serve balatrobot``."""

import json
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from serve.balatrobot.running import called, connected

COMMAND = [sys.executable, "-m", "jimbo", "serve", "balatrobot"]


def refused(*options: str) -> str:
    done = subprocess.run([*COMMAND, *options], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    return done.stderr


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_it_is_stopped(tmp_path: Path, end: signal.Signals) -> None:
    command = [*COMMAND, "--port", "0", "--instances", "3", "--folder", str(tmp_path / "files"), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        urls = json.loads(process.stdout.readline())["urls"]
        ports = [int(url.rpartition(":")[2]) for url in urls]
        assert len({*ports}) == 3
        for port in ports:
            assert called(port, "health") == {"status": "ok"}
        called(ports[2], "start", deck="RED", stake="WHITE", seed="1")
        assert called(ports[0], "gamestate")["state"] == "MENU"
        called(ports[2], "save", path="run.jkr")
        with connected(ports[1]):
            process.send_signal(end)
            _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (0, "")
    assert [path.name for path in (tmp_path / "files").iterdir()] == ["run.jkr"]


def test_it_is_started_as_the_game_is(tmp_path: Path) -> None:
    """With the options of the mod's own launcher, which change nothing here."""
    launcher = ["--headless", "--fast", "--love-path", "Balatro.exe", "--lovely-path", "version.dll"]
    command = [*COMMAND, *launcher, "--port", "0", "--folder", str(tmp_path), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = json.loads(process.stdout.readline())["urls"][0]
        assert called(int(url.rpartition(":")[2]), "health") == {"status": "ok"}
        process.terminate()
    assert process.returncode == 0


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        errors = refused("--port", str(port))
    assert f"Port {port} of 127.0.0.1 is in use." in errors
    assert "There is no port 65536" in refused("--port", "65535", "--instances", "2")


def test_other_machines_are_let_in_only_on_request() -> None:
    errors = refused("--host", "0.0.0.0", "--port", "0")
    assert re.search(r"0\.0\.0\.0 can be reached from other machines.*--open", errors)


def test_an_address_that_is_not_ours() -> None:
    assert "cannot be opened" in refused("--host", "192.0.2.1", "--open")
