"""The processes of a loop: started, watched, started again when they die, ended with it."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

from jimbo.processes import children_without_ctrl_c, end_all
from jimbo.signals import uninterrupted

_PATIENCE = 20.0
"""Seconds that a process has to end by itself."""
MAX_FAILURES = 3
FORMAT = "%(asctime)s %(levelname)s %(message)s"


def start(work: Callable[..., int], config: Any, log_file: Path, *more: Any) -> SpawnProcess:
    """``work(config, *more)`` in a process of its own; what it tells goes to a file."""
    log_file.parent.mkdir(parents=True, exist_ok=True)
    process = get_context("spawn").Process(target=_do, args=(work, config, log_file, more), daemon=True)
    with uninterrupted(), children_without_ctrl_c():
        process.start()
    return process


def _do(work: Callable[..., int], config: Any, log_file: Path, more: tuple[Any, ...]) -> None:
    handle = os.open(log_file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    for stream in (1, 2):
        os.dup2(handle, stream)
    os.close(handle)
    logging.basicConfig(level=config.log_level, format=FORMAT, force=True)
    sys.exit(work(config, *more))


def end(processes: list[SpawnProcess]) -> None:
    """Asks all of them to end, and waits until they have."""
    end_all(processes, _PATIENCE)


class LoopFailed(RuntimeError):
    """A process fails again and again."""

    def __init__(self, log_file: Path) -> None:
        super().__init__(f"A process failed {MAX_FAILURES} times; {log_file} says why.")


def has_failed(process: SpawnProcess) -> bool:
    """By itself: one that was killed has not."""
    return process.exitcode is not None and process.exitcode > 0


class Actors:
    """Processes that are to run all the time."""

    def __init__(self, make: Callable[[int], SpawnProcess], logs: Path) -> None:
        self._make, self._logs = make, logs
        self._members: dict[int, SpawnProcess] = {}
        self._failures = 0
        self.deaths = 0

    def hire(self, count: int) -> None:
        """Starts those that are missing, or have died."""
        for number in range(count):
            there = self._members.get(number)
            if there is not None and there.is_alive():
                continue
            if there is not None:
                self.deaths += 1
                self._failures += has_failed(there)
            if self._failures >= MAX_FAILURES:
                raise LoopFailed(self._logs)
            self._members[number] = self._make(number)

    def dismiss(self) -> None:
        end(list(self._members.values()))
        self._members = {}

    @property
    def pids(self) -> list[int]:
        return [process.pid for process in self._members.values() if process.pid is not None]
