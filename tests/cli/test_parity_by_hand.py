"""``jimbo parity --by-hand`` at a terminal."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from jimbo.parity.by_hand import Direct
from jimbo.parity.playing import simulator

pty = pytest.importorskip("pty")


def test_it_tells_what_to_do_waits_and_goes_on(tmp_path: Path) -> None:
    """The first is done, the second is skipped by a key."""
    ours, theirs = pty.openpty()
    with simulator() as game:
        assert isinstance(game.hand, Direct)
        given = ("--base-url", game.url, "--settle", "0", "--only", "v_directors_cut,point_rich", "--by-hand")
        command = [sys.executable, "-m", "jimbo", "parity", *given, "--out", str(tmp_path), "--json"]
        process = subprocess.Popen(command, stdin=theirs, stderr=theirs, stdout=subprocess.PIPE)
        os.close(theirs)
        try:
            _read_until(ours, "rerolls the boss blind")
            game.hand._game.by_hand("reroll_boss", {})
            for _ in range(2):
                _read_until(ours, "challenge Rich get Richer")
                os.write(ours, b"s\n")
            told, _ = process.communicate(timeout=60)
        finally:
            process.kill()
            process.wait()
            os.close(ours)
    assert process.returncode == 0
    report = json.loads(told)
    assert [(each["name"], each["status"], each["why"]) for each in report["fixtures"]] == [
        ("v_directors_cut", "passed", ""),
        ("point_rich", "not exercised", "needs a hand: it was skipped"),
        ("point_rich#2", "not exercised", "needs a hand: it was skipped"),
    ]


def _read_until(terminal: int, words: str) -> None:
    seen, end = "", time.monotonic() + 60
    while words not in " ".join(seen.split()):
        assert time.monotonic() < end, seen
        seen += os.read(terminal, 4096).decode(errors="replace")
