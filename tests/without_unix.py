"""Runs ``python without_unix.py CODE`` as on a system that has none of the names that only Unix has.

Windows has a lock of its own, msvcrt, which is stood in for here.
"""

import contextlib
import os
import signal
import subprocess
import sys
import types

MODULES = ("fcntl", "resource", "termios", "tty", "pwd", "grp")
SIGNALS = ("SIGHUP", "SIGKILL", "SIGPIPE", "SIGWINCH", "pthread_sigmask")
CALLS = ("getloadavg", "killpg", "getpgid", "setsid", "sched_getaffinity", "waitid")


def hide() -> None:
    for module in MODULES:
        sys.modules[module] = None  # type: ignore[assignment]
    for owner, names in ((signal, SIGNALS), (os, CALLS)):
        for name in names:
            with contextlib.suppress(AttributeError):
                delattr(owner, name)
    locks = types.ModuleType("msvcrt")
    locked: dict[tuple[int, int], int] = {}

    def locking(handle: int, mode: int, count: int) -> None:
        about = os.fstat(handle)
        if mode != 2 or count != 1 or (about.st_dev, about.st_ino) in locked:
            raise PermissionError(13, "Permission denied")
        locked[about.st_dev, about.st_ino] = handle

    locks.LK_NBLCK, locks.locking = 2, locking  # type: ignore[attr-defined]
    sys.modules["msvcrt"] = locks
    subprocess.CREATE_NEW_PROCESS_GROUP = 0x200  # type: ignore[attr-defined]


if __name__ == "__main__":
    hide()
    exec(sys.argv[1], {"__name__": "__main__"})
