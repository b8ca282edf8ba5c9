"""Work spread over several processes, one task at a time for each, that survives the death of any of them."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import current_process, get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Generic, Literal, Protocol, TypeVar

from jimbo.files import reason
from jimbo.processes import await_end, children_without_ctrl_c, end_all
from jimbo.signals import uninterrupted

Task = TypeVar("Task")
Result = TypeVar("Result")

MAX_DEATHS_IN_A_ROW = 3
_NAME = "jimbo-worker-"


@dataclass(frozen=True, slots=True)
class Lost:
    """Stands for the result of a task that nobody finished."""

    why: str
    """As the end of a sentence."""
    cause: Literal["worker_died", "time_limit", "real_game"]
    exit_code: int | None = None
    """The exit code of the process that died."""


def lost_with(exit_code: int | None, timeout: float | None, tries: int) -> Lost:
    """The result of a task whose process died, or was ended after ``timeout`` seconds, each of ``tries`` times."""
    often = f" ({tries} times)" if tries > 1 else ""
    if timeout is not None:
        return Lost(
            f"it took more than {timeout:g} second{'' if timeout == 1 else 's'}{often}", "time_limit", exit_code
        )
    how = "its worker or machine died" if exit_code is None else f"its process ended with code {exit_code}"
    return Lost(f"{how}{often}", "worker_died", exit_code)


class WorkFailed(RuntimeError):
    """No process does the work; the sentence says why."""


class _Ready:
    """A process sends it when it has started: the time of its first task begins then."""


@dataclass(slots=True)
class _Worker(Generic[Task]):
    process: SpawnProcess
    number: int
    task: Task
    tries: int
    """That are left, this one included."""
    deadline: float = float("inf")


def worker_number() -> int:
    """The number of this worker process, from 0; 0 also for a process that works alone."""
    name = current_process().name
    return int(name.removeprefix(_NAME)) if name.startswith(_NAME) else 0


def run_tasks(
    work: Callable[[Task], Result],
    tasks: Iterable[Task],
    workers: int,
    *,
    timeout: float | None = None,
    tries: int = 1,
) -> Generator[tuple[Task, Result | Lost]]:
    """Results as they come. ``work`` goes to every process once, so it must be picklable.

    A task that takes longer than ``timeout`` seconds is ended with its process. A task whose process ended is done
    again by another, ``tries`` times in all. WorkFailed if one task after another ends so, or no process can be
    started. Closing the iterator ends the processes.
    """
    crew = _LocalPool(work, tasks, workers, timeout, tries)
    return all_results(crew, f"{MAX_DEATHS_IN_A_ROW} worker processes in a row have died; their messages are above.")


class WorkerPool(Protocol[Task, Result]):
    """Workers, wherever they are."""

    def hire(self) -> bool:
        """Starts workers for tasks that wait; whether any task is left."""
        ...

    def results(self) -> list[tuple[Task, Result | Lost]]:
        """Waits for results and returns those that are there."""
        ...

    def dismiss(self) -> None: ...


def all_results(crew: WorkerPool[Task, Result], failure: str) -> Generator[tuple[Task, Result | Lost]]:
    """Everything that a crew does; WorkFailed with the sentence if one task after another ends with its worker."""
    deaths = 0
    try:
        while crew.hire():
            for task, result in crew.results():
                deaths = deaths + 1 if isinstance(result, Lost) and result.cause == "worker_died" else 0
                yield task, result
                if isinstance(result, Lost) and deaths == MAX_DEATHS_IN_A_ROW:
                    code = result.exit_code
                    raise WorkFailed(failure if code is None else f"{failure} The last one's exit code is {code}.")
    finally:
        crew.dismiss()


class _LocalPool(Generic[Task, Result]):
    """The processes that work now, and the tasks that wait."""

    def __init__(
        self, work: Callable[[Task], Result], tasks: Iterable[Task], workers: int, timeout: float | None, tries: int
    ) -> None:
        self._work, self._workers, self._timeout, self._tries = work, workers, timeout, tries
        self._waiting = deque((task, tries) for task in tasks)
        self._crew: dict[Connection[Task, Result | _Ready], _Worker[Task]] = {}

    def hire(self) -> bool:
        while self._waiting and len(self._crew) < self._workers:
            # The mask of signals is that of one thread: an interrupt that reaches another would leave a process astray.
            with uninterrupted(), children_without_ctrl_c():
                self._start(*self._waiting.popleft())
        return bool(self._crew)

    def _start(self, task: Task, tries: int) -> None:
        taken = {worker.number for worker in self._crew.values()}
        number = next(n for n in range(self._workers) if n not in taken)
        context = get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(target=_serve, args=(there, self._work), name=f"{_NAME}{number}", daemon=True)
        try:
            process.start()
        except OSError as error:
            raise WorkFailed(f"A worker process cannot be started: {reason(error)}.") from None
        there.close()
        _send(here, task)
        self._crew[here] = _Worker(process, number, task, tries)

    def results(self) -> list[tuple[Task, Result | Lost]]:
        results = []
        for connection in self._ready():
            worker = self._crew[connection]
            result = self._received(connection, worker)
            if isinstance(result, _Ready):
                self._begin(worker)
                continue
            task, tries = worker.task, worker.tries
            if isinstance(result, Lost) or not self._waiting:
                del self._crew[connection]
                connection.close()
            else:
                worker.task, worker.tries = self._waiting.popleft()
                _send(connection, worker.task)
                self._begin(worker)
            if isinstance(result, Lost) and tries > 1:
                self._waiting.appendleft((task, tries - 1))
            else:
                results.append((task, result))
        return results

    def _ready(self) -> list[Connection[Task, Result | _Ready]]:
        """Connections that have something to say, or whose time is over."""
        first = min(worker.deadline for worker in self._crew.values())
        told = wait(list(self._crew), None if first == float("inf") else max(0.0, first - time.monotonic()))
        now = time.monotonic()
        return [connection for connection, worker in self._crew.items() if connection in told or worker.deadline < now]

    def _received(self, connection: Connection[Task, Result | _Ready], worker: _Worker[Task]) -> Result | _Ready | Lost:
        timed_out = not connection.poll()
        if timed_out:
            worker.process.kill()
        else:
            with suppress(EOFError, OSError):  # it may have died in the middle of a word
                return connection.recv()
        await_end(worker.process)
        return lost_with(worker.process.exitcode, self._timeout if timed_out else None, self._tries)

    def _begin(self, worker: _Worker[Task]) -> None:
        if self._timeout is not None:
            worker.deadline = time.monotonic() + self._timeout

    def dismiss(self) -> None:
        end_all(worker.process for worker in self._crew.values())
        for connection in self._crew:
            connection.close()


def _send(connection: Connection[Task, Result], task: Task) -> None:
    with suppress(BrokenPipeError, ConnectionResetError):  # the process has died, which is noticed later
        connection.send(task)


def _serve(connection: Connection[Result | _Ready, Task], work: Callable[[Task], Result]) -> None:
    """Runs a worker until nobody has tasks for it or waits for its result."""
    with suppress(BrokenPipeError, ConnectionResetError):  # nobody waits any more, which is noticed below
        connection.send(_Ready())
    while True:
        try:
            task = connection.recv()
        except (EOFError, ConnectionResetError):
            return
        result = work(task)
        try:
            connection.send(result)
        except (BrokenPipeError, ConnectionResetError):
            return
