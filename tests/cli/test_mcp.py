"""``jimbo mcp``."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "jimbo", "mcp"]
TOKEN = "JIMBO_MCP_TOKEN"


def refused(*options: str, **env: str) -> str:
    done = subprocess.run(
        [*COMMAND, *options],
        env={**os.environ, **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    return done.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--port", "1"), "--port is about HTTP: add --http."),
        (("--json",), "--json is about HTTP: add --http."),
        (("--arm",), "--arm is about the real game: add --backend real."),
        (("--base-url", "http://127.0.0.1:1"), "--base-url is about the real game: add --backend real."),
        (
            ("--record", "x", "--backend", "real"),
            "--record keeps runs of the simulator; leave it out, or --backend real.",
        ),
        (("--backend", "pink"), 'There is no backend "pink". Choose sim, the simulator, or real.'),
        (("--agent", "pink"), 'There is no agent "pink"'),
        (
            ("--set", "clairvoyant=true"),
            "The agent expert must be shown what is hidden, and nobody is shown that here.",
        ),
        (("--effort", "0"), "effort"),
        (("--runs", "0"), "--runs"),
        (("--idle-minutes", "nan"), "--idle-minutes"),
    ],
)
def test_options_that_do_not_fit(options: tuple[str, ...], said: str) -> None:
    assert said in refused(*options)


@pytest.mark.parametrize("token", ["short", "x" * 15, "a token with blanks in it", "tokén-of-enough-signs"])
def test_a_token_that_is_too_weak(token: str) -> None:
    assert f"{TOKEN} must have 16 letters, digits or signs at least, and no blanks." in refused(
        "--http", **{TOKEN: token}
    )


def test_a_port_that_is_taken() -> None:
    with subprocess.Popen([*COMMAND, "--http", "--port", "0", "--json"], stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        port = json.loads(first.stdout.readline())["url"].split(":")[2].split("/")[0]
        said = refused("--http", "--port", port)
        first.terminate()
    assert f"Port {port} of 127.0.0.1 cannot be used: " in said
    assert said.endswith("Choose another with --port.\n")


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_it_is_stopped(end: signal.Signals) -> None:
    env = {**os.environ, TOKEN: "0123456789abcdef"}
    with subprocess.Popen(
        [*COMMAND, "--http", "--port", "0"], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Jimbo waits at http://127.0.0.1:")
        assert process.stdout.readline() == f"Authorization: Bearer the token of {TOKEN}\n"
        process.send_signal(end)
        said, errors = process.communicate(timeout=20)
    assert (process.returncode, said, errors) == (0, "", "")


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_over_standard_streams_too(end: signal.Signals) -> None:
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write('{"jsonrpc": "2.0", "id": 1, "method": "ping"}\nno json\n')
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(end)
        _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (0, "")


def test_it_ends_with_its_input(tmp_path: Path) -> None:
    done = subprocess.run(
        COMMAND, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert [*tmp_path.iterdir()] == []
