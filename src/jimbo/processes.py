"""Processes that work for this one."""

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import parent_process, resource_tracker
from multiprocessing.process import BaseProcess

from jimbo.system import FROM_TERMINALS, blocked

PATIENCE = 2.0
"""Seconds in which a process that has nothing to keep should have ended."""


def usable_cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def is_orphan() -> bool:
    """Whether the process that started this one for its work has gone."""
    parent = parent_process()
    return parent is not None and not parent.is_alive()


def end_all(processes: Iterable[BaseProcess], patience: float = PATIENCE) -> None:
    """Asks processes to end, and ends by force those that have not done so after some seconds."""
    there = list(processes)
    for process in there:
        process.terminate()
    end = time.monotonic() + patience
    for process in there:
        await_end(process, end - time.monotonic())


def await_end(process: BaseProcess, patience: float = PATIENCE) -> None:
    """Waits for a process that is about to end; after some seconds it is ended by force."""
    process.join(max(0.0, patience))
    if process.is_alive():
        process.kill()
        process.join()


@contextmanager
def children_without_ctrl_c() -> Iterator[None]:
    """Start processes that never receive Ctrl-C or hang-ups; Python's own helper process does not either.

    A terminal sends these to all of them, but their parent decides what ends. A process could ignore them only
    once it runs, and would complain if one came before. Here they wait until the block is left.
    """
    # Starting the helper lets Ctrl-C through again.
    with blocked(FROM_TERMINALS, again=resource_tracker.ensure_running):
        yield
