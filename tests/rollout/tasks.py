"""Work for processes, which must be able to import it."""

import gc
import os
import signal
import struct
import time
from multiprocessing.connection import Connection
from pathlib import Path

from jimbo.rollout.pool import worker_number


def number_of(_: int) -> int:
    time.sleep(0.05)
    return worker_number()


def sleep_or_double(task: int) -> int:
    if task == 3:
        time.sleep(600)
    return 2 * task


def dies_while_it_speaks(task: int) -> int:
    """Sends the beginning of a result, and ends."""
    if task == 2:
        (pipe,) = [one for one in gc.get_objects() if isinstance(one, Connection)]
        os.write(pipe.fileno(), struct.pack("!i", 1000) + b"0123456789")
        os._exit(9)
    return task


def hangs_deaf(task: int) -> int:
    """No signal that asks for its end is heard."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    if task == 1:
        return task
    time.sleep(600)
    return 0


def hangs_up(task: int) -> int:
    """Closes its end of the line, and lives on."""
    (pipe,) = [one for one in gc.get_objects() if isinstance(one, Connection)]
    pipe.close()
    time.sleep(600)
    return task


class DiesOnce:
    """Ends its process the first time a task comes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, task: int) -> int:
        seen = self._folder / str(task)
        if task % 2 and not seen.exists():
            seen.touch()
            os._exit(9)
        return task
