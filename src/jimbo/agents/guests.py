"""Code of other authors: it may raise anything, and may try to end the process that it runs in."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_exit = os._exit
_here = threading.local()
"""``process``: the number of the process in which this thread runs code of others; 0 where it does not."""


class _Exited(SystemExit):
    """In place of ``os._exit``, which would end everything without a word."""


def _exit_or_raise(status: int) -> None:
    if getattr(_here, "process", 0) == os.getpid():  # what it has started may end
        raise _Exited(status)
    _exit(status)


@contextmanager
def guest() -> Iterator[None]:
    """Code of others runs in here: ``os._exit`` raises SystemExit, as ``sys.exit`` does."""
    before = getattr(_here, "process", 0)
    os._exit = _exit_or_raise  # type: ignore[assignment]
    _here.process = os.getpid()
    try:
        yield
    finally:
        _here.process = before


def exit_call(end: SystemExit) -> str:
    """What was called, with what was given: "sys.exit(3)"."""
    try:
        code = "" if end.code is None else repr(end.code)
    except Exception:
        code = "..."
    return f"{'os._exit' if isinstance(end, _Exited) else 'sys.exit'}({code})"


def error_text(error: BaseException) -> str:
    """An error in words, "KeyError: 'gone'"; one that says nothing, or cannot be printed, by its name alone."""
    said = message_of(error)
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def message_of(error: BaseException) -> str:
    """What an error says; nothing where it cannot be printed."""
    try:
        return str(error)
    except Exception:
        return ""
