"""What not every system has, looked up here so that the package starts on Windows as well.

Functions are looked for by name, not by the name of the system, so that tests can remove them anywhere.
"""

from __future__ import annotations

import ctypes
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

LOOK_EVERY = 0.05
"""Seconds between two looks at a process that is to end."""


def signals(*names: str) -> tuple[signal.Signals, ...]:
    """Those of them that the system has."""
    return tuple(getattr(signal, name) for name in names if hasattr(signal, name))


ENDS = signals("SIGINT", "SIGTERM", "SIGHUP")
"""Signals that end a command from outside."""
FROM_TERMINALS = signals("SIGINT", "SIGHUP")


@contextmanager
def blocked(numbers: Iterable[signal.Signals], *, again: Any = None) -> Iterator[None]:
    """Processes started in here are born deaf to these signals; here they wait until the block is left.

    ``again`` is called first, after which they are blocked again. Nothing happens where signals cannot be blocked.
    """
    mask = getattr(signal, "pthread_sigmask", None)
    if mask is None:
        yield
        return
    before = mask(signal.SIG_BLOCK, numbers)
    try:
        if again:
            again()
            mask(signal.SIG_BLOCK, numbers)
        yield
    finally:
        mask(signal.SIG_SETMASK, before)


def load() -> float | None:
    """How many processes want a core, over the last minute; None where the system does not tell it."""
    return round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None


def state_folder() -> Path:
    """Where what a user wants to find again is kept, when no place was named."""
    if folder := os.environ.get("XDG_STATE_HOME"):
        return Path(folder) / "jimbo"
    try:
        return Path.home() / ".local" / "state" / "jimbo"
    except RuntimeError:  # a user without a home folder keeps it in the current one
        return Path()


def checkout_commit() -> str | None:
    """The commit of the checkout this runs from, with "+" when files differ from it; None for an installed package."""
    root = Path(__file__).parents[2]
    if not (root / ".git").exists():
        return None
    command = ("git", "-C", str(root), "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty=+")
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


# --- Files ------------------------------------------------------------------------------------------------------------


def lock(handle: int) -> None:
    """Keeps other processes out of an open file until the handle is closed; BlockingIOError if one is in it."""
    try:
        import fcntl
    except ImportError:
        _lock_a_byte(handle)
        return
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def alone_in(handle: int) -> Iterator[None]:
    """Waits until no other process is in an open file, and keeps the others out; where the system can do that."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(handle, fcntl.LOCK_UN)


def _lock_a_byte(handle: int) -> None:
    import msvcrt

    locks: Any = msvcrt
    try:
        locks.locking(handle, locks.LK_NBLCK, 1)
    except PermissionError as error:
        raise BlockingIOError(error.errno, error.strerror) from None


def most_files(wanted: int, usual: int) -> int:
    """How many files this process may open, after asking for ``wanted``; ``usual`` where the system does not say."""
    try:
        import resource
    except ImportError:
        return usual
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return wanted if soft == resource.RLIM_INFINITY else min(soft, wanted)


# --- Processes and all that they start --------------------------------------------------------------------------------


def _has_groups() -> bool:
    return hasattr(os, "killpg") and hasattr(os, "setsid")


def group_options() -> dict[str, Any]:
    """For ``Popen``: a group of its own, so that Ctrl-C here does not reach it, and all of it can be ended together."""
    if _has_groups():
        return {"start_new_session": True}
    flags = ("CREATE_NEW_PROCESS_GROUP", "CREATE_NO_WINDOW")
    return {"creationflags": sum(getattr(subprocess, flag, 0) for flag in flags)}


def has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether a process has ended; it is not reaped, if the system allows that, so that its number stays its own."""
    if process.returncode is not None:
        return True
    if not hasattr(os, "waitid"):
        return process.poll() is not None
    try:
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:  # somebody else has taken the news
        return process.poll() is not None


def end_group(process: subprocess.Popen[bytes], within: float) -> None:
    """Ends a process of ``group_options`` and all that it has started: by a request, after some seconds by force."""
    _end(process, hard=False)
    end = time.monotonic() + within
    while not has_ended(process) and time.monotonic() < end:
        time.sleep(LOOK_EVERY)
    _end(process, hard=True)
    process.wait()


def _end(process: subprocess.Popen[bytes], *, hard: bool) -> None:
    # Once its end is known, its number may be another's.
    if process.returncode is not None:
        return
    if _has_groups():
        # The group is as old as the process, and lives on after it while one of its members does.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL if hard else signal.SIGTERM)
        return
    force = ["/F"] if hard else []
    with suppress(OSError):
        subprocess.run(["taskkill", "/T", *force, "/PID", str(process.pid)], capture_output=True, check=False)
    if hard and process.poll() is None:
        process.terminate()


# --- Trees of processes -----------------------------------------------------------------------------------------------

_ADOPT, _ADOPTS = 36, 37
"""Linux: whether processes that lose their parent become children of this one; and the question whether they do."""
_ROUNDS = 200
_MARK = "JIMBO_PROCESS_TREE"


class ProcessTree:
    """A command and all that it starts, however deep and in whatever groups; ``with`` ends what is left of it.

    Linux tells all of them: those that lose their parent become children of this process, and are known by a mark in
    their environment. Elsewhere a process that has made a group of its own, and lost its parent, is not found.
    """

    def __init__(self, command: Sequence[str], *, env: Mapping[str, str] | None = None, **options: Any) -> None:
        """OSError where it cannot be started."""
        mark = secrets.token_hex(8)
        self._mark = mark.encode()
        self._adopted: set[int] = set()
        self._adopted_before = _adopt(True)
        try:
            around = os.environ if env is None else env
            marks = f"{around.get(_MARK, '')} {mark}".lstrip()  # what a tree starts belongs to those around it, too
            environment = {**around, _MARK: marks}
            self.process = subprocess.Popen(list(command), env=environment, **options, **group_options())
        except BaseException:
            _adopt(self._adopted_before)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end(0.0)
        _adopt(self._adopted_before)

    def end(self, within: float) -> int:
        """Ends all of it: by a request, after some seconds by force. Returns how many processes were running."""
        running = self._running()
        if within > 0:
            self._signal(running, signal.SIGTERM)
            _end(self.process, hard=False)
            end = time.monotonic() + within
            while not (has_ended(self.process) and not self._running()) and time.monotonic() < end:
                time.sleep(LOOK_EVERY)
        end_group(self.process, 0.0)
        for _ in range(_ROUNDS):  # one of them may start another meanwhile
            left = self._running()
            if not left:
                break
            self._signal(left, signals("SIGKILL")[0])
            time.sleep(LOOK_EVERY)
        return len(running)

    def _running(self) -> set[int]:
        """Those of the tree that have not ended. Adopted ones that have are reaped."""
        there = _processes()
        children = {number for number, (parent, _) in there.items() if parent == os.getpid()}
        self._adopted = {number for number in children if number in self._adopted or self._is_marked(number)}
        mine = {self.process.pid} | self._adopted
        while more := {number for number, (parent, _) in there.items() if parent in mine} - mine:
            mine |= more
        for number in self._adopted - {self.process.pid}:
            if there[number][1] == "Z":
                with suppress(ChildProcessError):
                    os.waitpid(number, os.WNOHANG)
        return {number for number in mine if number in there and there[number][1] != "Z"}

    def _is_marked(self, number: int) -> bool:
        with suppress(OSError):
            return self._mark in Path(f"/proc/{number}/environ").read_bytes()
        return False

    @staticmethod
    def _signal(numbers: Iterable[int], number: signal.Signals) -> None:
        for each in numbers:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(each, number)


def _processes() -> dict[int, tuple[int, str]]:
    """Parent and state of each process, where the system tells them in files."""
    found = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else ():
        if name.isdigit():
            with suppress(OSError, ValueError):
                state, parent, *_ = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
                found[int(name)] = (int(parent), state)
    return found


def memory_mb(top: int) -> float | None:
    """The memory in use by a process and all that it started, in MB; None where the system does not tell it.

    What they share counts for each of them.
    """
    if not os.path.isdir("/proc/self"):
        return None
    there, tree = _processes(), {top}
    while more := {number for number, (parent, _) in there.items() if parent in tree} - tree:
        tree |= more
    pages = 0
    for number in tree:
        with suppress(OSError, ValueError, IndexError):
            pages += int(Path(f"/proc/{number}/statm").read_text().split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)


def _adopt(wanted: bool) -> bool:
    """Whether orphans below this process become its children, from now on; returns whether they did before."""
    if not sys.platform.startswith("linux"):
        return False
    control, before = ctypes.CDLL(None).prctl, ctypes.c_int()
    control(_ADOPTS, ctypes.byref(before), 0, 0, 0)
    control(_ADOPT, int(wanted), 0, 0, 0)
    return bool(before.value)
