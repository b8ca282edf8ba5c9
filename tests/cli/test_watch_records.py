"""``jimbo watch --record``: whatever stops it, the file holds the run so far and ends as it should."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from jimbo.backends import SimBackend
from jimbo.cli.main import app
from jimbo.data import Decision, RecordFile, read_record, record_files
from jimbo.serve.terminal.decision import Show

RUN = "from jimbo.cli.entry import run; run()"
LIMITED = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (3_000, 3_000))
from jimbo.cli.entry import run
run()
"""


def jimbo(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "80"})


def watch(path: Path) -> Result:
    return jimbo("watch", "--agent", "greedy", "--seed", "CXQGWN36", "--record", str(path))


def confirmed(path: Path) -> dict[str, Any]:
    """The end of a record that can be played again."""
    result = jimbo("replay", str(path), "--json")
    assert result.exit_code == 0, result.stderr
    end: dict[str, Any] = json.loads(path.read_text().splitlines()[-1])["end"]
    return end


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        pytest.param(SimBackend, "apply", id="taken but not known"),
        pytest.param(RecordFile, "add", id="known but not kept"),
        pytest.param(Show, "moment", id="kept but not shown"),
    ],
)
def test_ctrl_c_in_the_middle_of_a_decision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: type, name: str
) -> None:
    calls = []

    def interrupted(*arguments: Any) -> Any:
        calls.append(arguments)
        if len(calls) < 5:
            return method(*arguments)
        if kind is SimBackend:
            method(*arguments)
        raise KeyboardInterrupt

    method = getattr(kind, name)
    monkeypatch.setattr(kind, name, interrupted)
    assert watch(tmp_path / "run.jsonl").exit_code == 0
    monkeypatch.undo()
    steps = 5 if kind is Show else 4
    assert confirmed(tmp_path / "run.jsonl").items() >= {"result": "open", "steps": steps}.items()


def test_ctrl_c_while_a_decision_is_being_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is in the file counts: a signal waits until that is known."""

    def interrupted(file: RecordFile, step: int, decision: Decision) -> None:
        add(file, step, decision)
        if step == 5:
            os.kill(os.getpid(), signal.SIGINT)

    add = RecordFile.add
    monkeypatch.setattr(RecordFile, "add", interrupted)
    assert watch(tmp_path / "run.jsonl").exit_code == 0
    monkeypatch.undo()
    assert confirmed(tmp_path / "run.jsonl").items() >= {"result": "open", "steps": 5}.items()


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_end_the_record(tmp_path: Path, end: signal.Signals) -> None:
    path = tmp_path / "run.jsonl"
    options = ["watch", "--agent", "expert", "--effort", "4", "--seed", "CXQGWN36", "--record", str(path)]
    process = subprocess.Popen([sys.executable, "-c", RUN, *options], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        began = time.monotonic()
        while time.monotonic() < began + 60 and not (path.exists() and path.read_text().count("\n") >= 3):
            time.sleep(0.02)
        process.send_signal(end)
        assert process.communicate(timeout=30)[1] == b""
    finally:
        process.kill()
    assert process.returncode == 0
    assert confirmed(path)["steps"] >= 2


def test_a_full_disk_leaves_whole_lines(tmp_path: Path) -> None:
    """The limit of the system on the size of files stands for a full disk."""
    path = tmp_path / "run.jsonl"
    options = ["watch", "--agent", "greedy", "--seed", "CXQGWN36", "--record", str(path)]
    done = subprocess.run([sys.executable, "-c", LIMITED, *options], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == f"jimbo: {path} cannot be written: File too large. It holds the run so far.\n"
    assert path.stat().st_size <= 3_000
    assert path.read_text().endswith("}\n")
    assert len(read_record(path).decisions) > 1


def test_a_file_that_cannot_be_begun_is_not_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(record_files, "add_line", full)
    result = watch(tmp_path / "run.jsonl")
    assert result.exit_code == 2
    assert result.stderr == f"jimbo: {tmp_path}/run.jsonl cannot be written: No space left on device.\n"
    assert os.listdir(tmp_path) == []


def test_a_reader_that_goes_away_leaves_a_record(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    options = ["watch", "--agent", "greedy", "--seed", "CXQGWN36", "--record", str(path), "--json"]
    process = subprocess.Popen([sys.executable, "-c", RUN, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout
    process.stdout.close()
    _, errors = process.communicate(timeout=30)
    assert errors == b""
    assert process.returncode == 1
    assert confirmed(path)["result"] == "open"


def test_a_last_line_that_was_cut_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    watch(path)
    text = path.read_text()
    path.write_text(text[: text.rstrip("\n").rindex("\n") + 20])
    result = jimbo("replay", str(path))
    assert result.exit_code == 1
    assert "The record has no end" in result.stderr
    # One that only lacks its line break was not cut.
    path.write_text(text.removesuffix("\n"))
    assert jimbo("replay", str(path)).exit_code == 0
