"""Signals that end a command from outside."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from jimbo.system import ENDS


class _Held:
    """Not the system's mask of signals, which holds for one thread alone."""

    now = False
    came = False


_held = _Held()


@contextmanager
def one_interrupt() -> Iterator[None]:
    """Ctrl-C, a hang-up and a request to terminate all raise KeyboardInterrupt here, but only the first of them.

    A second one would interrupt what is being done because of the first. An ignored one, as under nohup, stays ignored.
    """
    came = False

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        nonlocal came
        if came:
            return
        came = True
        if not _held.now:
            raise KeyboardInterrupt
        _held.came = True

    before = {end: signal.getsignal(end) for end in ENDS}
    for end in ENDS:
        if before[end] is not signal.SIG_IGN:
            signal.signal(end, interrupt)
    try:
        yield
    finally:
        for end in ENDS:
            signal.signal(end, before[end])


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Inside ``one_interrupt``: the interrupt waits until this is done, for steps that belong together.

    Only the main thread is ever interrupted.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _held.came = False
    _held.now = True  # last: one that comes before is not held
    try:
        yield
    finally:
        _held.now = False
    if _held.came:
        raise KeyboardInterrupt
