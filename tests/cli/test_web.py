"""``jimbo web``: where it waits, what it refuses, and how it ends."""

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jimbo.cli.main import app

COMMAND = Path(sys.executable).with_name("jimbo")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (("--arm",), "--arm is about the real game: add --backend real."),
        (("--base-url", "127.0.0.1:9"), "--base-url is about the real game: add --backend real."),
        (("--backend", "real", "--log", "x"), "--log is about actions that are sent: add --arm, or leave it out."),
        (("--backend", "moon"), 'There is no backend "moon".'),
        (("--agent", "no-such-agent"), 'There is no agent "no-such-agent".'),
        (("--host", "203.0.113.9"), "203.0.113.9, port 8340, cannot be used"),
        (("--port", "99999"), "less than or equal to 65535"),
    ],
)
def test_what_is_wrong_is_said(line: tuple[str, ...], said: str) -> None:
    result = CliRunner().invoke(app, ["web", *line])
    assert result.exit_code == 2
    assert said in result.output


def test_a_port_that_is_taken() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        result = CliRunner().invoke(app, ["web", "--port", port])
    assert result.exit_code == 2
    assert (
        f"127.0.0.1, port {port}, cannot be used: Address already in use. Choose another with --port" in result.output
    )


def test_no_game_at_the_address() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
        result = CliRunner().invoke(app, ["web", "--port", "0", "--backend", "real", "--base-url", url])
    assert result.exit_code == 2
    assert url in result.output


@pytest.mark.parametrize(("host", "token"), [("127.0.0.1", False), ("0.0.0.0", True)])
def test_it_says_where_it_waits_and_ends_at_ctrl_c(host: str, token: bool, tmp_path: Path) -> None:
    line = [COMMAND, "web", "--port", "0", "--json", "--host", host, "--games", tmp_path, "--agent", "greedy"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        assert process.stdout
        url = json.loads(process.stdout.readline())["url"]
        assert ("?token=" in url) == token
        with urllib.request.build_opener(urllib.request.HTTPCookieProcessor()).open(url) as answer:
            assert b"<title>Jimbo</title>" in answer.read()
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(15) == 0
