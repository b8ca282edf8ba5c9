"""Commands that cannot outlive their time, and what they start."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from jimbo.system import ProcessTree

COMMAND = [sys.executable, "-m", "jimbo", "safe-run"]
LONG = f"sleep {900_000 + os.getpid()}"
"""Known by its number: no other test sleeps that long."""
TREE = f"""
setsid sh -c '{LONG} & {LONG}' &
({LONG} &)
trap '' TERM
echo $$ started
{LONG}
{LONG}
"""


def safe_run(folder: Path, *words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    done = [*COMMAND, "--log-dir", str(folder), *words]
    return subprocess.run(done, capture_output=True, text=True, timeout=60, check=False, **options)


def result(folder: Path) -> dict[str, Any]:
    (path,) = folder.glob("*.json")
    data: dict[str, Any] = json.loads(path.read_text())
    assert data["schema"] == "safe_run_result_v1"
    return data


def sleeping() -> list[Path]:
    """The processes of TREE that are there now."""
    wanted = LONG.replace(" ", "\0").encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it may end meanwhile
            if wanted in (process / "cmdline").read_bytes():
                found.append(process)
    return found


def test_a_command_that_ends(tmp_path: Path) -> None:
    done = safe_run(tmp_path, "--", "sh", "-c", "echo out; echo err >&2; exit 3")
    assert (done.returncode, done.stdout, done.stderr) == (3, "out\nerr\n", "")
    told = result(tmp_path)
    assert (told["status"], told["exit_code"], told["timed_out"]) == ("ended", 3, False)
    assert told["tail"] == ["out", "err"]
    assert Path(told["log"]).read_text() == "out\nerr\n"
    assert told["log_bytes"] == 8


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells of all processes")
def test_the_whole_tree_ends_in_time(tmp_path: Path) -> None:
    assert sleeping() == []
    began = time.monotonic()
    done = safe_run(tmp_path, "--timeout-sec", "1", "--heartbeat-sec", "0.3", "--", "sh", "-c", TREE)
    assert time.monotonic() - began < 20
    assert done.returncode == 124
    assert sleeping() == []
    told = result(tmp_path)
    assert (told["status"], told["exit_code"], told["timed_out"]) == ("timed_out", 124, True)
    assert told["ended_by_force"] >= 5
    assert told["heartbeats"] >= 3
    assert "still running" in done.stderr
    assert "It took more than 1 s" in done.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells of all processes")
def test_what_a_command_leaves_behind_ends_with_it(tmp_path: Path) -> None:
    done = safe_run(tmp_path, "--", "sh", "-c", f"setsid {LONG} & echo bye")
    assert (done.returncode, done.stdout) == (0, "bye\n")
    assert "left something running" in done.stderr
    assert sleeping() == []


def test_other_children_of_this_process_are_left_alone(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "30"]) as before:
        tree = ProcessTree(["sh", "-c", f"setsid {LONG} & sleep 30"])
        with tree, subprocess.Popen(["sleep", "30"]) as later:
            assert tree.end(0.0) >= 1
            assert sleeping() == []
            assert (before.poll(), later.poll()) == (None, None)
            later.kill()
        before.kill()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells whose processes they are")
def test_a_tree_within_a_tree_that_is_killed(tmp_path: Path) -> None:
    inner = [*COMMAND, "--log-dir", str(tmp_path), "--", "sh", "-c", f"echo ready; setsid {LONG}"]
    with ProcessTree(inner, stdout=subprocess.PIPE) as tree:
        assert tree.process.stdout is not None
        assert tree.process.stdout.readline() == b"ready\n"
        while not sleeping():
            time.sleep(0.01)
        tree.process.kill()
        assert tree.end(0.0) >= 1
        assert sleeping() == []


def test_a_command_that_cannot_be_started(tmp_path: Path) -> None:
    done = safe_run(tmp_path, "--", "no-such-command-anywhere")
    assert done.returncode == 127
    assert "cannot be started" in done.stderr
    assert result(tmp_path)["status"] == "not_started"


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_a_command_that_is_stopped(tmp_path: Path, end: signal.Signals) -> None:
    command = [*COMMAND, "--log-dir", str(tmp_path), "--", "sh", "-c", f"echo ready; {LONG}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(end)
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Stopped; " in errors
    assert sleeping() == []
    assert result(tmp_path)["status"] == "interrupted"


def test_a_signal_that_ends_a_command_is_counted_as_shells_do(tmp_path: Path) -> None:
    assert safe_run(tmp_path, "--", "sh", "-c", "kill -9 $$").returncode == 137


def test_json_and_the_tail(tmp_path: Path) -> None:
    done = safe_run(tmp_path, "--json", "--tail-lines", "2", "--summary-json", str(tmp_path / "x" / "r.json"), "--",
                    "sh", "-c", "seq 100; printf end")  # fmt: skip
    told = json.loads(done.stdout)
    assert told["tail"] == ["100", "end"]
    assert told == json.loads((tmp_path / "x" / "r.json").read_text())


def test_a_log_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = safe_run(tmp_path / "file", "--", "true")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_output_that_is_not_text(tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "--log-dir", str(tmp_path), "--", "printf", r"\377\n"], capture_output=True, check=False
    )
    assert done.stdout == b"\xff\n"
    assert result(tmp_path)["tail"] == ["�"]


def test_much_output_is_kept_whole(tmp_path: Path) -> None:
    done = safe_run(tmp_path, "--no-echo", "--", sys.executable, "-c", "print('x' * 5_000_000)", env=dict(os.environ))
    assert done.stdout == ""
    assert result(tmp_path)["log_bytes"] == 5_000_001
