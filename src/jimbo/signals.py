"""Ends that come from outside."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def one_interrupt() -> Iterator[None]:
    """Ctrl-C, a hang-up and a call to terminate are all KeyboardInterrupt here, and only the first of them is.

    A second one would break off what is done because of the first. One that is ignored, as under nohup, stays so.
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
