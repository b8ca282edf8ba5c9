"""How commands refuse bad input, report what the machine refuses to do, and end on Ctrl-C."""

import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn

import typer

from jimbo.files import reason, sentence
from jimbo.signals import one_interrupt

AGENT_FAILED = 1
BAD_INPUT = 2
INTERRUPTED = 130
PIPE_CLOSED = 1
_WRITING = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)


def fail(message: str, code: int = BAD_INPUT) -> NoReturn:
    """End the command with a sentence on the error stream."""
    typer.echo(f"jimbo: {sentence(message)}", err=True)
    raise typer.Exit(code)


@contextmanager
def report_errors(stopped: Path | str = "", *refused: type[Exception]) -> Iterator[None]:
    """End a command with a sentence if it fails or is stopped.

    ``stopped``: the sentence to print after Ctrl-C, or the folder in which the same command resumes. ``refused``: more
    errors whose text says what to do.
    """
    told: tuple[type[Exception], ...] = (ValueError, ImportError, *refused)
    try:
        with one_interrupt():
            yield
    except told as error:
        fail(str(error))
    except OSError as error:
        if error.filename is None:
            raise
        fail(f"{error.filename}: {reason(error)}")
    except KeyboardInterrupt:
        resumes = f"Progress is saved in {stopped}. Run the same command to resume."
        if stopped:
            typer.echo(f"Stopped. {resumes if isinstance(stopped, Path) else stopped}", err=True)
        raise typer.Exit(INTERRUPTED) from None


def guarded(command: Callable[[], object]) -> NoReturn:
    """Runs a command to its exit code. What is not the program's fault ends it with a sentence, not a traceback."""
    _open_closed_streams()
    _forget_odd_sizes()
    try:
        try:
            command()
        finally:
            sys.stdout.flush()  # here, where a failure can be reported; Python would do it too late
    except KeyboardInterrupt:
        code = INTERRUPTED
    except (OSError, MemoryError, UnicodeEncodeError) as error:
        code = _tell(error)
    else:
        code = 0
    sys.exit(code)


def _open_closed_streams() -> None:
    """Gives standard streams that the caller closed a place of their own, so that no file opened later takes it.

    There is nothing to read from such an input, and nobody to see the errors. Output is an error as soon as there is
    any: a descriptor opened for reading refuses it.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115


def _forget_odd_sizes() -> None:
    """A terminal that claims to have no columns would show nothing."""
    for name in ("COLUMNS", "LINES"):
        text = os.environ.get(name, "")
        if not (text.isascii() and text.isdigit() and int(text[:9]) > 0):
            os.environ.pop(name, None)


def _tell(error: OSError | MemoryError | UnicodeEncodeError) -> int:
    """Says what happened, unless it is only that the reader of a pipe has gone; returns the exit code."""
    told = _sentence(error)
    # What was not written is dropped, because Python would try again at exit, and complain.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, OSError) and error.errno == errno.EPIPE:
        return PIPE_CLOSED
    with suppress(OSError):
        typer.echo(f"jimbo: {told}", err=True)
    return BAD_INPUT


def _sentence(error: OSError | MemoryError | UnicodeEncodeError) -> str:
    if isinstance(error, MemoryError):
        return "There is not enough memory."
    if isinstance(error, UnicodeEncodeError):
        sign = ascii(error.object[error.start])
        return f"Standard output is {error.encoding} and cannot show {sign}. Try PYTHONIOENCODING=utf-8:replace."
    if error.filename is not None:
        return f"{error.filename}: {reason(error)}."
    if error.errno in _WRITING:  # of a file that was already open
        return f"{'A file' if _takes_output() else 'Standard output'} cannot be written: {reason(error)}."
    return f"{reason(error)}."


def _takes_output() -> bool:
    """Whether standard output takes what is left for it, and nothing more."""
    try:
        sys.stdout.flush()
        os.write(sys.stdout.fileno(), b"")
    except OSError:
        return False
    return True
