"""Commands that work in several processes: Ctrl-C, a hang-up and a call to terminate end all of them, and quietly."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from jimbo.eval import read_rows

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")

ENDS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
EVAL = ["eval", "--agent", "greedy", "--seed-set", "dev-1000", "--workers", "2", "--json", "--out"]

JIMBO = "from jimbo.cli.entry import run; run()"
SLOW_CONFORMANCE = f"""
import os, sys, time
from pathlib import Path
sys.path.append({str(Path(__file__).parents[1])!r})
from conformance import runner
from conformance.__main__ import app

def check_slowly(path, name, *_):
    Path(f"{{path}}.{{os.getpid()}}.begun").touch()
    time.sleep(600)

if __name__ in ("__main__", "__mp_main__"):
    runner.check_file = check_slowly
    os.cpu_count = lambda: 2
if __name__ == "__main__":
    from jimbo.cli.errors import guarded
    guarded(app)
"""


def start(*command: str) -> "subprocess.Popen[str]":
    """In a group of its own, by which its children are known even after its death."""
    return subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def members(group: int) -> list[int]:
    """The processes of a group that have not ended."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, of = path.read_text().rpartition(")")[2].split()[:3]
        except OSError:  # it has just gone
            continue
        if int(of) == group and state not in "ZX":
            found.append(int(path.parent.name))
    return found


def wait_until(true: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not true():
        assert time.monotonic() < until
        time.sleep(0.02)


def ended(process: "subprocess.Popen[str]", send: Callable[[], None]) -> tuple[str, str]:
    """What it prints, once it and all its children are gone, however the test ends."""
    try:
        assert len(members(process.pid)) >= 3, "it and its workers must be there for this test to mean anything"
        send()
        output, errors = process.communicate(timeout=30)
        wait_until(lambda: not members(process.pid))
        return output, errors
    finally:
        for member in members(process.pid):
            os.kill(member, signal.SIGKILL)
        process.wait()


def start_eval(out: Path) -> "subprocess.Popen[str]":
    process = start("-c", JIMBO, *EVAL, str(out))
    rows = out / "episodes.jsonl"
    wait_until(lambda: process.poll() is not None or (rows.exists() and rows.read_bytes().count(b"\n") >= 2))
    return process


@pytest.mark.parametrize("whole_group", [False, True])
@pytest.mark.parametrize("end", ENDS)
def test_eval_keeps_and_prints_what_was_played(tmp_path: Path, end: signal.Signals, whole_group: bool) -> None:
    process = start_eval(tmp_path)
    output, errors = ended(process, lambda: (os.killpg if whole_group else os.kill)(process.pid, end))
    assert process.returncode == 130
    assert errors == f"Kept in {tmp_path}.\nStopped. The same command continues.\n"
    rows = list(read_rows(tmp_path / "episodes.jsonl"))
    assert 2 <= json.loads(output)["games"] == len(rows) < 1000
    assert not [row for row in rows if row.error]


def test_workers_of_a_killed_evaluation_end_quietly(tmp_path: Path) -> None:
    process = start_eval(tmp_path)
    _, errors = ended(process, process.kill)
    assert process.returncode == -signal.SIGKILL
    assert errors == ""


@pytest.mark.parametrize("whole_group", [False, True])
@pytest.mark.parametrize("end", ENDS)
def test_conformance_ends_its_workers(tmp_path: Path, end: signal.Signals, whole_group: bool) -> None:
    script, seeds = tmp_path / "slow.py", tmp_path / "corpus" / "seeds"
    script.write_text(SLOW_CONFORMANCE)
    seeds.mkdir(parents=True)
    for name in "ABCD":
        (seeds / f"motely_{name}.json").write_text("{}")
    process = start(str(script), str(seeds.parent))
    wait_until(lambda: process.poll() is not None or len(list(seeds.glob("*.begun"))) == 2)
    output, errors = ended(process, lambda: (os.killpg if whole_group else os.kill)(process.pid, end))
    assert (process.returncode, output, errors) == (130, "", "")
    assert len(list(seeds.glob("*.begun"))) == 2, "the files that were waiting are not begun any more"
