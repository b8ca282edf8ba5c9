"""What ends a command: the machine with a sentence, the user quietly, a bug with its traceback."""

import subprocess
import sys
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        ("MemoryError()", 2, "jimbo: There is not enough memory.\n"),
        ("OSError(28, 'No space left on device', 'x.run')", 2, "jimbo: x.run: No space left on device.\n"),
        ("OSError(28, 'No space left')", 2, "jimbo: A file cannot be written: No space left on device.\n"),
        ("BlockingIOError(11, 'Try again')", 2, "jimbo: Resource temporarily unavailable.\n"),
        ("BrokenPipeError(32, 'Broken pipe')", 1, ""),
        ("KeyboardInterrupt()", 130, ""),
        ("SystemExit(3)", 3, ""),
    ],
)
def test_no_fault_of_the_program(error: str, code: int, sentence: str) -> None:
    done = _guarded(f"raise {error}")
    assert (done.returncode, done.stdout, done.stderr) == (code, "", sentence)


@pytest.mark.parametrize("flush", ["True", "False"])
def test_output_on_a_full_disk(flush: str) -> None:
    with open("/dev/full", "w") as full:
        done = _guarded(f"print('text', flush={flush})", stdout=full)
    assert (done.returncode, done.stderr) == (
        2, "jimbo: Standard output cannot be written: No space left on device.\n"
    )  # fmt: skip


def test_a_bug_has_its_traceback() -> None:
    done = _guarded("1 / 0")
    assert done.returncode == 1
    assert "Traceback" in done.stderr
    assert "ZeroDivisionError" in done.stderr


def test_a_command_that_ends_well() -> None:
    assert _guarded("print('done')").returncode == 0


def _guarded(line: str, stdout: Any = subprocess.PIPE) -> "subprocess.CompletedProcess[str]":
    program = f"from jimbo.cli.errors import guarded\ndef command():\n    {line}\nguarded(command)"
    return subprocess.run([sys.executable, "-c", program], stdout=stdout, stderr=subprocess.PIPE, text=True)
