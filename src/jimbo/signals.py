"""Signals that end a command from outside."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def one_interrupt() -> Iterator[None]:
    """Ctrl-C, a hang-up and a request to terminate all raise KeyboardInterrupt here, but only the first of them.

    A second one would interrupt what is being done because of the first. An ignored one, as under nohup, stays ignored.
    """
    came = False

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        nonlocal came
        if not came:
            came = True
            raise KeyboardInterrupt

    before = {end: signal.getsignal(end) for end in _ENDS}
    for end in _ENDS:
        if before[end] is not signal.SIG_IGN:
            signal.signal(end, interrupt)
    try:
        yield
    finally:
        for end in _ENDS:
            signal.signal(end, before[end])


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Such an end waits until this is done: for steps that belong together."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, _ENDS)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
