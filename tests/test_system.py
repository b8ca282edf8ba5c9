"""What not every system has: the package imports, and its commands start, without it."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from jimbo import system

TESTS = Path(__file__).parent
WITHOUT = TESTS / "without_unix.py"


def without_unix(code: str, *, cwd: Path, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(WITHOUT), code]
    environment = os.environ | {"PYTHONPATH": str(TESTS)}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=timeout)


def command(*words: str) -> str:
    return f"import sys; sys.argv = ['jimbo', *{words!r}]; from jimbo.cli.main import app; app()"


def test_every_module_can_be_imported(tmp_path: Path) -> None:
    """Those that need a package which is not installed are left out, as they are elsewhere; and so are those of mcp,
    which itself asks for fcntl on any system that does not call itself Windows."""
    code = """
import importlib, pkgutil, traceback, jimbo
for module in pkgutil.walk_packages(jimbo.__path__, "jimbo."):
    if module.name.endswith("__main__"):
        continue
    try:
        importlib.import_module(module.name)
    except ModuleNotFoundError as error:
        if "/site-packages/mcp/" in traceback.extract_tb(error.__traceback__)[-1].filename:
            continue
        if error.name.split(".")[0] in ("fcntl", "resource", "termios", "tty", "pwd", "grp", "jimbo"):
            raise
    except ImportError as error:
        if "pip install" not in str(error):
            raise
"""
    done = without_unix(code, cwd=tmp_path, timeout=300)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("--help",),
        ("eval", "--help"),
        ("doctor", "--json"),
        ("eval", "--agent", "random", "--seeds", "2", "--workers", "1", "--out", "games"),
        ("rollout", "--agent", "random", "--episodes", "2", "--out", "games.jsonl", "--workers", "1"),
        ("trace", "record", "--agent", "random", "--max-steps", "3", "--out", "run.jsonl"),
        ("suggest", "--help"),
    ],
)
def test_commands_start(words: tuple[str, ...], tmp_path: Path) -> None:
    done = without_unix(command(*words), cwd=tmp_path)
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode in ((0, 1, 2) if words[0] in ("doctor", "suggest") else (0,)), done.stderr


def test_two_evaluations_do_not_write_to_one_folder(tmp_path: Path) -> None:
    code = """
from pathlib import Path
from jimbo.run_folder import lock_folder
lock_folder(Path("games"))
try:
    lock_folder(Path("games"))
except ValueError as error:
    print(error)
"""
    assert "Another evaluation is writing to games" in without_unix(code, cwd=tmp_path).stdout


def test_games_are_started_and_ended(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    code = f"""
import json, subprocess, sys
from pathlib import Path
started = []
popen = subprocess.Popen.__init__
def kept(self, *words, **options):
    started.append(options.pop("creationflags", 0))
    popen(self, *words, **options)
subprocess.Popen.__init__ = kept
from jimbo.wire.launching import Launch, launched
command = f"{{sys.executable}} {TESTS / "wire" / "stand_in.py"} answers"
with launched(Launch(launcher="direct", balatrobot_cmd=command, base_port={port}, logs=Path("logs")), 1) as (game,):
    process = game._process
    answered = game.answers()
print(json.dumps([answered, process.poll() is not None, started[0]]))
"""
    done = without_unix(code, cwd=tmp_path)
    assert done.stdout, done.stderr
    assert json.loads(done.stdout) == [True, True, 0x200]


def test_the_load_is_told_where_the_system_knows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    load = system.load()
    assert load is not None
    assert load >= 0
    monkeypatch.delattr(os, "getloadavg")
    assert system.load() is None
